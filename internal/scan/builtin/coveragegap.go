package builtin

import (
	"context"
	"fmt"
	"slices"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
)

// CoverageGap names changed functions whose changed lines no test runs, and
// changed lines that no test takes both ways. It reads the measured coverage;
// without one it says so and finds nothing, for unknown is not uncovered.
var CoverageGap = engine.Engine{
	Name:         "coverage-gap",
	Perspectives: []qa.Perspective{qa.TestCoverage},
	Languages:    language.Read(),
	Run:          runCoverageGap,
}

// The rubric of docs/severity.md: how much of what the change wrote in a
// function runs in no test, and how much there is to get wrong in it.
const (
	gapMinLines   = 3   // fewer executable changed lines than this are the table's matter
	gapHardToMiss = 10  // complexity from which an untested function is high
	gapNone       = 0.2 // covered under this share: as good as untested
	gapPartial    = 0.5
)

func runCoverageGap(ctx context.Context, p *engine.Pass) ([]engine.Hit, error) {
	switch {
	case p.Subject.Coverage == nil:
		return nil, engine.SkipError("coverage was not measured")
	case p.Subject.Outline == nil:
		return nil, engine.SkipError("outlines are not available")
	}
	all := p.Subject.Change.All
	// Whose function a line belongs to matters where one is missed.
	files := each.Where(p.Files, func(f *engine.File) bool {
		cov := p.Subject.Coverage.File(f.Path)
		return f.Kind == qa.KindSource && cov != nil && slices.ContainsFunc(cov.Lines, func(l qa.LineHit) bool {
			n := int(l.Line)
			return (l.Hits == 0 || l.Partial()) && (all || f.Touches(qa.Range{Start: n, End: n}))
		})
	})
	engine.Each(ctx, files, func(f *engine.File) { f.Outline() })
	var hits []engine.Hit
	for _, f := range files {
		if ctx.Err() != nil {
			return hits, ctx.Err()
		}
		outline, _ := f.Outline()
		silent := language.Of(f.Path).Silent(string(f.Source))
		lines := each.Where(p.Subject.Coverage.File(f.Path).Lines, func(l qa.LineHit) bool {
			return !slices.ContainsFunc(silent, func(s [2]int) bool { return s[0] <= int(l.Line) && int(l.Line) <= s[1] })
		})
		for i := range outline.Functions {
			if h, ok := functionGap(all, f, outline, &outline.Functions[i], lines); ok {
				hits = append(hits, h)
			}
		}
	}
	return hits, engine.Unread(files)
}

// functionGap judges one function by the changed lines that belong to it and
// to no function inside it.
func functionGap(all bool, f *engine.File, outline qa.Outline, fn *qa.Function, lines []qa.LineHit) (engine.Hit, bool) {
	if fn.Test {
		return engine.Hit{}, false
	}
	var missing, partial []int
	total := 0
	for _, l := range lines {
		n := int(l.Line)
		if !fn.Lines.Contains(n) || outline.Enclosing(n) != fn || !all && !f.Touches(qa.Range{Start: n, End: n}) {
			continue
		}
		total++
		switch {
		case l.Hits == 0:
			missing = append(missing, n)
		case l.Partial():
			partial = append(partial, n)
		}
	}
	covered := total - len(missing)
	share := 1.0
	if total > 0 {
		share = float64(covered) / float64(total)
	}
	h := engine.Hit{Path: f.Path, Suggestion: "Test " + fn.Name + " so that these lines run and their results are checked."}
	what := "changed "
	if all {
		what = ""
	}
	switch {
	case total >= gapMinLines && share < gapPartial:
		h.Rule = "coverage-gap/function"
		h.Lines = qa.Ranges(missing)[0]
		h.Message = fmt.Sprintf("%d of %d executable %slines of %s run in no test: lines %s.",
			len(missing), total, what, fn.Name, qa.FormatRanges(qa.Ranges(missing)))
		switch {
		case share < gapNone && fn.Complexity >= gapHardToMiss:
			h.Severity = qa.High
		case share < gapNone:
			h.Severity = qa.Medium
		default:
			h.Severity = qa.Low
		}
	case len(partial) > 0 && fn.Complexity >= gapHardToMiss:
		h.Rule = "coverage-gap/branch"
		h.Lines = qa.Ranges(partial)[0]
		where := "the branch in line"
		if len(partial) > 1 {
			where = "the branches in lines"
		}
		h.Message = fmt.Sprintf("Not all ways of %s %s of %s run in a test.", where, qa.FormatRanges(qa.Ranges(partial)), fn.Name)
	default:
		return engine.Hit{}, false
	}
	return h, true
}
