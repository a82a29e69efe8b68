package scan

import (
	"context"
	"fmt"

	"github.com/org/qa-action/internal/qa"
)

// complexity reports changed functions that are hard to follow and that the
// change made harder: a function that was complex before and stays as it was
// is not this change's matter.
var complexity = Engine{
	Name: "complexity", Doc: "changed functions whose cyclomatic complexity grew over 15",
	Perspectives: []qa.Perspective{qa.CodeQuality},
	Languages:    []string{"go", "javascript", "typescript", "python"},
	Run:          runComplexity,
}

// The limits are those of McCabe's own scale (NIST 500-235): to 10 simple, to
// 20 moderate, to 50 high risk; between them the usual linter default of 15.
const (
	complexAt     = 15
	veryComplexAt = 30
	complexDelta  = 3 // growth under this is not worth a remark
)

func runComplexity(_ context.Context, p *Pass) ([]Hit, error) {
	if p.req.Outline == nil {
		return nil, errSkip("outlines are not available")
	}
	var hits []Hit
	for _, f := range p.Files {
		outline, ok := f.Outline()
		if !ok || f.Kind == qa.KindTest {
			continue
		}
		before, known := p.before(f)
		for _, fn := range outline.Functions {
			if fn.Complexity <= complexAt || !f.Touches(fn.Lines) && !p.req.Change.All {
				continue
			}
			was, existed := before[fn.Name]
			if existed && fn.Complexity-was < complexDelta {
				continue
			}
			h := Hit{
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
	return hits, nil
}

// before gives the complexity of a file's functions on base by name.
func (p *Pass) before(f *File) (complexities map[string]int, known bool) {
	if p.req.Base == nil || f.Status == qa.Added {
		return nil, p.req.Base != nil
	}
	src, err := p.req.Base(f.BasePath())
	if err != nil {
		return nil, false
	}
	outline, err := p.req.Outline(f.BasePath(), decode(src))
	if err != nil {
		return nil, false
	}
	complexities = map[string]int{}
	for _, fn := range outline.Functions {
		complexities[fn.Name] = fn.Complexity
	}
	return complexities, true
}
