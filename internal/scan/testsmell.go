package scan

import (
	"context"
	"regexp"
	"strings"

	"github.com/org/qa-action/internal/qa"
)

// testSmell looks at changed test files for what makes a green suite worth
// less than it looks: tests that run alone, not at all, or check nothing.
var testSmell = Engine{
	Name: "test-smell", Doc: "focused and skipped tests, tests without a check, sleeps",
	Perspectives: []qa.Perspective{qa.TestCoverage},
	Languages:    []string{"go", "javascript", "typescript", "python"},
	PerFile:      true,
	Run:          runTestSmell,
}

// smell is one thing that a single line gives away. A sleep counts from a tenth
// of a second on: shorter ones mostly play a slow callee.
type smell struct {
	rule, message, suggestion string
	form                      *regexp.Regexp
	unless                    *regexp.Regexp // in the file: the smell means something else there
}

var jsSmells = []smell{
	{
		rule: "focused", form: regexp.MustCompile(`(^|[^\w.$])((describe|context|suite|it|test|bench)\.only|fdescribe|fcontext|fit)\s*(\.each\b|[(<` + "`" + `])`),
		message: "A focused test switches every other test of its file off.", suggestion: "Remove the focus before merging.",
	},
	{
		rule: "skipped", form: regexp.MustCompile(`(^|[^\w.$])((describe|context|suite|it|test)\.skip|xdescribe|xcontext|xit|xtest)\s*(\.each\b|[(<` + "`" + `])`),
		message: "A test that is skipped protects nothing.", suggestion: "Repair it, or delete it with the reason in the commit.",
	},
	{
		rule: "sleep", form: regexp.MustCompile(`new Promise\b.{0,60}\bsetTimeout\b.{0,40}\b[1-9][\d_]{2,}\b`), unless: regexp.MustCompile(`useFakeTimers`),
		message: "A fixed sleep makes a test slow when it is too long and flaky when it is too short.", suggestion: "Wait for the condition itself, or use fake timers.",
	},
}

var lineSmells = map[string][]smell{
	"javascript": jsSmells,
	"typescript": jsSmells,
	"python": {
		{
			rule: "skipped", form: regexp.MustCompile(`^\s*@(pytest\.mark\.skip\b|unittest\.skip\()`),
			message: "A test that is skipped protects nothing.", suggestion: "Repair it, or say with skipif when it applies.",
		},
		{
			rule: "sleep", form: regexp.MustCompile(`\b(time|asyncio|anyio|trio)\.sleep\(\s*(0?\.[1-9]|[1-9])`),
			message: "A fixed sleep makes a test slow when it is too long and flaky when it is too short.", suggestion: "Wait for the condition itself, or replace the clock.",
		},
	},
	"go": {
		{
			// One tab: the first level of a test function, so no condition guards it.
			rule: "skipped", form: regexp.MustCompile(`^\tt\.Skip(f|Now)?\(`),
			message: "A test that is always skipped protects nothing.", suggestion: "Repair it, or skip on the condition that stops it.",
		},
		{
			rule: "sleep", form: regexp.MustCompile(`\btime\.Sleep\((.*\btime\.(Second|Minute)|.*\b[1-9]\d\d+ ?\* ?time\.Millisecond)`), unless: regexp.MustCompile(`"testing/synctest"`),
			message: "A fixed sleep makes a test slow when it is too long and flaky when it is too short.", suggestion: "Wait for the condition itself (a channel, polling with a deadline, testing/synctest).",
		},
	},
}

func runTestSmell(_ context.Context, p *Pass) ([]Hit, error) {
	var hits []Hit
	c := &checker{tree: p.tree, outline: p.req.Outline, read: map[string]*File{}}
	for _, f := range p.Files {
		if f.Kind != qa.KindTest {
			continue
		}
		for _, s := range lineSmells[f.Language] {
			if s.unless == nil || !s.unless.Match(f.Source) {
				hits = append(hits, s.find(f)...)
			}
		}
		hits = append(hits, c.checkless(f)...)
	}
	return hits, nil
}

// find reports the lines that the change wrote: an old sleep is no news.
func (s smell) find(f *File) []Hit {
	var hits []Hit
	for n := 1; n <= f.Lines(); n++ {
		if line := f.Line(n); s.form.MatchString(line) && !commented(line) && !(s.rule == "sleep" && polls(f, n)) {
			hits = append(hits, Hit{
				Rule: "test-smell/" + s.rule, Path: f.Path, Lines: qa.Range{Start: n, End: n},
				Message: s.message, Suggestion: s.suggestion,
			})
		}
	}
	return hits
}

var loop = regexp.MustCompile(`^\W*(async )?(for|while|until|do)\b`)

// polls reports whether line n stands directly in a loop, or in a block of its
// own there: a sleep between two looks at a condition is how one waits for it.
func polls(f *File, n int) bool {
	depth := indent(f.Line(n))
	for seen := 0; n > 1 && seen < 2; {
		n--
		line := f.Line(n)
		if strings.TrimSpace(line) == "" || indent(line) >= depth {
			continue
		}
		if loop.MatchString(line) {
			return true
		}
		depth = indent(line)
		seen++
	}
	return false
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

func commented(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "//") || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "*")
}

// nested reports a test that is a group of other tests: those are judged.
func nested(o qa.Outline, fn qa.Function) bool {
	for _, inner := range o.Functions {
		if inner.Test && inner.Lines != fn.Lines && fn.Lines.Contains(inner.Lines.Start) && fn.Lines.Contains(inner.Lines.End) {
			return true
		}
	}
	return false
}
