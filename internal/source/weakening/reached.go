package weakening

import (
	"cmp"
	"maps"
	"slices"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/syntax"
)

// This file finds what stands between a test and an assertion that is still there, word
// by word: a condition, an exit before it, a function nobody calls, or whatever swallows
// its failure.

// fetter is one such construct.
type fetter struct {
	rule string
	node *syntax.Node
	text string
	// names are what a condition is about.
	names map[string]bool
	name  string // of a stand-in
	// patched tells that a library put it there.
	patched bool
}

// like reports a construct of base that is as good as another: the same text, or a
// condition about nothing else.
func (x fetter) like(was fetter) bool {
	if x.text == was.text {
		return true
	}
	return x.rule == unreached && was.rule == unreached && len(was.names) > 0 &&
		!slices.ContainsFunc(slices.Collect(maps.Keys(was.names)), func(name string) bool { return !x.names[name] })
}

// fettered says which assertions of a test stand where they stood and may not run, or
// not fail, any more.
func (c *comparison) fettered(f *file, o, t *test) {
	waited := awaited(o)
	was, is := fettering{test: o, waited: waited}, fettering{test: t, waited: waited}
	var had []fetter
	free := map[string]int{}
	for _, k := range o.claims {
		free[k.key]++
		had = append(had, was.of(k)...)
	}
	var bound []claim
	by := map[string]fetter{}
	for _, k := range t.claims {
		found := is.of(k)
		i := slices.IndexFunc(found, func(x fetter) bool { return !slices.ContainsFunc(had, x.like) && !c.stood(o, x) })
		if i < 0 {
			free[k.key]--
			continue
		}
		if _, more := by[k.key]; !more && free[k.key] > 0 {
			bound, by[k.key] = append(bound, k), found[i]
		}
	}
	said := map[*syntax.Node]bool{}
	for _, k := range bound {
		x := by[k.key]
		if free[k.key] <= 0 || said[x.node] {
			continue
		}
		said[x.node] = true // the first assertion stands for all
		line := t.in.Line(x.node.Start)
		c.out = append(c.out, qa.Weakening{
			Rule: x.rule, Path: f.Path, Test: t.Name, Was: o.Name, Lines: qa.Range{Start: line, End: line},
			Before: shown(k.text), After: shown(x.text), Calls: o.calls,
		})
	}
}

// fettering reads one version of a test.
type fettering struct {
	*test
	waited map[string]bool                 // what the test on base waited for
	named  map[string]int                  // how often the test says each name
	exits  map[*syntax.Node][]*syntax.Node // in a block, what leaves leads to
	made   *[]stand
}

// of lists what stands between the test and a claim, from the inside out.
func (s *fettering) of(k claim) []fetter {
	if s.Body == nil {
		return nil
	}
	var out []fetter
	add := func(rule string, n *syntax.Node) {
		if n != nil {
			x := fetter{rule: rule, node: n, text: s.in.text(n)}
			if rule == unreached {
				x.names = syntax.Identifiers(s.in.Tree, cmp.Or(Condition(n), n))
			}
			out = append(out, x)
		}
	}
	if text := s.in.text(k.check.Node); promised.MatchString(text) || s.waits(k.check.Node) {
		add(swallowed, s.floating(k.check.Node))
	}
	for n := k.check.Node; n != s.Body && n.Parent != nil; n = n.Parent {
		p := n.Parent
		if n.Field != "alternative" && n.Field != "else" {
			for _, before := range s.exitsIn(p) {
				if before.End <= n.Start {
					add(unreached, before)
				}
			}
		}
		switch at := Condition(p); {
		case at == n:
		case p.Is("for_statement", "for_in_statement", "while_statement", "RangeStmt", "ForStmt", "while_expression", "for_expression", "enhanced_for_statement"):
			if text := s.in.text(at); never.MatchString(text) || narrowed.MatchString(text) {
				add(unreached, at)
			}
		case p.Is("binary_expression", "boolean_operator") && n.Field == "right": // which the other side decides
			add(unreached, p.At("left"))
		case n.Is(Functions...) && p.Is("arguments") && narrowed.MatchString(s.in.text(p.Parent.At("function").At("object"))):
			add(unreached, p.Parent.At("function").At("object"))
		case at != nil && !failing.MatchString(s.in.text(k.check.Node)) && !s.chosen(at, p) && !s.either(p, n):
			add(unreached, at)
		case p.Is("with_statement"):
			add(swallowed, p.First("with_clause").Find(func(w *syntax.Node) bool { return w.Is("with_item") && suppressing.MatchString(s.in.text(w)) }))
		case p.Is("member_expression") && n.Field == "object" && s.in.Text(p.At("property")) == "catch":
			for _, h := range p.Parent.Arguments() {
				if h.At("body").Is("statement_block") && len(h.At("body").Parts()) == 0 {
					add(swallowed, h)
				}
			}
		case s.uncalled(p):
			add(unreached, p)
		case n.Is(Functions...) && p.Is("arguments") && s.waits(p.Parent):
			add(swallowed, s.floating(p.Parent))
		}
	}
	return append(out, s.standIns(k)...)
}

