package impact

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

const product = `import functools

LIMIT = 3


def plain(a):
    """What it says."""
    return a + 1


@functools.cache
def early(a):
    return a * 2


def joined(a):
    ("What " "joined says.")
    return a * 3


def spaced(
        a="x  y"):
    return a * 4


class Box:
    size = 1

    def twice(self):
        return self.a * 5


def short(a): return a * 6


later = lambda a: a * 7


def undone(a):
    return a * 8


def stream(a):
    while a:
        yield 7


def maker(a):
    def inner(b=LIMIT):
        return a * 9
    return inner
`

// TestBodies: of a file in which only bodies of functions changed, the test files run that
// entered one of those, with those of which not all is known; whatever else changed is not
// told by what was executed.
func TestBodies(t *testing.T) {
	t.Parallel()
	line := func(text string) int { return 1 + strings.Count(product[:strings.Index(product, text)], "\n") }
	e := &qa.Execution{Units: []string{"test_a.py", "test_b.py", "test_c.py", "test_d.py"}, Always: []string{"test_d.py"}, Files: map[string]map[string][]int{"p.py": {
		"":          {0, line("@functools"), line("class Box")},
		"test_a.py": {line("def plain"), line("    def inner"), line("def short")},
		"test_b.py": {line("    def twice"), line("def joined"), line("def spaced"), line("def stream"), line("def maker")},
		"test_c.py": {line("def maker")},
	}}}
	files := map[string]string{"test_a.py": "", "test_b.py": "", "test_c.py": "assert e.lineno == 12", "test_d.py": "", "test_new.py": ""}
	units := e.Units
	selected := func(e *qa.Execution, now string) string {
		c := changed(qa.Modified, "p.py")
		c.Bodies = &Bodies{Executed: e, Text: func(name string) []byte {
			if text, ok := files[name]; ok {
				return []byte(text)
			}
			return nil
		}, Before: func(qa.FileChange) []byte { return []byte(product) }, Now: func(qa.FileChange) []byte { return []byte(now) }}
		if s, ok := c.Executed(units); ok {
			return said(s)
		}
		return "-"
	}
	for name, c := range map[string]struct{ old, now, want string }{
		"one unit":               {"a + 1", "a + 2", "test_a.py test_d.py"},
		"more lines":             {"return a + 1", "a = a\n    return a + 1", "test_a.py test_c.py test_d.py"},
		"a method":               {"a * 5", "a * 0", "test_b.py test_d.py"},
		"what is beside it":      {"a * 6", "a * 0", "test_a.py test_d.py"},
		"what is within it":      {"a * 9", "a * 0", "test_a.py test_b.py test_c.py test_d.py"},
		"a default within it":    {"b=LIMIT", "b=4", "test_a.py test_b.py test_c.py test_d.py"},
		"still yields":           {"yield 7", "yield 8", "test_b.py test_d.py"},
		"executed before":        {"a * 2", "a * 0", "-"},
		"executed by nobody":     {"a * 8", "a * 0", "-"},
		"a text":                 {"What it says.", "What it said.", "-"},
		"the end of a text":      {"What it says.", "What it says. ", "-"},
		"a text in pieces":       {"joined says.", "joined said.", "-"},
		"no text any more":       {"    \"\"\"What it says.\"\"\"\n", "", "-"},
		"a default":              {"def plain(a)", "def plain(a=1)", "-"},
		"spaces of a default":    {"x  y", "x y", "-"},
		"a constant":             {"LIMIT = 3", "LIMIT = 4", "-"},
		"an attribute":           {"size = 1", "size = 2", "-"},
		"a new function":         {"def joined", "def fresh(a):\n    return a\n\n\ndef joined", "-"},
		"a function less":        {"def short(a): return a * 6\n", "", "-"},
		"a decorator":            {"def joined", "@functools.cache\ndef joined", "-"},
		"no decorator":           {"@functools.cache\n", "", "-"},
		"another name":           {"def undone", "def done", "-"},
		"no wait":                {"def plain", "async def plain", "-"},
		"a lambda":               {"a * 7", "a * 0", "-"},
		"no Python":              {"return a + 1", "return a +", "-"},
		"no longer yields":       {"        yield 7", "        return 7", "-"},
		"another one yields":     {"    while a:\n        yield 7", "    def b():\n        yield 7", "-"},
		"what comes after moved": {"\n\nlater", "\nlater", "-"},
		"nothing":                {"", "", "-"},
	} {
		now := strings.Replace(product, c.old, c.now, 1)
		assert.Assert(t, now != product || c.old == "", name)
		assert.Equal(t, selected(e, now), c.want, name)
	}

	now := strings.Replace(product, "a + 1", "a + 2", 1)
	with := func(change func(e *qa.Execution)) *qa.Execution {
		more := *e
		change(&more)
		return &more
	}
	assert.Equal(t, selected(with(func(e *qa.Execution) { e.Read = map[string][]string{"p.py": {"test_b.py"}} }), now), "test_a.py test_b.py test_d.py", "one that reads it as a text")
	assert.Equal(t, selected(with(func(e *qa.Execution) { e.Read = map[string][]string{"p.py": {"", "test_b.py"}} }), now), "-", "what comes before all reads it")
	assert.Equal(t, selected(with(func(e *qa.Execution) { e.Before = []string{"p.py"} }), now), "-", "it was loaded before anybody looked")
	files["test_b.py"] = "plain.__code__.co_consts"
	assert.Equal(t, selected(e, now), "test_a.py test_b.py test_d.py", "one that looks at what is compiled")
	files["test_b.py"] = ""
	units = []string{"test_a.py", "test_b.py", "test_c.py", "test_d.py", "test_new.py"}
	assert.Equal(t, selected(e, now), "test_a.py test_d.py test_new.py", "what did not run on base runs")
	units = []string{"test_b.py"}
	assert.Equal(t, selected(e, now), "-", "a unit that ran is not among those of the suite")
}

