package policy

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/source/edit"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
	"github.com/org/qa-action/internal/wording"
)

var commentRules = []struct {
	rule string
	text *pattern.Pattern
}{
	{"type-check-off", pattern.New(`@ts-(ignore|nocheck|expect-error)|#\s*type:\s*ignore|#\s*(mypy|pyright):\s*ignore`)},
	{"lint-off", pattern.New(`eslint-disable|biome-ignore|oxlint-disable|//\s*nolint|#\s*noqa|#\s*pylint:\s*disable|lint:(file-)?ignore`)},
	{"coverage-off", pattern.New(`(istanbul|c8|v8)\s+ignore|pragma:\s*no\s*cover`)},
}

// maxSleep is the longest literal pause in milliseconds.
const maxSleep = 100

// smells lists the forbidden constructs of a file, in source order.
func smells(t *syntax.Tree, known []string) []smell {
	if t.Src == nil {
		return nil
	}
	f, l := flows[t.Grammar], t.Language
	s := smeller{Tree: t, flow: f.of(t), names: f.names, reader: edit.NewReader(t)}
	t.Root.Walk(func(n *syntax.Node) bool {
		for _, im := range s.flow.ImportsAt(n) {
			if l.Policy.Imports.MatchString(im.Path) && !harmless(l.Policy, im) && !contains(known, im.Path) {
				s.add(n, "import", fmt.Sprintf("imports %s, which no test of the project does", im.Path))
			}
		}
		s.node(n)
		return true
	})
	return s.out
}

type smeller struct {
	*syntax.Tree
	flow   flow
	names  map[string]bool
	reader edit.Reader
	held   map[*pattern.Pattern]map[string]bool // names by what they hold
	reach  map[string]bool                      // names that imports for the network bind
	out    []smell
}

func (s *smeller) add(n *syntax.Node, rule, message string) {
	s.out = append(s.out, smell{rule, message, s.Line(n.Start), wording.Fold(string(s.Src[n.Start:n.End]))})
}

func (s *smeller) node(n *syntax.Node) {
	switch n.Kind {
	case "comment":
		for _, r := range commentRules {
			if m := r.text.FindString(s.Text(n)); m != "" {
				s.add(n, r.rule, fmt.Sprintf("%q silences a tool", m))
			}
		}
	case "predefined_type":
		if s.Text(n) == "any" {
			s.add(n.Parent, "any-type", "the type any hides mistakes")
		}
	case "member_expression", "attribute", "SelectorExpr", "scoped_identifier":
		if text := s.Text(n); s.Language.Policy.Env.MatchString(text) {
			s.add(n.Parent, "env", fmt.Sprintf("depends on the environment: %s", text))
		} else if s.Language.Policy.Skips != nil && s.Language.Policy.Skips.MatchString(text) {
			s.add(n, "skipped", fmt.Sprintf("%s: does not run, or is expected to fail", text))
		}
	case "try_statement":
		s.swallows(n)
	case "function_item":
		s.panics(n)
	case "method_declaration":
		s.raises(n)
	}
	if callee := s.flow.called(n); callee != "" {
		s.call(n, callee)
	}
}

func (s *smeller) call(n *syntax.Node, callee string) {
	for _, w := range s.Language.Smells {
		if w.Call != nil && w.Call.MatchString(callee) && !s.method(n, callee, w.Rule) && (w.Rule != "network" || !s.atHome(n)) {
			// The key is the call without its body: moving code into a skipped
			// block makes no new smell, another skipped block does.
			s.out = append(s.out, smell{w.Rule, fmt.Sprintf("%s: %s", callee, w.Why), s.Line(n.Start), callee})
		}
	}
	if host := s.abroad(n, callee); host != "" {
		s.add(n, "network", fmt.Sprintf("%s reaches for %s; a test talks to servers of its own only", callee, host))
	}
	if s.Language.Policy.Sleeps.MatchString(callee) {
		if ms := s.pause(n, callee); ms > maxSleep {
			s.add(n, "sleep", fmt.Sprintf("%s waits %d ms, at most %d are allowed", callee, ms, maxSleep))
		}
	}
	switch {
	case s.Language.Policy.Writes.MatchString(callee) && s.changesFiles(n, callee):
		s.add(n, "write", fmt.Sprintf("%s changes files outside of a temporary directory", callee))
	case s.Language.Policy.Reads.MatchString(callee) && s.readsFiles(n, callee):
		s.add(n, "read", fmt.Sprintf("%s reads files that are neither temporary nor test data", callee))
	}
	if callee == "recover" && s.Language.Name == "go" && !s.expected(n) {
		s.add(n, "swallow", "recover hides failures")
	}
	if strings.HasSuffix(callee, ".catch") {
		if args := n.At("arguments").Parts(); len(args) == 1 && outline.ScriptFunction(args[0]) && s.empty(args[0].At("body")) {
			s.add(n, "swallow", "an empty catch hides failures")
		}
	}
}

