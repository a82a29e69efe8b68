package related

import (
	"bytes"
	"cmp"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/edit"
)

// This file finds the tests of a function among the project's own: those that call
// it, in files that import its file or are named after it.

// Bounds of the search for tests.
const (
	testFiles = 400       // the nearest
	testBytes = 8 << 20   // of all of them
	oneTest   = 512 << 10 // of one
)

// What speaks for a test file as the place of a function's tests.
const (
	callPoints   = 2 // for each test that calls it
	callsMost    = 4 // tests that count
	importPoints = 5 // it imports the function's file
	indexPoints  = 1 // it imports what leads to that file, as an index does
	namePoints   = 4 // it is named after the file
	partPoints   = 1 // it is named after a part of the file's name
	ownPoints    = 9 // and calls the function: what others call may be another of that name
	editedPoints = 6 // the change touched it, and it calls the function
)

// rated is a test file, with the tests of it that call a function and what speaks for it.
type rated struct {
	path          string
	calls, points int
}

// TestsOf are the test files in which a function is called, the one that has most of
// its tests first: files that import its file, or what imports it, are named after it, or
// belong to its package. Of one that no test calls they are those of what calls it in its
// file, and of one that no test can call those of what calls it from elsewhere.
func (c *Code) TestsOf(file, symbol string, tests []string) []string {
	calls := func(r rated) bool { return r.calls > 0 }
	own := []string{spoken(symbol)}
	if class := holder(symbol); class != "" && strings.HasPrefix(own[0], "_") { // few tests call it by its own name
		own = append(own, class[strings.LastIndexByte(class, '.')+1:])
	}
	out := ratedBy(c, file, own, tests)
	for _, elsewhere := range []bool{false, true} { // what calls it in its own file comes first
		if slices.ContainsFunc(out, calls) || elsewhere && !private(c, Site{file, symbol}) {
			break
		}
		names := map[string]bool{}
		for at := range above(c, Site{file, symbol}) {
			if name := spoken(at.Symbol); (elsewhere || at.Path == file) && len(name) >= shortestName {
				names[name] = true
			}
		}
		if len(names) > 0 {
			if through := each.Where(ratedBy(c, file, slices.Sorted(maps.Keys(names)), tests), calls); len(through) > 0 {
				out = through
			}
		}
	}
	slices.SortStableFunc(out, func(a, b rated) int { return cmp.Or(cmp.Compare(b.points, a.points), cmp.Compare(a.path, b.path)) })
	return each.Of(out, func(r rated) string { return r.path })
}

// private reports whether a function can be tested through others alone.
func private(c *Code, at Site) bool {
	return slices.ContainsFunc(c.graph().View(at.Path).Functions(), func(f qa.Function) bool { return f.Name == at.Symbol && !f.Exported })
}

// ratedBy are the test files that call one of some functions of a file, or are named after it.
func ratedBy(c *Code, file string, names, tests []string) (out []rated) {
	call, called := word(names...), plain(stem(file))
	applied := regexp.MustCompile(`(?:^|[^\w$])` + anyOf(names) + `\s*\(`)
	read, importers, dependents := 0, c.graph().Importers(file), c.graph().Dependents(file)
	if len(tests) > testFiles {
		tests = nearestTests(file, tests, importers)[:testFiles]
	}
	for _, test := range tests {
		if read > testBytes {
			break
		}
		src := c.o.Text(test)
		if read += len(src); len(src) > oneTest {
			continue
		}
		points := 0
		switch {
		case slices.Contains(importers, test), leadsTo(file, string(src)):
			points += importPoints
		case slices.Contains(dependents, test) && applied.Match(src): // a word alone may be anybody's
			points += indexPoints
		}
		own := plain(testStem(test))
		named := called != "" && own == called
		switch {
		case named:
			points += namePoints
		case points > 0 && len(own) >= shortestName && strings.Contains(called, own):
			points += partPoints
		}
		beside := language.Of(file).Project.FolderIsPackage && path.Dir(test) == path.Dir(file)
		if points == 0 && !beside {
			continue
		}
		calls := tested(call, test, src)
		if calls == 0 && points > 0 && usedIn(call, test, src) {
			calls = 1
		}
		if named && calls > 0 {
			points += ownPoints
		}
		if _, edited := c.o.Change.File(test); edited && calls > 0 {
			points += editedPoints
		}
		if points += callPoints * min(calls, callsMost); calls > 0 || named {
			out = append(out, rated{test, calls, points})
		}
	}
	return out
}

