package javascript

import (
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/framework/adapter"
)

// titles is a JavaScript regular expression that matches the full names of the
// selected tests: the titles of the suites and the test, joined by spaces (by
// " > " since vitest 5).
func titles(tests []adapter.Selected) string {
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

var numbered = pattern.New(`^(.+)( \(\d+\))$`)

var special = pattern.New(`[.*+?^${}()|[\]\\/]`)

// escape quotes text for a JavaScript regular expression.
func escape(text string) string { return special.ReplaceAllString(text, `\$0`) }