// expected reports that a test says what is to be recovered: a check in the function that
// recovers, or of the variable that takes what was recovered out of it, looks at it.
func (s *smeller) expected(recovers *syntax.Node) bool {
	within := recovers
	for within != nil && !within.Is("FuncLit", "FuncDecl") {
		within = within.Parent
	}
	if within == nil {
		return false
	}
	names := map[string]bool{}
	within.Walk(func(n *syntax.Node) bool {
		if left, right := s.flow.Assigned(n); right != nil && right.Find(func(c *syntax.Node) bool { return c == recovers }) != nil {
			for _, l := range left {
				names[s.Text(l)] = true
			}
		}
		return true
	})
	looks := func(n *syntax.Node) bool { return n == recovers || syntax.IsIdentifier(n) && names[s.Text(n)] }
	test := within
	for test.Parent != nil && !test.Is("FuncDecl") {
		test = test.Parent
	}
	return slices.ContainsFunc(edit.Checks(s.reader, test), func(c edit.Check) bool {
		for n := c.Node; n != nil && n != test && !n.Is("FuncLit"); n = n.Parent {
			switch {
			case n.Is("IfStmt"):
				if n.At("init").Find(looks) != nil || n.At("cond").Find(looks) != nil {
					return !s.oneOf(n.At("cond"))
				}
			case n.Is("CallExpr") && n.Find(looks) != nil:
				return true
			}
		}
		return false
	})
}

// oneOf reports a condition that fails for one certain panic and lets all others pass.
func (s *smeller) oneOf(cond *syntax.Node) bool {
	return cond.Find(func(n *syntax.Node) bool {
		return n.Is("BinaryExpr") && n.At("op").Is("==") && s.Text(n.At("x")) != "nil" && s.Text(n.At("y")) != "nil"
	}) != nil
}

// method is true for regexp.exec(…) and the like, which only look like
// running a program: the object must come from child_process.
func (s *smeller) method(n *syntax.Node, callee, rule string) bool {
	if rule != "subprocess" || !n.Is("call_expression") || s.Language.Name == "rust" || strings.HasPrefix(callee, "Deno.") || strings.HasPrefix(callee, "Bun.") || callee == "eval" {
		return false
	}
	root, _, _ := strings.Cut(callee, ".")
	found := s.Root.Find(func(c *syntax.Node) bool {
		for _, im := range s.flow.ImportsAt(c) {
			if strings.TrimPrefix(im.Path, "node:") == "child_process" && slices.Contains(im.Names, root) {
				return true
			}
		}
		return false
	})
	return found == nil
}

// pause is the literal length of a wait in milliseconds, 0 when it is not one.
func (s *smeller) pause(n *syntax.Node, callee string) int {
	args := n.Arguments()
	switch {
	case len(args) == 0:
		return 0
	case s.Language.Name == "go":
		return goMilliseconds(s.Text(args[0]))
	case s.Language.Name == "rust":
		return rustMilliseconds(s.Text(args[0]))
	case strings.HasSuffix(callee, "setTimeout") || strings.HasSuffix(callee, "setInterval"):
		if len(args) < 2 {
			return 0
		}
		return milliseconds(s.Text(args[1]), 1)
	case s.Language.Name == "python":
		return milliseconds(s.Text(args[0]), 1000)
	}
	return milliseconds(s.Text(args[0]), 1)
}

func milliseconds(text string, unit float64) int {
	v, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
	if err != nil || v > 1e9 {
		return 0
	}
	return int(v * unit)
}

var goUnits = map[string]float64{"time.Nanosecond": 1e-6, "time.Microsecond": 1e-3, "time.Millisecond": 1, "time.Second": 1000, "time.Minute": 60000, "time.Hour": 3.6e6}

func goMilliseconds(text string) int {
	total := 1.0
	for factor := range strings.SplitSeq(text, "*") {
		factor = strings.TrimSpace(factor)
		if unit, ok := goUnits[factor]; ok {
			total *= unit
		} else if v, err := strconv.ParseFloat(strings.ReplaceAll(factor, "_", ""), 64); err == nil {
			total *= v
		} else {
			return 0
		}
	}
	if !strings.Contains(text, "time.") {
		total *= 1e-6
	}
	return int(total)
}

// Swallowing are the lines of handlers that let a failed assertion pass.
func Swallowing(t *syntax.Tree) []int {
	f := flows[t.Grammar]
	s := smeller{Tree: t, flow: f.of(t), names: f.names, reader: edit.NewReader(t)}
	t.Root.Walk(func(n *syntax.Node) bool {
		if n.Is("try_statement") {
			s.swallows(n)
		}
		return true
	})
	return each.Of(s.out, func(found smell) int { return found.line })
}

// swallows finds a handler that lets a failed assertion pass.
func (s *smeller) swallows(n *syntax.Node) {
	if len(edit.Checks(s.reader, n.At("body"))) == 0 {
		return
	}
	for _, c := range n.Children {
		body := c.At("body")
		switch {
		case c.Is("catch_clause"):
			// One of Java lets a failed assertion through, but for those of its own kind.
			if caught := c.First("catch_formal_parameter"); caught != nil && !failures.MatchString(s.Text(caught)) {
				continue
			}
		case c.Is("except_clause"):
			body = c.First("block")
			// A handler of a named exception lets AssertionError through.
			if value := c.At("value"); value != nil && !regexp.MustCompile(`\b(Exception|BaseException|AssertionError)\b`).MatchString(s.Text(value)) {
				continue
			}
		default:
			continue
		}
		raises := body.Find(func(b *syntax.Node) bool {
			callee := s.flow.called(b)
			return b.Is("throw_statement", "raise_statement") || strings.HasSuffix(callee, "fail") || s.reader.Check(b) != nil
		})
		if raises == nil {
			s.add(c, "swallow", "the handler hides failed assertions")
		}
	}
}

func (s *smeller) empty(body *syntax.Node) bool {
	return body.Is("statement_block") && len(body.Parts()) == 0
}
