// Package policy says what is wrong with a generated or repaired test file, by
// its text alone: see [Check].
package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/source/edit"
	"github.com/org/qa-action/internal/source/syntax"
	"github.com/org/qa-action/internal/wording"
)

// Violation is a reason to refuse a generated or repaired test file.
type Violation struct {
	// Gate is G0 for what no generated test may do, repair for what no repair
	// may undo, oracle for an expectation that was changed, which needs
	// evidence from the base commit or a specification.
	Gate    string `json:"gate"`
	Rule    string `json:"rule"`
	Line    int    `json:"line"` // in the new text; in the old one for what was removed
	Message string `json:"message"`
}

// The gates of violations.
const (
	gatePolicy = "G0"
	gateRepair = "repair"
	GateOracle = "oracle"
)

// Check says what is wrong with turning the test file before into after. A
// nil before is a file that did not exist. Only what is new in after counts: a
// project may keep the habits it has. known are the import paths that the
// project's own tests use already.
//
// It judges text only; whether the path may be written at all is not its
// business. Text that does not parse is an error.
func Check(path string, before, after []byte, known []string) ([]Violation, error) {
	now, err := syntax.ParseWhole(path, after)
	if err != nil {
		return nil, fmt.Errorf("policy: %w", err)
	}
	old := &syntax.Tree{Root: &syntax.Node{Named: true}, Lines: []int{0}}
	var oldTests []edit.Case
	var oldReader edit.Reader
	if before != nil {
		// A file that was broken before has nothing to compare with.
		if t, err := syntax.Parse(path, before); err == nil {
			old, oldReader = t, edit.NewReader(t)
			oldTests = oldReader.Tests()
		}
	}
	reader := edit.NewReader(now)
	tests := reader.Tests()
	out := fresh(smells(old, known), smells(now, known))
	origin := newProvenance(now)

	for _, t := range tests {
		if i := slices.IndexFunc(oldTests, func(o edit.Case) bool { return o.Name == t.Name }); i >= 0 {
			if sameText(old, oldTests[i].Node, now, t.Node) {
				continue
			}
			out = append(out, weakened(side{old, oldReader}, oldTests[i], side{now, reader}, t)...)
		}
		out = append(out, judge(origin, reader, t)...)
	}
	for _, o := range oldTests {
		if !slices.ContainsFunc(tests, func(t edit.Case) bool { return t.Name == o.Name }) {
			out = append(out, Violation{gateRepair, "test-removed", old.Line(o.Node.Start), fmt.Sprintf("test %q is gone", o.Name)})
		}
	}
	slices.SortStableFunc(out, func(a, b Violation) int { return a.Line - b.Line })
	return slices.Compact(out), nil
}

func sameText(a *syntax.Tree, x *syntax.Node, b *syntax.Tree, y *syntax.Node) bool {
	return a.Text(x) == b.Text(y)
}

// side is a file before or after.
type side struct {
	*syntax.Tree
	reader edit.Reader
}

// weakened compares the assertions of a test before and after.
func weakened(old side, o edit.Case, now side, t edit.Case) []Violation {
	have := map[string]int{}
	current := edit.Checks(now.reader, t.Body)
	for _, c := range current {
		have[wording.Fold(string(now.Src[c.Node.Start:c.Node.End]))]++
	}
	previous := edit.Checks(old.reader, o.Body)
	var out []Violation
	for _, c := range previous {
		text := wording.Fold(string(old.Src[c.Node.Start:c.Node.End]))
		if have[text] > 0 {
			have[text]--
			continue
		}
		v := Violation{GateOracle, "expectation-changed", now.Line(t.Node.Start), fmt.Sprintf("%q no longer asserts %q", t.Name, wording.Bytes(text, 120))}
		if len(current) < len(previous) {
			v = Violation{gateRepair, "assertion-removed", old.Line(c.Node.Start), fmt.Sprintf("%q lost the assertion %q", t.Name, wording.Bytes(text, 120))}
		}
		out = append(out, v)
	}
	return out
}

// smell is a forbidden construct in a file.
type smell struct {
	rule, message string
	line          int
	key           string // what it is, wherever it stands
}

// fresh lists the smells that are not in the old file too.
func fresh(old, now []smell) []Violation {
	had := map[string]int{}
	for _, s := range old {
		had[s.rule+"\x00"+s.key]++
	}
	var out []Violation
	for _, s := range now {
		if key := s.rule + "\x00" + s.key; had[key] > 0 {
			had[key]--
			continue
		}
		out = append(out, Violation{gatePolicy, s.rule, s.line, s.message})
	}
	return out
}

