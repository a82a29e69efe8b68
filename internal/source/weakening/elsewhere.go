package weakening

import (
	"maps"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
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

// said reports that the very claim stands in a test where it did not before.
func (c *comparison) said(r claim) bool {
	count := func(s side) (n int) {
		for _, t := range s.tests {
			n += each.Count(t.claims, func(k claim) bool { return k.key == r.key })
		}
		return n
	}
	was, is := 0, 0
	for _, f := range c.files {
		was, is = was+count(f.old), is+count(f.now)
	}
	return is >= was
}

// elsewhere reports that what a claim looks at is looked at by a test that is new, or
// was made by a function of the tests that is gone: then it was about that.
func (c *comparison) elsewhere(o, t *test, r claim) bool {
	about, made := wordsOf(r.text), sources(o, r)
	for i := range c.files {
		f := &c.files[i]
		if f.now.Tree != nil && f.now.Language != o.in.Language {
			continue
		}
		for _, other := range f.now.tests {
			if other == t || other.partner != nil && other.partner.shape == other.shape {
				continue
			}
			fresh := maps.Clone(other.words)
			if other.partner != nil {
				maps.DeleteFunc(fresh, func(w string, _ bool) bool { return other.partner.words[w] })
			}
			if covers(fresh, about) || slices.ContainsFunc(made, func(name string) bool { return fresh[name] }) {
				return true
			}
		}
		fresh, was := outside(&f.now), outside(&f.old)
		if slices.ContainsFunc(made, func(name string) bool { return was[name] && !fresh[name] }) {
			return true
		}
		maps.DeleteFunc(fresh, func(w string, _ bool) bool { return was[w] })
		if len(fresh) > 0 && covers(fresh, about) {
			return true
		}
	}
	return false
}

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
		}
		if left != nil && right != nil && left.Find(func(k *syntax.Node) bool { return syntax.IsIdentifier(k) && names[o.in.Text(k)] }) != nil {
			out = append(out, callsIn(o.in.Tree, right)...)
		}
		return true
	})
	return out
}

// covers reports that at least half of some names are among others.
func covers(all, some map[string]bool) bool {
	n, of := 0, 0
	for w := range some {
		if w[0] >= '0' && w[0] <= '9' {
			continue
		}
		if of++; all[w] {
			n++
		}
	}
	return n > 0 && 2*n >= of
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
		callee := calleeOf(n)
		if callee == nil || n.Is("new_expression") {
			return true
		}
		name := t.in.text(callee)
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
	"super open next iter id cap copy delete append panic recover skip Skip Skipf SkipNow skipTest")

// looped reports that a version has a table, a loop or parameters that the other has
// not, or more of them.
func looped(o, t *test) bool { return rounds(t) > rounds(o) || longest(t) > longest(o) }

func rounds(t *test) int {
	n := 0
	t.Node.Walk(func(k *syntax.Node) bool {
		switch {
		case k.Is("for_statement", "for_in_statement", "RangeStmt", "ForStmt", "while_statement"),
			k.Is("decorator") && strings.Contains(t.in.Text(k), "parametrize"),
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
		case k.Is("list", "tuple", "array", "set", "dictionary", "object"):
			most = max(most, len(k.Parts()))
		}
		return true
	})
	return most
}

var eachCall = pattern.New(`\.(each|forEach|map|every)\b`)
