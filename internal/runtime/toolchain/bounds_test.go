package toolchain

import (
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// counted counts what is opened of the files below it.
type counted struct {
	fs.FS
	opened map[string]int
}

func (c counted) Open(name string) (fs.File, error) {
	c.opened[name]++
	return c.FS.Open(name)
}

// Files of requirements that name each other many times are read once each, however
// they are reached: nine levels of twenty names would be more than a day.
func TestRequirementFilesThatNameEachOther(t *testing.T) {
	all := map[string]string{"requirements.txt": strings.Repeat("-r a.txt\n-r b.txt\n", 3) + "pytest\n"}
	for _, name := range []string{"a.txt", "b.txt"} {
		all[name] = strings.Repeat("-r a.txt\n-r b.txt\n-r requirements.txt\n", 1) + "six\n"
	}
	all["tox.ini"] = "[testenv]\ndeps =\n" + strings.Repeat("  -r a.txt\n  -r requirements.txt\n", 3)
	c := counted{files(all), map[string]int{}}
	got := testsOf(c, ".")
	if !slices.Equal(got.Names, []string{"pytest", "six"}) {
		t.Errorf("names = %q", got.Names)
	}
	for name, n := range c.opened {
		if n > 20 {
			t.Errorf("%s was opened %d times", name, n)
		}
	}
}

// Groups that include each other many times are followed once each.
func TestGroupsThatIncludeEachOther(t *testing.T) {
	groups := map[string][]any{}
	for _, name := range []string{"a", "b"} {
		for range 2 {
			groups[name] = append(groups[name], map[string]any{"include-group": "a"}, map[string]any{"include-group": "b"})
		}
		groups[name] = append(groups[name], "pytest-"+name)
	}
	g := groupReader{of: groups, left: maxGroupLines}
	if got := g.lines("a", map[string]bool{}); len(got) != 2 {
		t.Errorf("%d lines, want 2", len(got))
	}
}

// What a file of the change costs grows with its size, not with its square: files
// may have 4 MiB.
func TestLargeFilesOfTests(t *testing.T) {
	long := func(n int, line string) string {
		var b strings.Builder
		for i := range n {
			_, _ = fmt.Fprintf(&b, line, i)
		}
		return b.String()
	}
	for name, file := range map[string]func(n int) map[string]string{
		"lines of a value": func(n int) map[string]string {
			return map[string]string{"tox.ini": "[testenv]\ndeps =\n" + long(n, "  # %d\n")}
		},
		"requirements": func(n int) map[string]string {
			return map[string]string{"tox.ini": "[testenv]\ndeps =\n" + long(n, "  a%d\n")}
		},
		"sections": func(n int) map[string]string { return map[string]string{"setup.cfg": long(n, "[s%d]\na=b\n")} },
		"sessions": func(n int) map[string]string {
			return map[string]string{"noxfile.py": long(n, "def test%d(s):\n    s.install('x')\n")}
		},
		"patterns of files": func(n int) map[string]string { return map[string]string{"requirements.txt": long(n, "-r x%d.txt\n")} },
	} {
		t.Run(name, func(t *testing.T) {
			cost := func(n int) uint64 {
				tree := files(file(n))
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				testsOf(tree, ".")
				runtime.ReadMemStats(&after)
				return after.TotalAlloc - before.TotalAlloc
			}
			few, many := cost(1000), cost(16000)
			if many > 64*few {
				t.Errorf("%d bytes for 1000 lines, %d for 16000", few, many)
			}
		})
	}
}

// A pattern of a workspace is matched in steps that its length and the path's bound,
// and more patterns than a workspace has stand for every package.
func TestPatternsOfAWorkspace(t *testing.T) {
	deep := strings.Split(strings.Repeat("a/", 60)+"b", "/")
	if matchParts(strings.Split(strings.Repeat("**/", 30)+"c", "/"), deep) {
		t.Error("c is not at the end")
	}
	if !matchParts(strings.Split(strings.Repeat("**/", 30)+"b", "/"), deep) {
		t.Error("b is at the end")
	}
}
