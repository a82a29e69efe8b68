package weakening

import (
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/syntax"
)

// This file finds what keeps tests from running, or from failing for good.

// mark is one construct that switches tests off.
type mark struct{ start, end int }

// skips says which tests ran before and do not any more, once for each construct.
func skips(f *file) []qa.Weakening {
	var out []qa.Weakening
	if tag := constraint(&f.now); tag.end > 0 && constraint(&f.old).end == 0 {
		out = append(out, skip(f, nil, tag))
	}
	seen := map[mark]bool{}
	for _, t := range f.now.tests {
		o := t.partner
		if o == nil || len(o.claims) == 0 {
			continue
		}
		at := off(t)
		if at.end == 0 || seen[at] || off(o).end > 0 {
			continue
		}
		seen[at] = true
		out = append(out, skip(f, t, at))
	}
	return out
}

func skip(f *file, t *test, at mark) qa.Weakening {
	line := f.now.Line(at.start)
	w := qa.Weakening{
		Rule: skipped, Path: f.Path, Lines: qa.Range{Start: line, End: line},
		After: shown(strings.Join(strings.Fields(string(f.now.Src[at.start:at.end])), " ")),
	}
	if t != nil {
		w.Test, w.Was, w.Calls = t.Name, t.partner.Name, t.partner.calls
	}
	return w
}

// off is what switches a test off whatever the machine it runs on; none where it runs,
// or where a condition decides.
func off(t *test) mark {
	switch t.in.Grammar {
	case "go":
		return goOff(t)
	case "python":
		return pythonOff(t)
	case "rust":
		return rustOff(t)
	case "java":
		return javaOff(t)
	}
	return scriptOff(t)
}

func markOf(n *syntax.Node) mark { return mark{n.Start, n.End} }

var goSkip = pattern.New(`^\w+\.(Skip|Skipf|SkipNow)$`)

func goOff(t *test) mark {
	if t.Body == nil {
		return mark{}
	}
	for i, s := range t.Body.All("list") {
		call := s.At("x")
		if s.Is("ExprStmt") && call.Is("CallExpr") && goSkip.MatchString(t.in.text(call.At("fun"))) || s.Is("ReturnStmt") && i+1 < len(t.Body.All("list")) {
			return markOf(s)
		}
	}
	return mark{}
}

// constraint is the build tag of a file of Go.
func constraint(s *side) mark {
	if s.Tree == nil || s.Grammar != "go" {
		return mark{}
	}
	if at := buildTag.FindIndex(s.Src); at != nil {
		return mark{at[0], at[1]}
	}
	return mark{}
}

var buildTag = pattern.New(`(?m)^//go:build (ignore|never|disabled|skip|flaky|broken|todo|manual)\b.*$`)

var (
	pythonSkipped = pattern.New(`^@?(pytest\.)?mark\.(skip|xfail)\b|^@?(unittest\.)?(skip|expectedFailure)\b|^@?(pytest\.)?mark\.skipif\(\s*True\b|^@?(unittest\.)?skipIf\(\s*(True|1)\b`)
	pythonCalls   = pattern.New(`^(pytest\.(skip|xfail)|self\.skipTest)$`)
	conditional   = pattern.New(`\b(xfail)\(\s*[A-Za-z_.]+(\.|\s*[=<>!(])`)
)

func pythonOff(t *test) mark {
	for n := t.Node; n != nil; n = n.Parent {
		if !n.Is("decorated_definition") {
			continue
		}
		for _, d := range n.Children {
			text := strings.TrimSpace(strings.TrimPrefix(t.in.text(d), "@"))
			if d.Is("decorator") && pythonSkipped.MatchString(text) && !conditional.MatchString(text) {
				return markOf(d)
			}
		}
	}
	parts := t.Body.Parts()
	for i, s := range parts {
		var call *syntax.Node
		if call = s; s.Is("expression_statement") {
			call = s.First("call")
		}
		switch {
		case call.Is("call") && pythonCalls.MatchString(t.in.text(call.At("function"))),
			s.Is("raise_statement") && strings.Contains(t.in.text(s), "SkipTest"),
			s.Is("return_statement") && i+1 < len(parts):
			return markOf(s)
		}
	}
	for _, s := range t.in.Root.Parts() {
		if text := t.in.text(s); strings.HasPrefix(text, "pytestmark") && wholeFile.MatchString(text) {
			return markOf(s)
		}
	}
	return mark{}
}

var wholeFile = pattern.New(`^pytestmark\s*=\s*\[?\s*pytest\.mark\.(skip|xfail)\b(\(\s*(reason\s*=\s*)?["'][^"']*["']\s*\)|\(\s*\)|$)`)

var scriptSkipped = pattern.New(`^(it|test|describe|suite|context|specify)(\.\w+)*\.(skip|todo|fails|failing)(\.\w+)*$|^x(it|describe|test|context|specify)$`)

func scriptOff(t *test) mark {
	for n := t.Node; n != nil; n = n.Parent {
		call := n
		if n.Is("expression_statement") {
			call = n.First("call_expression")
		}
		if call.Is("call_expression") && scriptSkipped.MatchString(t.in.text(call.At("function"))) {
			return markOf(call.At("function"))
		}
		if call.Is("call_expression") {
			for _, a := range call.At("arguments").Parts() {
				if a.Is("object") && switchedOff.MatchString(t.in.text(a)) {
					return markOf(a)
				}
			}
		}
	}
	body := t.Body.At("body")
	if !body.Is("statement_block") {
		return mark{}
	}
	parts := body.Parts()
	for i, s := range parts {
		switch {
		case s.Is("expression_statement") && scriptCalls.MatchString(t.in.text(s)), s.Is("return_statement") && i+1 < len(parts):
			return markOf(s)
		}
	}
	return mark{}
}

var (
	scriptCalls = pattern.New(`^(this|ctx|context|t)\.(skip|todo)\(|^pending\(`)
	switchedOff = pattern.New(`\b(skip|todo)\s*:\s*(true|['"])`)
)

// retries says where a file lets tests fail some times before they count.
func retries(f *file) []qa.Weakening {
	count := func(s *side) [][]int { return again.FindAllStringIndex(string(s.Src), -1) }
	old, now := count(&f.old), count(&f.now)
	if len(now) <= len(old) || len(f.old.tests) == 0 {
		return nil
	}
	had := map[string]int{}
	for _, at := range old {
		had[string(f.old.Src[at[0]:at[1]])]++
	}
	i := slices.IndexFunc(now, func(at []int) bool {
		text := string(f.now.Src[at[0]:at[1]])
		had[text]--
		return had[text] < 0
	})
	if i < 0 {
		return nil
	}
	line := f.now.Line(now[i][0])
	return []qa.Weakening{{Rule: retried, Path: f.Path, Lines: qa.Range{Start: line, End: line}, After: lineOf(f.now.Tree, line)}}
}

// again are the ways to run a test once more when it fails.
var again = pattern.New(`(?m)^\s*@(pytest\.mark\.)?flaky\b|\bjest\.retryTimes\(\s*[1-9]|\bthis\.retries\(\s*[1-9]|[{,]\s*retry\s*:\s*[1-9]|^\s*@(tenacity\.)?retry\b|^\s*@(RetryingTest|RepeatedIfExceptionsTest)\b`)