// either reports that another branch of a condition asserts something as well.
func (s *fettering) either(cond, branch *syntax.Node) bool {
	for cond.Is("elif_clause") {
		cond = cond.Parent
	}
	return slices.ContainsFunc(s.claims, func(k claim) bool {
		at := k.check.Node
		return cond.Start <= at.Start && at.End <= cond.End && (at.End <= branch.Start || branch.End <= at.Start)
	})
}

// Condition is what decides whether a statement's body runs, or how often.
func Condition(n *syntax.Node) *syntax.Node {
	if !n.Is("if_statement", "elif_clause", "IfStmt", "if_expression", "conditional_expression", "ternary_expression", "RangeStmt", "ForStmt",
		"for_statement", "for_in_statement", "while_statement", "while_expression", "for_expression", "enhanced_for_statement") {
		return nil
	}
	for _, field := range []string{"condition", "cond", "right", "x", "value"} {
		if at := n.At(field); at != nil {
			return at
		}
	}
	return nil
}

var (
	// Functions are the kinds of nodes that are functions.
	Functions = []string{"function_definition", "lambda", "arrow_function", "function_expression", "function_declaration", "FuncLit", "closure_expression", "lambda_expression"}
	// failing are assertions that the condition around them makes.
	failing = pattern.New(`(?i)^(\w+\.)?(fail|unreachable)\w*!?\(|\.(unreachable|fail)\(`)
	// never are loops that turn no round.
	never = pattern.New(`^\(?(\[\s*\]|\(\s*\)|\{\s*\}|range\(\s*0\s*\)|False|false|0|new (Set|Map|Array)\(\)|\[\]\w+\{\}|\w+\[:0\]|0\.\.0|List\.of\(\))\)?$`)
	// narrowed are lists of which a part is left out.
	narrowed    = pattern.New(`[\w)\]]\[[^\[\]{}]*:[^\[\]{}]*\]|\.(filter|slice|splice)\(|\b(filter|islice|takewhile|dropwhile)\(|\bfor\b.*\bif\b`)
	suppressing = pattern.New(`\bsuppress\(|\b(raises|assertRaises)\(\s*\(?\s*(AssertionError|Exception|BaseException)\b`)
	// machine are conditions about where a test runs, which a run elsewhere can tell.
	machine = pattern.New(`(?i)skip|compiler|major|platform|version|\bos\.name\b|GOOS|GOARCH|windows|win32|linux|darwin|macos|pypy|cpython|\bPY\d|hasattr|cfg!|getProperty|is_available|supports?|\bHAS_`)
)

// chosen reports a condition that says for which case, or on which machine, an assertion
// is made: of a row of a table, a parameter, or a platform. One about what the test
// asserted before decides nothing either.
func (s *fettering) chosen(cond, at *syntax.Node) bool {
	if cond == nil || machine.MatchString(s.in.text(cond)) {
		return cond != nil
	}
	names := syntax.Identifiers(s.in.Tree, cond)
	for _, k := range s.claims {
		if k.check.Node.End <= at.Start && len(names) > 0 {
			asserted := syntax.Identifiers(s.in.Tree, k.check.Node)
			if !slices.ContainsFunc(slices.Collect(maps.Keys(names)), func(name string) bool { return !asserted[name] }) {
				return true
			}
		}
	}
	for n := at; n != nil; n = n.Parent {
		var given []*syntax.Node
		switch {
		case n.Is("for_statement", "for_in_statement", "for_expression", "RangeStmt", "enhanced_for_statement"):
			given = append(given, n.At("left"), n.At("key"), n.At("value"), n.At("pattern"), n.At("name"))
		case n.Is(Functions...) && !n.Is("FuncLit"):
			given = append(given, n.At("parameters"), n.At("parameter"))
		}
		for _, g := range given {
			if g.Find(func(k *syntax.Node) bool {
				return syntax.IsIdentifier(k) && names[s.in.Text(k)] && s.in.Text(k) != "self"
			}) != nil {
				return true
			}
		}
		if n == s.Node {
			break
		}
	}
	return false
}

