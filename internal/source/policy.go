package source

import (
	"fmt"
	"slices"
	"strings"
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

// Policy says what is wrong with turning the test file before into after. A
// nil before is a file that did not exist. Only what is new in after counts: a
// project may keep the habits it has. known are the import paths that the
// project's own tests use already.
//
// It judges text only; whether the path may be written at all is not its
// business. Text that does not parse is an error.
func Policy(path string, before, after []byte, known []string) ([]Violation, error) {
	now, err := parseWhole(path, after)
	if err != nil {
		return nil, fmt.Errorf("policy: %w", err)
	}
	old := &tree{root: &node{named: true}, lines: []int{0}}
	var oldTests []testNode
	var oldReader testReader
	if before != nil {
		// A file that was broken before has nothing to compare with.
		if t, err := parse(path, before); err == nil {
			old, oldReader = t, newTestReader(t)
			oldTests = oldReader.tests()
		}
	}
	reader := newTestReader(now)
	tests := reader.tests()
	out := fresh(smells(old, known), smells(now, known))
	origin := newProvenance(now)

	for _, t := range tests {
		if i := slices.IndexFunc(oldTests, func(o testNode) bool { return o.name == t.name }); i >= 0 {
			if sameText(old, oldTests[i].node, now, t.node) {
				continue
			}
			out = append(out, weakened(old, oldReader, oldTests[i], now, reader, t)...)
		}
		out = append(out, judge(origin, reader, t)...)
	}
	for _, o := range oldTests {
		if !slices.ContainsFunc(tests, func(t testNode) bool { return t.name == o.name }) {
			out = append(out, Violation{gateRepair, "test-removed", old.line(o.node.start), fmt.Sprintf("test %q is gone", o.name)})
		}
	}
	slices.SortStableFunc(out, func(a, b Violation) int { return a.Line - b.Line })
	return slices.Compact(out), nil
}

func sameText(a *tree, x *node, b *tree, y *node) bool { return a.text(x) == b.text(y) }

// weakened compares the assertions of a test before and after.
func weakened(old *tree, oldReader testReader, o testNode, now *tree, reader testReader, t testNode) []Violation {
	have := map[string]int{}
	current := checks(reader, t.body)
	for _, c := range current {
		have[oneLine(now.src[c.node.start:c.node.end])]++
	}
	previous := checks(oldReader, o.body)
	var out []Violation
	for _, c := range previous {
		text := oneLine(old.src[c.node.start:c.node.end])
		if have[text] > 0 {
			have[text]--
			continue
		}
		v := Violation{GateOracle, "expectation-changed", now.line(t.node.start), fmt.Sprintf("%q no longer asserts %q", t.name, cut(text, 120))}
		if len(current) < len(previous) {
			v = Violation{gateRepair, "assertion-removed", old.line(c.node.start), fmt.Sprintf("%q lost the assertion %q", t.name, cut(text, 120))}
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
func judge(origin provenance, reader testReader, tn testNode) []Violation {
	t := origin.tree
	line := t.line(tn.node.start)
	if tn.body == nil {
		return nil // announced only: the rule "skipped" has it
	}
	all := checks(reader, tn.body)
	if len(all) == 0 {
		return []Violation{{gatePolicy, "no-assertion", line, fmt.Sprintf("test %q asserts nothing", tn.name)}}
	}
	var out []Violation
	snapshots, mocked, idle := 0, 0, 0
	replaced := origin.flow.replaced(tn.node)
	derived := origin.in(tn)
	for _, c := range all {
		if c.custom { // a matcher of the project: what it looks at is its own business
			if !mentions(t, tn.node, derived) {
				idle++
			}
			continue
		}
		if tautological(t, c) {
			out = append(out, Violation{gatePolicy, "tautology", t.line(c.node.start),
				fmt.Sprintf("%q is true whatever the code does", cut(oneLine(t.src[c.node.start:c.node.end]), 120))})
		}
		if c.snapshot {
			snapshots++
		}
		if callee := origin.flow.called(unwrapped(c.subject)); callee != "" && replaced[callee[strings.LastIndex(callee, ".")+1:]] {
			mocked++
		} else if !mentions(t, scopeOf(c, tn), derived) {
			idle++
		}
	}
	switch {
	case snapshots == len(all):
		out = append(out, Violation{gatePolicy, "snapshot-only", line, fmt.Sprintf("test %q asserts snapshots only", tn.name)})
	case mocked > 0 && mocked+idle == len(all):
		out = append(out, Violation{gatePolicy, "mock-only", line, fmt.Sprintf("test %q asserts what it told a mock to return", tn.name)})
	case mocked+idle == len(all):
		out = append(out, Violation{gatePolicy, "unit-not-asserted", line, fmt.Sprintf("no assertion of test %q looks at anything that the code under test made", tn.name)})
	}
	return out
}

// unwrapped takes await and parentheses off.
func unwrapped(n *node) *node {
	for n.is("await_expression", "await", "parenthesized_expression", "ParenExpr") && len(n.parts()) == 1 {
		n = n.parts()[0]
	}
	return n
}

// scopeOf is the statement whose outcome an assertion judges: the block under
// pytest.raises, or all that leads to an unconditional failure.
func scopeOf(c check, tn testNode) *node {
	if c.subject != nil {
		return c.node
	}
	n := c.node
	for n.parent != nil && n.parent != tn.body && !n.parent.is("block", "statement_block") {
		if n.is("with_statement") {
			return n
		}
		n = n.parent
	}
	return n
}

// tautological: a constant, two constants, or one thing compared with itself.
func tautological(t *tree, c check) bool {
	switch {
	case c.subject == nil:
		return false
	case c.expected == nil:
		return constant(t, c.subject) && !c.snapshot && !failing[t.text(c.subject)]
	case constant(t, c.subject) && constant(t, c.expected):
		return true
	}
	return c.equal && oneLine([]byte(t.text(c.subject))) == oneLine([]byte(t.text(c.expected)))
}

// constant is true for text without names, calls and code.
func constant(t *tree, n *node) bool {
	return n.find(func(c *node) bool {
		if isIdentifier(c) {
			return !universe[t.text(c)]
		}
		return c.is("call_expression", "call", "CallExpr", "new_expression", "this", "lambda", "arrow_function", "function_expression", "FuncLit")
	}) == nil
}

// failing constants mark what must not be reached.
var failing = set("0 false False null None")

// universe are names that mean the same everywhere.
var universe = set("true false nil iota undefined NaN Infinity int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 " +
	"float32 float64 complex64 complex128 string bool byte rune error any uintptr")

func set(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}
