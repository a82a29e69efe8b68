package builtin

import (
	"context"
	"github.com/org/qa-action/internal/each"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
)

// TestSmell looks at changed test files for what makes a green suite worth
// less than it looks: tests that run alone, not at all, or check nothing.
var TestSmell = engine.Engine{
	Name:         "test-smell",
	Perspectives: []qa.Perspective{qa.TestCoverage},
	Languages:    language.Read(),
	PerFile:      true,
	Run:          runTestSmell,
}

func runTestSmell(_ context.Context, p *engine.Pass) ([]engine.Hit, error) {
	var hits []engine.Hit
	c := &checker{tree: p.Tree, outline: p.Subject.Outline, read: map[string]*engine.File{}}
	for _, f := range p.Files {
		if f.Kind != qa.KindTest {
			continue
		}
		for _, s := range language.Named(f.Language).Smells {
			if s.Review != "" && (s.Unless == nil || !s.Unless.Match(f.Source)) {
				hits = append(hits, smelling(f, s)...)
			}
		}
		hits = append(hits, c.checkless(f)...)
	}
	return hits, engine.Unread(each.Where(p.Files, func(f *engine.File) bool { return f.Kind == qa.KindTest }))
}

// smelling reports the lines of a file that give a smell away.
func smelling(f *engine.File, s language.Smell) []engine.Hit {
	var hits []engine.Hit
	for n := 1; n <= f.Lines(); n++ {
		if line := f.Line(n); s.Line.MatchString(line) && !commented(line) && !(s.Rule == "sleep" && polls(f, n)) {
			hit := engine.Hit{
				Rule: "test-smell/" + s.Rule, Path: f.Path, Lines: qa.Range{Start: n, End: n},
				Message: s.Review, Suggestion: s.Cure,
			}
			if s.Fix != nil {
				hit.Fix = &engine.Fix{Edits: []engine.Edit{{From: engine.Place{Line: n, Column: 1}, To: engine.Place{Line: n, Column: len(line) + 1}, Text: s.Fix(line)}}}
			}
			hits = append(hits, hit)
		}
	}
	return hits
}

var loop = pattern.New(`^\W*(async )?(for|while|until|do)\b`)

// polls reports whether line n stands directly in a loop, or in a block of its
// own there: a sleep between two looks at a condition is how one waits for it.
func polls(f *engine.File, n int) bool {
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