// exitsIn lists the statements of a block that leave the test.
func (s *fettering) exitsIn(block *syntax.Node) []*syntax.Node {
	out, known := s.exits[block]
	if !known {
		if s.exits == nil {
			s.exits = map[*syntax.Node][]*syntax.Node{}
		}
		out = each.Where(block.Parts(), func(n *syntax.Node) bool { return s.leaves(n) && !s.chosen(Condition(n), n) })
		s.exits[block] = out
	}
	return out
}

// leaves reports a statement that may end the test before what follows, without failing.
// One that may skip it is told by the run in which it does.
func (s *fettering) leaves(n *syntax.Node) bool {
	if inner := n.First("if_expression"); n.Is("expression_statement") && inner != nil {
		n = inner
	}
	if !n.Is("if_statement", "IfStmt", "if_expression") ||
		slices.ContainsFunc(s.claims, func(k claim) bool { return n.Start <= k.check.Node.Start && k.check.Node.End <= n.End }) {
		return false
	}
	last := cmp.Or(n.At("consequence"), n.At("body"))
	for last.Is("block", "statement_block", "BlockStmt") {
		parts := last.Parts()
		if len(parts) == 0 {
			return false
		}
		last = parts[len(parts)-1]
	}
	return last != nil && exit.MatchString(s.in.text(last))
}

var exit = pattern.New(`^(return|continue|break)\b`)

// uncalled reports a function within the test that nothing else in it names, or that has no
// name and that nobody is given.
func (s *fettering) uncalled(n *syntax.Node) bool {
	name := n.At("name")
	switch {
	case n.Is(Functions...) && name == nil && dropped(n):
		return true
	case n.Is("lambda") && n.Parent.Is("assignment"):
		name = n.Parent.At("left")
	case n.Is("function_definition") && (n.Parent.Is("decorated_definition") || n.Parent.Parent.Is("class_definition")):
		return false
	case n.Is("function_definition", "function_declaration"):
	case n.Is("arrow_function", "function_expression") && n.Parent.Is("variable_declarator"):
		name = n.Parent.At("name")
	case n.Is("FuncLit") && n.Parent.Is("AssignStmt"):
		name = n.Parent.At("lhs")
	default:
		return false
	}
	if s.named == nil {
		s.named = map[string]int{}
		s.Node.Walk(func(k *syntax.Node) bool {
			if syntax.IsIdentifier(k) {
				s.named[s.in.Text(k)]++
			}
			return true
		})
	}
	return name != nil && (s.in.Text(name) == "_" || s.named[s.in.Text(name)] == 1)
}

// dropped reports a value that stands alone, or is what a function gives that goes through a
// list.
func dropped(n *syntax.Node) bool {
	for n.Parent.Is("parenthesized_expression", "unary_expression", "ParenExpr", "assert_statement") {
		n = n.Parent
	}
	return n.Parent.Is("expression_statement", "block", "ExprStmt") || n.Parent.Is("arrow_function") && n.Field == "body" && n.Parent.Parent.Is("arguments")
}

// awaited are the functions whose result a test waits for or hands to its runner.
func awaited(t *test) map[string]bool {
	out := map[string]bool{}
	t.Node.Walk(func(n *syntax.Node) bool {
		if n.Is("await_expression", "return_statement", "await") && len(n.Parts()) == 1 {
			if callee := Callee(n.Parts()[0]); callee != nil {
				out[t.in.text(callee)] = true
			}
		}
		return true
	})
	return out
}

// waits reports a call whose assertions come later: of a function that the test waited
// for on base, or of a promise's own.
func (s *fettering) waits(call *syntax.Node) bool {
	callee := Callee(call)
	return callee != nil && (s.waited[s.in.text(callee)] || later.MatchString(s.in.Text(callee.At("property"))))
}

// floating is a call that stands alone: nobody waits for its result.
func (s *fettering) floating(n *syntax.Node) *syntax.Node {
	for n.Parent.Is("member_expression") || n.Parent.Is("call_expression") && n.Field == "function" {
		n = n.Parent
	}
	if n.Is("call_expression", "member_expression", "call") && n.Parent.Is("expression_statement") && s.in.Grammar != "java" {
		return n
	}
	return nil
}

var (
	promised = pattern.New(`\.(resolves|rejects|eventually)\b|^(t\.)?assert\.(rejects|doesNotReject)\(`)
	later    = pattern.New(`^(then|finally)$`)
)