// judge looks at what a new or changed test asserts.
func judge(origin provenance, reader edit.Reader, tn edit.Case) []Violation {
	t := origin.Tree
	line := t.Line(tn.Node.Start)
	if tn.Body == nil {
		return nil // announced only: the rule "skipped" has it
	}
	all := edit.Checks(reader, tn.Body)
	if len(all) == 0 {
		return []Violation{{gatePolicy, "no-assertion", line, fmt.Sprintf("test %q asserts nothing", tn.Name)}}
	}
	var out []Violation
	snapshots, mocked, idle := 0, 0, 0
	replaced := origin.flow.replaced(tn.Node)
	derived := origin.in(tn)
	for _, c := range all {
		if c.Custom { // a matcher of the project: what it looks at is its own business
			if !mentions(t, tn.Node, derived) {
				idle++
			}
			continue
		}
		if Tautological(t, c) && !origin.afresh(c, derived) {
			out = append(out, Violation{gatePolicy, "tautology", t.Line(c.Node.Start),
				fmt.Sprintf("%q is true whatever the code does", wording.Bytes(wording.Fold(string(t.Src[c.Node.Start:c.Node.End])), 120))})
		}
		if c.Snapshot {
			snapshots++
		}
		if callee := origin.flow.called(c.Subject.Unwrapped()); callee != "" && replaced[callee[strings.LastIndex(callee, ".")+1:]] {
			mocked++
		} else if !mentions(t, scopeOf(c, tn), derived) {
			idle++
		}
	}
	switch {
	case snapshots == len(all):
		out = append(out, Violation{gatePolicy, "snapshot-only", line, fmt.Sprintf("test %q asserts snapshots only", tn.Name)})
	case mocked > 0 && mocked+idle == len(all):
		out = append(out, Violation{gatePolicy, "mock-only", line, fmt.Sprintf("test %q asserts what it told a mock to return", tn.Name)})
	case mocked+idle == len(all):
		out = append(out, Violation{gatePolicy, "unit-not-asserted", line, fmt.Sprintf("no assertion of test %q looks at anything that the code under test made", tn.Name)})
	}
	return out
}

// scopeOf is the statement whose outcome an assertion judges: the block under
// pytest.raises, or all that leads to an unconditional failure.
func scopeOf(c edit.Check, tn edit.Case) *syntax.Node {
	if c.Subject != nil {
		return c.Node
	}
	n := c.Node
	if n.Is("attribute_item", "annotation") { // it is about the whole test
		return tn.Node
	}
	for n.Parent != nil && n.Parent != tn.Body && !n.Parent.Is("block", "statement_block") {
		if n.Is("with_statement") {
			return n
		}
		n = n.Parent
	}
	return n
}

// Tautological reports an assertion that is true whatever the code does: a constant, two
// constants, or one thing compared with itself.
func Tautological(t *syntax.Tree, c edit.Check) bool {
	switch {
	case c.Subject == nil:
		return false
	case c.Expected == nil:
		return constant(t, c.Subject) && !c.Snapshot && !failing[t.Text(c.Subject)]
	case constant(t, c.Subject) && constant(t, c.Expected):
		return true
	}
	return c.Equal && wording.Fold(t.Text(c.Subject)) == wording.Fold(t.Text(c.Expected)) && !sameObject(t, c)
}

// sameObject reports whether a test asks for one and the same object from two calls: a
// cache that forgets gives another one.
func sameObject(t *syntax.Tree, c edit.Check) bool {
	calls := c.Subject.Find(func(n *syntax.Node) bool { return n.Is("call_expression", "call", "CallExpr", "method_invocation") }) != nil
	return calls && identity.MatchString(t.Text(c.Node))
}

// identity are the ways to compare objects by what they are and not by what they hold.
var identity = pattern.New(`\.(toBe|strictEqual|assertIs|Same)\(|\bassertSame\(|\sis\s|===`)

// constant is true for text without names, calls and code.
func constant(t *syntax.Tree, n *syntax.Node) bool {
	return n.Find(func(c *syntax.Node) bool {
		if syntax.IsIdentifier(c) {
			return !universal(t, t.Text(c))
		}
		return c.Is("call_expression", "call", "CallExpr", "method_invocation", "object_creation_expression", "lambda_expression", "method_reference", "new_expression", "this", "lambda", "arrow_function", "function_expression", "FuncLit")
	}) == nil
}

// failing constants mark what must not be reached.
var failing = set("0 false False null None")

// universe are names that mean the same everywhere, types those of Go among them: in
// other languages they are names like any other, and error is a common one.
var (
	universe = set("true false undefined NaN Infinity int int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 bool")
	types    = set("nil iota uint complex64 complex128 string byte rune error any uintptr")
)

func universal(t *syntax.Tree, name string) bool {
	return universe[name] || types[name] && t.Grammar == "go"
}

func set(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}
