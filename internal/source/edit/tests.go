package edit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
	"github.com/org/qa-action/internal/wording"
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
	// Negatable says that [Negate] knows its opposite.
	Negatable bool `json:"negatable"`
	Start     int  `json:"-"`
	End       int  `json:"-"`
}

// maxText bounds the text of an assertion, in bytes.
const maxText = 300

// Case is a test in its tree.
type Case struct {
	Name string
	Node *syntax.Node   // the whole statement
	Body *syntax.Node   // what runs, nil for a test that is only announced
	Head []*syntax.Node // the test's own name or title and decorators: no part of what it does
}

// Check is an assertion in its tree.
type Check struct {
	Node     *syntax.Node
	Subject  *syntax.Node // what is looked at, nil when it cannot be told
	Expected *syntax.Node // what it is compared with, nil when with nothing
	Equal    bool         // compares for equality by value
	Snapshot bool
	Custom   bool // a matcher or helper of the project's own
	// negate turns it into its opposite; empty when that is not known.
	negate []edit
}

// edit replaces a range of bytes.
type edit struct {
	start, end int
	text       string
}

// applyEdits makes edits. Two that take the same text out, as cuts of neighbours do with
// the empty lines between them, take it out once.
func applyEdits(src []byte, edits []edit) []byte {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b edit) int { return a.start - b.start })
	var out []byte
	at := 0
	for _, e := range sorted {
		out = append(out, src[at:max(at, e.start)]...)
		out = append(out, e.text...)
		at = max(at, e.end)
	}
	return append(out, src[at:]...)
}

// Reader finds tests and what they assert in the tree of one language.
type Reader interface {
	Tests() []Case
	// Check gives the assertion that n is, nil when it is none.
	Check(n *syntax.Node) *Check
	// helper is the function that n declares, or the one that it calls, for
	// assertions that the file keeps in functions of its own.
	helper(n *syntax.Node) (declares string, body *syntax.Node, calls string)
}

// asserting wraps a reader so that calls of functions that assert count too.
type asserting struct {
	Reader
	helpers map[string]bool
}

// helperName is what functions that assert are called, wherever they live and however they
// fail, also by a panic.
var helperName = pattern.New(`^assert$|^(assert|expect|verify|check|must|should|ensure)([A-Z_]\w*)$`)

// testReaders are the ones of the grammars.
var testReaders = map[string]func(*syntax.Tree) Reader{
	"go": newGoTests, "python": newPythonTests, "rust": newRustTests, "java": newJavaTests,
	"javascript": newScriptTests, "typescript": newScriptTests, "tsx": newScriptTests,
}

// NewReader reads the tests of a tree; calls of functions that assert count
// as assertions.
func NewReader(t *syntax.Tree) Reader {
	r := testReaders[t.Grammar](t)
	a := asserting{r, map[string]bool{}}
	inTest := map[*syntax.Node]bool{}
	for _, tn := range r.Tests() {
		inTest[tn.Node] = true
	}
	t.Root.Walk(func(n *syntax.Node) bool {
		if inTest[n] {
			return false
		}
		if name, body, _ := r.helper(n); name != "" && len(Checks(r, body)) > 0 {
			a.helpers[name] = true
		}
		return true
	})
	return a
}

func (a asserting) Check(n *syntax.Node) *Check {
	if c := a.Reader.Check(n); c != nil {
		return c
	}
	_, _, name := a.helper(n)
	if name != "" && (a.helpers[name] || helperName.MatchString(name)) {
		return &Check{Node: n, Custom: true}
	}
	return nil
}

// Checks lists the assertions below n, outer ones only.
func Checks(r Reader, n *syntax.Node) []Check {
	var out []Check
	n.Walk(func(c *syntax.Node) bool {
		found := r.Check(c)
		if found != nil {
			out = append(out, *found)
		}
		return found == nil
	})
	return out
}

// Tests lists the tests of a file in source order.
func Tests(path string, src []byte) ([]Test, error) {
	t, err := syntax.Parse(path, src)
	if err != nil {
		return nil, err
	}
	r := NewReader(t)
	parsed, err := outline.Parse(path, src)
	if err != nil {
		return nil, err
	}
	out := []Test{}
	for _, tn := range r.Tests() {
		test := Test{
			Name: tn.Name, Lines: t.Span(tn.Node.Start, tn.Node.End),
			Start: tn.Node.Start, End: tn.Node.End, Assertions: []Assertion{},
		}
		for _, c := range Checks(r, tn.Body) {
			test.Assertions = append(test.Assertions, Assertion{
				Line: t.Line(c.Node.Start), Text: wording.Bytes(wording.Fold(string(t.Src[c.Node.Start:c.Node.End])), maxText),
				Negatable: len(c.negate) > 0, Start: c.Node.Start, End: c.Node.End,
			})
		}
		names := syntax.Identifiers(t, tn.Node)
		for _, im := range parsed.Imports {
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

func findTest(path string, src []byte, name string) (*syntax.Tree, Reader, *Case, error) {
	t, err := syntax.ParseWhole(path, src)
	if err != nil {
		return nil, nil, nil, err
	}
	r := NewReader(t)
	all := r.Tests()
	for i := range all {
		if all[i].Name == name {
			return t, r, &all[i], nil
		}
	}
	names := make([]string, len(all))
	for i := range all {
		names[i] = all[i].Name
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

// Negate gives the file with assertion i (0-based, in the order of
// [Assertions]) of a test turned into its opposite: a test that still passes
// then asserts nothing. An assertion without a known opposite is an error.
func Negate(path string, src []byte, test string, i int) ([]byte, error) {
	t, r, tn, err := findTest(path, src, test)
	if err != nil {
		return nil, fmt.Errorf("negate assertion: %w", err)
	}
	all := Checks(r, tn.Body)
	if i < 0 || i >= len(all) {
		return nil, fmt.Errorf("negate assertion: test %q of %s has %d assertions, there is no number %d", test, path, len(all), i)
	}
	if len(all[i].negate) == 0 {
		return nil, fmt.Errorf("negate assertion: %s:%d: no opposite of %q is known", path, t.Line(all[i].Node.Start),
			wording.Bytes(wording.Fold(string(src[all[i].Node.Start:all[i].Node.End])), 100))
	}
	return applyEdits(src, all[i].negate), nil
}
