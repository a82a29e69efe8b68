package source

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
)

// Test is one test function of a test file.
type Test struct {
	// Name is as in outlines: "outer > inner", "TestX", "Class.test_x".
	Name  string   `json:"name"`
	Lines qa.Range `json:"lines"` // with decorators
	// Start and End are the bytes of the whole statement, end exclusive.
	Start      int         `json:"-"`
	End        int         `json:"-"`
	Assertions []Assertion `json:"assertions"`
	// Imports are the paths of the file's imports that the test uses, sorted.
	Imports []string `json:"imports,omitempty"`
}

// Assertion is one check of a test.
type Assertion struct {
	Line int `json:"line"`
	// Text is the assertion in one line.
	Text string `json:"text"`
	// Negatable says that [NegateAssertion] knows its opposite.
	Negatable bool `json:"negatable"`
	Start     int  `json:"-"`
	End       int  `json:"-"`
}

// maxText bounds the text of an assertion, in bytes.
const maxText = 300

// testNode is a test in its tree.
type testNode struct {
	name string
	node *node   // the whole statement
	body *node   // what runs, nil for a test that is only announced
	head []*node // the test's own name or title and decorators: no part of what it does
}

// check is an assertion in its tree.
type check struct {
	node     *node
	subject  *node // what is looked at, nil when it cannot be told
	expected *node // what it is compared with, nil when with nothing
	equal    bool  // compares for equality by value
	snapshot bool
	custom   bool // a matcher or helper of the project's own
	// negate turns it into its opposite; empty when that is not known.
	negate []edit
}

// edit replaces a range of bytes.
type edit struct {
	start, end int
	text       string
}

// applyEdits makes edits that do not overlap.
func applyEdits(src []byte, edits []edit) []byte {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b edit) int { return a.start - b.start })
	var out []byte
	at := 0
	for _, e := range sorted {
		out = append(out, src[at:e.start]...)
		out = append(out, e.text...)
		at = e.end
	}
	return append(out, src[at:]...)
}

// testReader finds tests and what they assert in the tree of one language.
type testReader interface {
	tests() []testNode
	// check gives the assertion that n is, nil when it is none.
	check(n *node) *check
	// helper is the function that n declares, or the one that it calls, for
	// assertions that the file keeps in functions of its own.
	helper(n *node) (declares string, body *node, calls string)
}

// asserting wraps a reader so that calls of functions that assert count too.
type asserting struct {
	testReader
	helpers map[string]bool
}

// helperName is what functions that assert are called, wherever they live.
var helperName = regexp.MustCompile(`^(assert|expect|verify|check|must|should|ensure)([A-Z_]\w*)$`)

// testReaders are the ones of the grammars.
var testReaders = map[string]func(*tree) testReader{
	"go": newGoTests, "python": newPythonTests,
	"javascript": newScriptTests, "typescript": newScriptTests, "tsx": newScriptTests,
}

// newTestReader reads the tests of a tree; calls of functions that assert count
// as assertions.
func newTestReader(t *tree) testReader {
	r := testReaders[t.grammar](t)
	a := asserting{r, map[string]bool{}}
	inTest := map[*node]bool{}
	for _, tn := range r.tests() {
		inTest[tn.node] = true
	}
	t.root.walk(func(n *node) bool {
		if inTest[n] {
			return false
		}
		if name, body, _ := r.helper(n); name != "" && len(checks(r, body)) > 0 {
			a.helpers[name] = true
		}
		return true
	})
	return a
}

func (a asserting) check(n *node) *check {
	if c := a.testReader.check(n); c != nil {
		return c
	}
	_, _, name := a.helper(n)
	if name != "" && (a.helpers[name] || helperName.MatchString(name)) {
		return &check{node: n, custom: true}
	}
	return nil
}

// checks lists the assertions below n, outer ones only.
func checks(r testReader, n *node) []check {
	var out []check
	n.walk(func(c *node) bool {
		found := r.check(c)
		if found != nil {
			out = append(out, *found)
		}
		return found == nil
	})
	return out
}

// Tests lists the tests of a file in source order.
func Tests(path string, src []byte) ([]Test, error) {
	t, err := parse(path, src)
	if err != nil {
		return nil, err
	}
	r := newTestReader(t)
	outline, err := Parse(path, src)
	if err != nil {
		return nil, err
	}
	out := []Test{}
	for _, tn := range r.tests() {
		test := Test{
			Name: tn.name, Lines: t.span(tn.node.start, tn.node.end),
			Start: tn.node.start, End: tn.node.end, Assertions: []Assertion{},
		}
		for _, c := range checks(r, tn.body) {
			test.Assertions = append(test.Assertions, Assertion{
				Line: t.line(c.node.start), Text: cut(oneLine(t.src[c.node.start:c.node.end]), maxText),
				Negatable: len(c.negate) > 0, Start: c.node.start, End: c.node.end,
			})
		}
		names := identifiers(t, tn.node)
		for _, im := range outline.Imports {
			if slices.ContainsFunc(im.Names, func(name string) bool { return names[name] }) {
				test.Imports = append(test.Imports, im.Path)
			}
		}
		slices.Sort(test.Imports)
		test.Imports = slices.Compact(test.Imports)
		out = append(out, test)
	}
	return out, nil
}

func findTest(path string, src []byte, name string) (*tree, testReader, *testNode, error) {
	t, err := parseWhole(path, src)
	if err != nil {
		return nil, nil, nil, err
	}
	r := newTestReader(t)
	all := r.tests()
	for i := range all {
		if all[i].name == name {
			return t, r, &all[i], nil
		}
	}
	names := make([]string, len(all))
	for i := range all {
		names[i] = all[i].name
	}
	return nil, nil, nil, fmt.Errorf("no test %q in %s, it has: %s", name, path, strings.Join(names, ", "))
}

// Assertions lists the assertions of one test of a file.
func Assertions(path string, src []byte, test string) ([]Assertion, error) {
	tests, err := Tests(path, src)
	if err != nil {
		return nil, err
	}
	for _, t := range tests {
		if t.Name == test {
			return t.Assertions, nil
		}
	}
	_, _, _, err = findTest(path, src, test)
	return nil, err
}

// NegateAssertion gives the file with assertion i (0-based, in the order of
// [Assertions]) of a test turned into its opposite: a test that still passes
// then asserts nothing. An assertion without a known opposite is an error.
func NegateAssertion(path string, src []byte, test string, i int) ([]byte, error) {
	t, r, tn, err := findTest(path, src, test)
	if err != nil {
		return nil, fmt.Errorf("negate assertion: %w", err)
	}
	all := checks(r, tn.body)
	if i < 0 || i >= len(all) {
		return nil, fmt.Errorf("negate assertion: test %q of %s has %d assertions, there is no number %d", test, path, len(all), i)
	}
	if len(all[i].negate) == 0 {
		return nil, fmt.Errorf("negate assertion: %s:%d: no opposite of %q is known", path, t.line(all[i].node.start),
			cut(oneLine(src[all[i].node.start:all[i].node.end]), 100))
	}
	return applyEdits(src, all[i].negate), nil
}
