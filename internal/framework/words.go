package framework

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// quoted joins words into a line that a POSIX shell reads back as the same
// words.
func quoted(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = quote(w)
	}
	return strings.Join(out, " ")
}

var bare = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

func quote(word string) string {
	if bare.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// inDir puts a change of directory before a command line.
func inDir(dir, line string) string {
	if dir == "" {
		return line
	}
	return "cd " + quote(dir) + " && " + line
}

// titles is a JavaScript regular expression that matches the full names of the
// selected tests: the titles of the suites and the test, joined by spaces (by
// " > " since vitest 5).
func titles(tests []Selected) string {
	var names []string
	for _, t := range tests {
		if t.Name == "" {
			continue
		}
		full := escape(t.Name)
		// The report reader numbers tests of one name: the number may not be
		// part of the title.
		if m := numbered.FindStringSubmatch(t.Name); m != nil {
			full = escape(m[1]) + "(?:" + escape(m[2]) + ")?"
		}
		var parts []string
		if t.Suite != "" {
			parts = strings.Split(t.Suite, " > ")
		}
		for i, p := range parts {
			parts[i] = escape(p)
		}
		full = strings.Join(append(parts, full), " (?:> )?")
		if !slices.Contains(names, full) {
			names = append(names, full)
		}
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return `^\s*` + names[0] + "$"
	}
	return `^\s*(?:` + strings.Join(names, "|") + ")$"
}

var numbered = regexp.MustCompile(`^(.+)( \(\d+\))$`)

var special = regexp.MustCompile(`[.*+?^${}()|[\]\\/]`)

// escape quotes text for a JavaScript regular expression.
func escape(text string) string { return special.ReplaceAllString(text, `\$0`) }

// whole reports whether some selection is a whole file.
func whole(tests []Selected) bool {
	return slices.ContainsFunc(tests, func(t Selected) bool { return t.Name == "" })
}

// placed refuses a selection that would run everything: whole files of which
// none is known or lies below dir.
func placed(tests []Selected, dir string) error {
	if _, ok := files(tests, dir); ok || len(tests) == 0 || !whole(tests) {
		return nil
	}
	return fmt.Errorf("a selected test file is unknown or not below %q", dir)
}

// files lists the files of a selection relative to dir, once each, in order;
// ok is false when a selected test's file is unknown or outside dir.
func files(tests []Selected, dir string) (out []string, ok bool) {
	ok = true
	for _, t := range tests {
		rel, inside := below(t.File, dir)
		if t.File == "" || !inside {
			ok = false
			continue
		}
		if !slices.Contains(out, rel) {
			out = append(out, rel)
		}
	}
	return out, ok
}

// below makes a repository path relative to dir.
func below(file, dir string) (rel string, ok bool) {
	file = path.Clean(file)
	if dir == "" {
		return file, true
	}
	return strings.CutPrefix(file, dir+"/")
}

// related keeps those of the changed files that lie below dir, relative to it.
func related(changed []string, dir string) []string {
	var out []string
	for _, f := range changed {
		if rel, ok := below(f, dir); ok {
			out = append(out, rel)
		}
	}
	return out
}

// major is the first number of a version or range: 3 for "3.2.4" and "^3.0.0";
// 0 when there is none.
func major(version string) int { return number(version, 0) }

// atLeast compares major and minor; an unknown version counts as new.
func atLeast(version string, major, minor int) bool {
	m := number(version, 0)
	if m == 0 {
		return true
	}
	return m > major || m == major && number(version, 1) >= minor
}

var digits = regexp.MustCompile(`\d+`)

func number(version string, part int) int {
	found := digits.FindAllString(version, part+1)
	if len(found) <= part {
		return 0
	}
	n := 0
	for _, c := range found[part] {
		if n < 1e6 {
			n = 10*n + int(c-'0')
		}
	}
	return n
}
