package source

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/language"
)

var commentRules = []struct {
	rule string
	text *regexp.Regexp
}{
	{"type-check-off", regexp.MustCompile(`@ts-(ignore|nocheck|expect-error)|#\s*type:\s*ignore|#\s*(mypy|pyright):\s*ignore`)},
	{"lint-off", regexp.MustCompile(`eslint-disable|biome-ignore|oxlint-disable|//\s*nolint|#\s*noqa|#\s*pylint:\s*disable|lint:(file-)?ignore`)},
	{"coverage-off", regexp.MustCompile(`(istanbul|c8|v8)\s+ignore|pragma:\s*no\s*cover`)},
}

// maxSleep is the longest literal pause in milliseconds.
const maxSleep = 100

// smells lists the forbidden constructs of a file, in source order.
func smells(t *tree, known []string) []smell {
	if t.src == nil {
		return nil
	}
	f, l := flows[t.grammar], t.language
	s := smeller{tree: t, Language: l, flow: f.of(t), names: f.names, reader: newTestReader(t)}
	t.root.walk(func(n *node) bool {
		for _, im := range s.flow.importsAt(n) {
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
	*tree
	*language.Language
	flow   flow
	names  map[string]bool
	reader testReader
	held   map[*regexp.Regexp]map[string]bool // names by what they hold
	reach  map[string]bool                    // names that imports for the network bind
	out    []smell
}

func (s *smeller) add(n *node, rule, message string) {
	s.out = append(s.out, smell{rule, message, s.line(n.start), oneLine(s.src[n.start:n.end])})
}

func (s *smeller) node(n *node) {
	switch n.kind {
	case "comment":
		for _, r := range commentRules {
			if m := r.text.FindString(s.text(n)); m != "" {
				s.add(n, r.rule, fmt.Sprintf("%q silences a tool", m))
			}
		}
	case "predefined_type":
		if s.text(n) == "any" {
			s.add(n.parent, "any-type", "the type any hides mistakes")
		}
	case "member_expression", "attribute", "SelectorExpr":
		if text := s.text(n); s.Policy.Env.MatchString(text) {
			s.add(n.parent, "env", fmt.Sprintf("depends on the environment: %s", text))
		} else if s.Policy.Skips != nil && s.Policy.Skips.MatchString(text) {
			s.add(n, "skipped", fmt.Sprintf("%s: does not run, or is expected to fail", text))
		}
	case "try_statement":
		s.swallows(n)
	}
	if callee := s.flow.called(n); callee != "" {
		s.call(n, callee)
	}
}

func (s *smeller) call(n *node, callee string) {
	for _, w := range s.Smells {
		if w.Call != nil && w.Call.MatchString(callee) && !s.method(n, callee, w.Rule) && (w.Rule != "network" || !s.atHome(n)) {
			// The key is the call without its body: moving code into a skipped
			// block makes no new smell, another skipped block does.
			s.out = append(s.out, smell{w.Rule, fmt.Sprintf("%s: %s", callee, w.Why), s.line(n.start), callee})
		}
	}
	if host := s.abroad(n, callee); host != "" {
		s.add(n, "network", fmt.Sprintf("%s reaches for %s; a test talks to servers of its own only", callee, host))
	}
	if s.Policy.Sleeps.MatchString(callee) {
		if ms := s.pause(n, callee); ms > maxSleep {
			s.add(n, "sleep", fmt.Sprintf("%s waits %d ms, at most %d are allowed", callee, ms, maxSleep))
		}
	}
	switch {
	case s.Policy.Writes.MatchString(callee) && s.changesFiles(n, callee):
		s.add(n, "write", fmt.Sprintf("%s changes files outside of a temporary directory", callee))
	case s.Policy.Reads.MatchString(callee) && s.readsFiles(n, callee):
		s.add(n, "read", fmt.Sprintf("%s reads files that are neither temporary nor test data", callee))
	}
	if callee == "recover" && s.Name == "go" {
		s.add(n, "swallow", "recover hides failures")
	}
	if strings.HasSuffix(callee, ".catch") {
		if args := n.at("arguments").parts(); len(args) == 1 && scriptFunction(args[0]) && s.empty(args[0].at("body")) {
			s.add(n, "swallow", "an empty catch hides failures")
		}
	}
}

// method is true for regexp.exec(…) and the like, which only look like
// running a program: the object must come from child_process.
func (s *smeller) method(n *node, callee, rule string) bool {
	if rule != "subprocess" || !n.is("call_expression") || strings.HasPrefix(callee, "Deno.") || strings.HasPrefix(callee, "Bun.") || callee == "eval" {
		return false
	}
	root, _, _ := strings.Cut(callee, ".")
	found := s.root.find(func(c *node) bool {
		for _, im := range s.flow.importsAt(c) {
			if strings.TrimPrefix(im.Path, "node:") == "child_process" && slices.Contains(im.Names, root) {
				return true
			}
		}
		return false
	})
	return found == nil
}

// pause is the literal length of a wait in milliseconds, 0 when it is not one.
func (s *smeller) pause(n *node, callee string) int {
	args := n.at("arguments").parts()
	if n.is("CallExpr") {
		args = n.all("args")
	}
	switch {
	case len(args) == 0:
		return 0
	case s.Name == "go":
		return goMilliseconds(s.text(args[0]))
	case strings.HasSuffix(callee, "setTimeout") || strings.HasSuffix(callee, "setInterval"):
		if len(args) < 2 {
			return 0
		}
		return milliseconds(s.text(args[1]), 1)
	case s.Name == "python":
		return milliseconds(s.text(args[0]), 1000)
	}
	return milliseconds(s.text(args[0]), 1)
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

// swallows finds a handler that lets a failed assertion pass.
func (s *smeller) swallows(n *node) {
	if len(checks(s.reader, n.at("body"))) == 0 {
		return
	}
	for _, c := range n.children {
		body := c.at("body")
		switch {
		case c.is("catch_clause"):
		case c.is("except_clause"):
			body = c.first("block")
			// A handler of a named exception lets AssertionError through.
			if value := c.at("value"); value != nil && !regexp.MustCompile(`\b(Exception|BaseException|AssertionError)\b`).MatchString(s.text(value)) {
				continue
			}
		default:
			continue
		}
		raises := body.find(func(b *node) bool {
			callee := s.flow.called(b)
			return b.is("throw_statement", "raise_statement") || strings.HasSuffix(callee, "fail") || s.reader.check(b) != nil
		})
		if raises == nil {
			s.add(c, "swallow", "the handler hides failed assertions")
		}
	}
}

func (s *smeller) empty(body *node) bool { return body.is("statement_block") && len(body.parts()) == 0 }
