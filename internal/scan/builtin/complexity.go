package builtin

import (
	"context"
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
	"github.com/org/qa-action/internal/wording"
)

// Complexity reports changed functions that are hard to follow and that the
// change made harder: a function that was complex before and stays as it was
// is not this change's matter.
var Complexity = engine.Engine{
	Name:         "complexity",
	Perspectives: []qa.Perspective{qa.CodeQuality},
	Languages:    language.Read(),
	Run:          runComplexity,
}

// The limits are those of McCabe's own scale (NIST 500-235): to 10 simple, to
// 20 moderate, to 50 high risk; between them the usual linter default of 15.
const (
	complexAt     = 15
	veryComplexAt = 30
	// Growth under this, or under a tenth of what was there, is not worth a
	// remark.
	complexDelta = 3
)

func runComplexity(ctx context.Context, p *engine.Pass) ([]engine.Hit, error) {
	if p.Subject.Outline == nil {
		return nil, engine.SkipError("outlines are not available")
	}
	files := each.Where(p.Files, func(f *engine.File) bool { return f.Kind != qa.KindTest && decides(f, complexAt, p.Subject.Change.All) })
	engine.Each(ctx, files, func(f *engine.File) { f.Outline() })
	var hits []engine.Hit
	for _, f := range files {
		if ctx.Err() != nil {
			return hits, ctx.Err()
		}
		outline, _ := f.Outline()
		complex := each.Where(outline.Functions, func(fn qa.Function) bool {
			return fn.Complexity > complexAt && (f.Touches(fn.Lines) || p.Subject.Change.All)
		})
		if len(complex) == 0 {
			continue
		}
		before, known := before(p, f)
		for _, fn := range complex {
			was, existed := before[identity(f.Line(fn.Lines.Start), fn)]
			if existed && fn.Complexity-was < max(complexDelta, was/10) {
				continue
			}
			h := engine.Hit{
				Rule: "complexity/cyclomatic", Path: f.Path, Lines: qa.Range{Start: fn.Lines.Start, End: fn.Lines.Start},
				Message:    fmt.Sprintf("%s has a cyclomatic complexity of %d (limit %d)", fn.Name, fn.Complexity, complexAt),
				Suggestion: "Split it along its decisions, or replace a chain of conditions by a table.",
			}
			switch {
			case existed:
				h.Message += fmt.Sprintf(", up from %d", was)
			case known:
				h.Message += "; it is new"
			}
			h.Message += "."
			if fn.Complexity > veryComplexAt {
				h.Severity = qa.Medium
			}
			hits = append(hits, h)
		}
	}
	return hits, engine.Unread(files)
}

// before gives the complexity of a file's functions on base by name.
func before(p *engine.Pass, f *engine.File) (complexities map[string]int, known bool) {
	if p.Subject.Base == nil || f.Status == qa.Added {
		return nil, p.Subject.Base != nil
	}
	src, err := p.Subject.Base(f.BasePath())
	if err != nil {
		return nil, false
	}
	outline, err := p.Subject.Outline(f.BasePath(), engine.Decode(src))
	if err != nil {
		return nil, false
	}
	old := engine.NewFile(f.FileChange, engine.Decode(src), nil)
	complexities = map[string]int{}
	for _, fn := range outline.Functions {
		key := identity(old.Line(fn.Lines.Start), fn)
		complexities[key] = max(complexities[key], fn.Complexity)
	}
	return complexities, true
}

// identity is what a function is recognised by on base: its name, or the line
// it begins with when it has none (its outline's name then tells its line).
func identity(line string, fn qa.Function) string {
	if strings.Contains(fn.Name, "anonymous@") {
		return wording.Fold(line)
	}
	return fn.Name
}
