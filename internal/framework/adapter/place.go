package adapter

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/pattern"
)

// Where a project keeps its tests, judged by those it has.

// TestFolders are names of folders that hold tests only.
var TestFolders = []string{"__tests__", "tests", "test", "spec", "specs", "__test__"}

// FirstTest is the first file of a test's name and text, in a project's folder or those
// below where tests usually stand.
func FirstTest(p *project.Project, named func(file string) bool, text *pattern.Pattern) string {
	for _, dir := range append([]string{"."}, TestFolders...) {
		at := path.Join(p.Dir, dir)
		for _, e := range p.List(at) {
			name := path.Join(at, e.Name())
			if e.IsDir() || !named(name) {
				continue
			}
			if data, ok := p.Read(name); ok && text.Match(data) {
				return name
			}
		}
	}
	return ""
}

// sourceFolders are leading folders that a mirror of the sources leaves out.
var sourceFolders = []string{"src", "lib", "app", "source"}

// shared is the number of leading folders that two files have in common.
func shared(a, b string) int {
	x, y := strings.Split(path.Dir(a), "/"), strings.Split(path.Dir(b), "/")
	n := 0
	for n < min(len(x), len(y)) && x[n] == y[n] {
		n++
	}
	if path.Dir(a) == "." || path.Dir(b) == "." {
		return 0
	}
	return n
}

// Neighbours are the existing tests of the source's own surroundings: those
// that share most of its path, so that packages of a monorepo keep their habits.
func Neighbours(source string, existing []string) []string {
	best := -1
	var out []string
	for _, test := range existing {
		n := min(shared(source, test), PackageDepth(source))
		if n > best {
			best, out = n, nil
		}
		if n == best {
			out = append(out, test)
		}
	}
	slices.Sort(out)
	return out
}

// PackageDepth is the number of folders above the first source folder: the
// package a file belongs to.
func PackageDepth(source string) int {
	parts := strings.Split(path.Dir(source), "/")
	for i, p := range parts {
		if slices.Contains(sourceFolders, p) {
			return i
		}
	}
	return min(2, len(parts)-1)
}

// Nearest is the existing test that named accepts and that shares most of the
// source's path, or "". Of several that share the least, none is certain.
func Nearest(source string, existing []string, named func(string) bool) string {
	var fit []string
	for _, test := range existing {
		if named(test) {
			fit = append(fit, test)
		}
	}
	slices.SortFunc(fit, func(a, b string) int {
		return cmp.Or(-cmp.Compare(likeness(source, a), likeness(source, b)), cmp.Compare(a, b))
	})
	switch {
	case len(fit) == 0:
		return ""
	case len(fit) > 1 && likeness(source, fit[0]) == likeness(source, fit[1]):
		return ""
	case len(fit) == 1 && likeness(source, fit[0]) == 0 && len(essence(source)) > 0:
		return ""
	}
	return fit[0]
}

// likeness counts the folders that a source and a test share when test and
// source folders are left out of both, from the end.
func likeness(source, test string) int {
	a, b := essence(source), essence(test)
	n := 0
	for n < min(len(a), len(b)) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	if len(a) == len(b) && n == len(a) {
		n += 100
	}
	return n
}

// essence is a file's folders without those that only say source or test.
func essence(file string) []string {
	var out []string
	for _, p := range strings.Split(path.Dir(file), "/") {
		if p != "." && !slices.Contains(TestFolders, p) && !slices.Contains(sourceFolders, p) && p != "unit" {
			out = append(out, p)
		}
	}
	return out
}

// Place is the folder for a new test of source, after the habits of tests.
func Place(source string, tests []string) string {
	// The habit of most tests: beside the source, in a __tests__ folder
	// beside it, or below one folder of tests.
	switch habit := Majority(tests, habitOf); habit {
	case "beside":
		return path.Dir(source)
	case "__tests__", "__test__":
		if flatRoot := rootOf(tests, habit); path.Dir(flatRoot) == "." && !strings.Contains(path.Dir(source), "/") {
			return flatRoot
		}
		return path.Join(path.Dir(source), habit)
	default:
		root := rootOf(tests, habit)
		unit := path.Join(root, "unit")
		if Majority(tests, func(t string) string { return strconv.FormatBool(strings.HasPrefix(t, unit+"/")) }) == "true" {
			root = unit
		}
		if !slices.ContainsFunc(tests, func(t string) bool {
			return strings.HasPrefix(t, root+"/") && strings.Contains(strings.TrimPrefix(t, root+"/"), "/")
		}) {
			return root // flat
		}
		return existing(root, mirror(source, path.Dir(root)), tests)
	}
}

// existing is the folder of tests for a mirrored one, by the names that its parts have
// there: tests of pkg may lie in test_pkg.
func existing(root, mirrored string, tests []string) string {
	at := root
	for _, part := range strings.Split(mirrored, "/") {
		next := path.Join(at, part)
		for _, name := range []string{part, "test_" + part, "tests_" + part, part + "_test", part + "_tests"} {
			if slices.ContainsFunc(tests, func(t string) bool { return strings.HasPrefix(t, path.Join(at, name)+"/") }) {
				next = path.Join(at, name)
				break
			}
		}
		at = next
	}
	return at
}

func habitOf(test string) string {
	parts := strings.Split(path.Dir(test), "/")
	for _, p := range parts {
		if slices.Contains(TestFolders, p) {
			return p
		}
	}
	return "beside"
}

// rootOf is the folder called name that most tests lie in.
func rootOf(tests []string, name string) string {
	var in []string
	for _, t := range tests {
		if habitOf(t) == name {
			in = append(in, t)
		}
	}
	return Majority(in, func(test string) string {
		parts := strings.Split(path.Dir(test), "/")
		i := slices.Index(parts, name)
		return path.Join(parts[:i+1]...)
	})
}

// mirror is the source's folder as it is repeated below a folder of tests that
// stands in base.
func mirror(source, base string) string {
	dir := path.Dir(source)
	if base != "." {
		dir = strings.TrimPrefix(strings.TrimPrefix(dir, base), "/")
	}
	parts := strings.Split(dir, "/")
	if slices.Contains(sourceFolders, parts[0]) {
		parts = parts[1:]
	}
	return path.Join(parts...)
}

// Majority is the most frequent value, the smallest of equals.
func Majority(items []string, of func(string) string) string {
	counts := map[string]int{}
	for _, item := range items {
		counts[of(item)]++
	}
	best, most := "", 0
	for v, n := range counts {
		if n > most || n == most && v < best {
			best, most = v, n
		}
	}
	return best
}