// nearestTests are test files in the order in which they are looked at where there are too many:
// those that import a file, then those that share most folders with it or its name.
func nearestTests(file string, tests, importers []string) []string {
	imports, name, above := each.Set(importers), plain(stem(file)), folders{}
	above.add(file)
	depth, points := strings.Count(file, "/")+1, map[string]int{}
	for _, test := range tests {
		points[test] = above.shared(test)
		if plain(testStem(test)) == name {
			points[test] += depth
		}
		if imports[test] {
			points[test] += 2*depth + 1
		}
	}
	out := slices.Clone(tests)
	slices.SortStableFunc(out, func(a, b string) int { return cmp.Compare(points[b], points[a]) })
	return out
}

// CallingTests are tests of one file that call a function, with the file's name, as far as
// so many bytes hold them.
func CallingTests(c *Code, file, symbol string, most int) string {
	tests := each.Where(c.graph().Files(), func(name string) bool {
		kind, _, _ := change.Classify(name, nil)
		return kind == qa.KindTest
	})
	for _, test := range c.TestsOf(file, symbol, tests) {
		src := c.o.Text(test)
		all, err := edit.Tests(test, src)
		if err != nil {
			continue
		}
		text := test + ":"
		for _, t := range all {
			if own := whole(src, t); calling(symbol).MatchString(own) && len(text)+len(own) < most {
				text += "\n" + own
			}
		}
		if text != test+":" {
			return text
		}
	}
	return ""
}

// tested counts the tests of a file in which something is called.
func tested(call *regexp.Regexp, file string, src []byte) (n int) {
	all, err := edit.Tests(file, src)
	if err != nil {
		return 0
	}
	for _, t := range all {
		if call.Match(src[t.Start:t.End]) {
			n++
		}
	}
	return n
}

// usedIn reports whether the code of a test file has something outside of its tests, as in
// a fixture, a helper or the attribute of a class, beside where it is imported.
func usedIn(call *regexp.Regexp, file string, src []byte) bool {
	if !call.Match(src) {
		return false
	}
	for line := range bytes.Lines(Proseless(file, src)) {
		if call.Match(line) && !importing.Match(line) {
			return true
		}
	}
	return false
}

var importing = pattern.New(`^\s*(?:from|import)\b|\brequire\s*\(`)

// leadsTo reports whether a text names a file as an import does: by the end of its
// path without extension, in quotes, or by its name alone where that is imported.
func leadsTo(file, text string) bool {
	name := stem(file)
	if name == "" {
		return false
	}
	quoted := regexp.QuoteMeta(name)
	found := regexp.MustCompile(`[/.]` + quoted + `(\.\w+)?["']|(from|import|(require|import|mock)\s*\()\s*["']` + quoted + `["']|["'/]` + quoted + `/index(\.\w+)?["']|(?m)^\s*(from|import)\s[\w.]*\b` + quoted + `\b`).FindString(text)
	return found != ""
}

// stem is what a file is called without folders and extension; one that stands for
// its folder is called as that.
func stem(file string) string {
	name := strings.TrimSuffix(path.Base(file), path.Ext(file))
	if slices.Contains([]string{"index", "__init__", "mod", "lib", "main"}, name) {
		if dir := path.Base(path.Dir(file)); dir != "." && dir != "src" && dir != "/" {
			return dir
		}
	}
	return name
}

// testStem is what a test file is a test of, by its name.
func testStem(file string) string {
	name := stem(file)
	for _, end := range []string{".test", ".spec", "-test", "-spec", "_test", "_spec", "Test", "Tests"} {
		name = strings.TrimSuffix(name, end)
	}
	return strings.TrimPrefix(name, "test_")
}

// plain takes away in what names of one thing differ.
func plain(name string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "", ".", "").Replace(name))
}

// calling finds calls of a function by its last name, and decorations and references
// that hand it on.
func calling(symbol string) *regexp.Regexp { return word(spoken(symbol)) }

// spoken is the name by which tests call a function. A constructor, an operator and what
// is private to a class is called by no name of its own, but by that of the class.
func spoken(symbol string) string {
	parts := strings.Split(symbol, ".")
	last := parts[len(parts)-1]
	if len(parts) > 1 && (last == "constructor" || strings.HasPrefix(last, "__") || strings.HasPrefix(last, "#")) {
		return parts[len(parts)-2]
	}
	return last
}
