package weakening

import (
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/source/syntax"
)

// This file looks for what a claim may have become that is not the same text.

// implied reports that a claim which still stands says more of the same thing: of a part
// of it, the value.
func implied(t *test, r claim) bool {
	return r.level <= partial && slices.ContainsFunc(t.claims, func(a claim) bool {
		return a.level > r.level && slices.ContainsFunc(a.operands, func(s string) bool {
			return slices.ContainsFunc(r.operands, func(x string) bool { return strings.HasPrefix(s, x) })
		})
	})
}

// guarded reports an assertion in a block that is expected to fail: it may never run.
func guarded(o *test, r claim) bool {
	n := r.check.Node.Within("with_statement")
	return n != nil && n.Start >= o.Node.Start && n.Find(func(k *syntax.Node) bool { return k.Is("with_item") && raisesIn.MatchString(o.in.Text(k)) }) != nil
}

var raisesIn = pattern.New(`\b(raises|warns|assertRaises\w*|assertWarns\w*)\(`)

// sources are the functions whose results a claim looks at, as far as the test shows.
func sources(o *test, r claim) []string {
	names := syntax.Identifiers(o.in.Tree, r.check.Node)
	out := callsIn(o.in.Tree, r.check.Node)
	o.Body.Walk(func(n *syntax.Node) bool {
		var left, right *syntax.Node
		switch n.Kind {
		case "assignment":
			left, right = n.At("left"), n.At("right")
		case "variable_declarator":
			left, right = n.At("name"), n.At("value")
		case "AssignStmt":
			left, right = n.At("lhs"), n.At("rhs")
		case "let_declaration":
			left, right = n.At("pattern"), n.At("value")
		}
		if left != nil && right != nil && left.Find(func(k *syntax.Node) bool { return syntax.IsIdentifier(k) && names[o.in.Text(k)] }) != nil {
			out = append(out, callsIn(o.in.Tree, right)...)
		}
		return true
	})
	return out
}

// helped reports that the test calls a function by its bare name, or one of its own
// object, that it did not call before: it may assert for the test.
func helped(o, t *test) bool {
	before := bare(o)
	for name := range bare(t) {
		if !before[name] {
			return true
		}
	}
	return false
}

var ownObject = pattern.New(`^(self|this|s|suite|ts|h|helper|\w*[Tt]est\w*|\w*[Hh]elpers?)$`)

// bare are the functions that a test calls by a bare name, or of its own object.
func bare(t *test) map[string]bool {
	out := map[string]bool{}
	t.Body.Walk(func(n *syntax.Node) bool {
		callee := Callee(n)
		if callee == nil || n.Is("new_expression", "object_creation_expression") {
			return true
		}
		name := t.in.text(callee)
		if object := n.At("object"); object != nil { // of Java, whose calls have both
			name = t.in.text(object) + "." + name
		}
		if object, method, ok := strings.Cut(name, "."); ok && !strings.Contains(method, ".") && ownObject.MatchString(object) {
			name = method
		}
		if own := name[strings.LastIndexByte(name, '.')+1:]; helping.MatchString(own) {
			name = own
		}
		if plain.MatchString(name) && !framework.MatchString(name) && !common[name] && !builtin[name] {
			out[name] = true
		}
		return true
	})
	return out
}

// helping are names of methods that assert, whosever they are.
var helping = pattern.New(`(?i)^(check|verify|ensure|expect|should|must|test|validate)\w+`)

var builtin = wordSet("Boolean Number String Array Object Promise Symbol Date Error RegExp parseInt parseFloat sorted bool float bytes type getattr setattr hasattr callable any all sum min max abs round zip map filter enumerate " +
	"super open next iter id cap copy delete append panic recover vec format println eprintln dbg Some Ok Err Box drop skip Skip Skipf SkipNow skipTest")

// looped reports that a version has a table, a loop or parameters that the other has
// not, or more of them.
func looped(o, t *test) bool { return rounds(t) > rounds(o) || longest(t) > longest(o) }

func rounds(t *test) int {
	n := 0
	t.Node.Walk(func(k *syntax.Node) bool {
		switch {
		case k.Is("for_statement", "for_in_statement", "RangeStmt", "ForStmt", "while_statement", "for_expression", "while_expression", "enhanced_for_statement"),
			k.Is("decorator") && strings.Contains(t.in.Text(k), "parametrize"),
			k.Is("marker_annotation") && strings.HasSuffix(t.in.Text(k), "ParameterizedTest"),
			k.Is("call_expression") && eachCall.MatchString(t.in.text(k.At("function"))),
			k.Is("CallExpr") && strings.HasSuffix(t.in.text(k.At("fun")), ".Run"):
			n++
		}
		return true
	})
	return n
}

// longest is the length of the longest list that is written out.
func longest(t *test) int {
	most := 0
	t.Node.Walk(func(k *syntax.Node) bool {
		switch {
		case k.Is("CompositeLit"):
			most = max(most, len(k.All("elts")))
		case k.Is("list", "tuple", "array", "set", "dictionary", "object", "array_expression", "array_initializer"):
			most = max(most, len(k.Parts()))
		}
		return true
	})
	return most
}

var eachCall = pattern.New(`\.(each|forEach|map|every)\b`)