// TestSingleTests: of units whose tests are known one by one those run that entered what
// changed, with those of which not all is known; all of them where anything else speaks for
// the unit.
func TestSingleTests(t *testing.T) {
	t.Parallel()
	files := map[string]string{"p.py": product, "q.py": "LIMIT = 1\n", "test_a.py": "import p", "test_b.py": "import p, q", "test_c.py": "import p"}
	fresh := func() *qa.Execution {
		return &qa.Execution{Units: []string{"test_a.py", "test_b.py", "test_c.py"}, Always: []string{"test_c.py"},
			Files: map[string]map[string][]int{"p.py": {"test_a.py": {6}, "test_b.py": {6}}},
			Tests: map[string]qa.UnitTests{
				"test_a.py": {Names: []string{"one", "two", "three"}, Entered: map[string][][]int{"p.py": {{6, 1, 2}}}},
				"test_c.py": {Names: []string{"four", "five"}, Always: []int{1}},
			}}
	}
	failed := ""
	selected := func(e *qa.Execution, changes ...string) string {
		c := changed(qa.Modified, changes...)
		c.Bodies = &Bodies{Executed: e, Text: func(name string) []byte { return []byte(files[name]) }, Ran: func(id string) bool { return id != failed },
			Before: func(f qa.FileChange) []byte { return []byte(files[f.Path]) },
			Now:    func(f qa.FileChange) []byte { return []byte(strings.Replace(files[f.Path], "1\n", "2\n", 1)) }}
		s, ok := c.Executed(e.Units)
		if !ok {
			s = Imports(fixture.Files(t, files), keys(files), forTests).Select(c, e.Units)
		}
		out := said(s)
		for _, u := range s.Units {
			if len(s.Without[u]) > 0 {
				out += " -" + strings.Join(s.Without[u], " -")
			}
		}
		return out
	}
	const both = "test_a.py test_b.py test_c.py -one -three -four"
	assert.Equal(t, selected(fresh(), "p.py"), both)
	assert.Equal(t, selected(fresh(), "p.py", "q.py"), both, "and a file that texts speak of, which load none of these")
	assert.Equal(t, selected(fresh(), "p.py", "test_a.py"), "test_a.py test_b.py test_c.py -four", "a test file that changed runs whole")
	failed = "test_a.py > three"
	assert.Equal(t, selected(fresh(), "p.py"), "test_a.py test_b.py test_c.py -four", "one that failed, or had another name")
	failed = ""
	for name, change := range map[string]func(e *qa.Execution){
		"a function of which single tests say nothing": func(e *qa.Execution) { delete(e.Tests["test_a.py"].Entered, "p.py") },
		"what cannot be":    func(e *qa.Execution) { e.Tests["test_a.py"].Entered["p.py"][0] = []int{6, 1, 7} },
		"one that reads it": func(e *qa.Execution) { e.Read = map[string][]string{"p.py": {"test_a.py"}} },
		"not kept":          func(e *qa.Execution) { delete(e.Tests, "test_a.py") },
	} {
		e := fresh()
		change(e)
		assert.Equal(t, selected(e, "p.py"), "test_a.py test_b.py test_c.py -four", name)
	}
	assert.Equal(t, selected(fresh().Undetailed(), "p.py"), "test_a.py test_b.py test_c.py", "whole files where there was no room for more")
	files["test_a.py"] = "import p; p.__code__"
	assert.Equal(t, selected(fresh(), "p.py"), "test_a.py test_b.py test_c.py -four", "one that looks at what is compiled")
}

// TestBodiesAndTexts: files of which it is known what was executed, and others, have those
// of both run.
func TestBodiesAndTexts(t *testing.T) {
	t.Parallel()
	files := map[string]string{"p.py": product, "q.py": "LIMIT = 1\n", "test_a.py": "import p", "test_b.py": "import p, q", "test_c.py": "import p"}
	e := &qa.Execution{Units: []string{"test_a.py", "test_b.py", "test_c.py"}, Files: map[string]map[string][]int{"p.py": {"test_a.py": {6}}}}
	c := changed(qa.Modified, "p.py", "q.py")
	c.Bodies = &Bodies{Executed: e, Text: func(name string) []byte { return []byte(files[name]) },
		Before: func(f qa.FileChange) []byte { return []byte(files[f.Path]) },
		Now:    func(f qa.FileChange) []byte { return []byte(strings.Replace(files[f.Path], "1\n", "2\n", 1)) }}
	_, ok := c.Executed(e.Units)
	assert.Assert(t, !ok, "of one of them it is not known")
	root := fixture.Files(t, files)
	assert.Equal(t, said(Imports(root, keys(files), forTests).Select(c, e.Units)), "test_a.py test_b.py")
	c.Bodies = nil
	assert.Equal(t, said(Imports(root, keys(files), forTests).Select(c, e.Units)), "test_a.py test_b.py test_c.py")
}
