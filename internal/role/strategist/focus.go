package strategist

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/wording"
)

// The risk of a changed function is the sum of these parts, 0 to 100: uncovered
// changed lines (all of it from 10 lines on), the worst finding on it, its
// complexity (all from 16 on), how many files depend on its file (all from 10
// on), and whether it is exported.
const (
	riskUncovered  = 40.0
	riskFinding    = 30.0
	riskComplexity = 15.0
	riskFanIn      = 10.0
	riskExported   = 5.0
)

var findingRisk = map[qa.Severity]float64{qa.Critical: 1, qa.High: 0.7, qa.Medium: 0.4, qa.Low: 0.1}

// mostThrough is how many functions come into focus for one finding that is
// outside of all of them.
const mostThrough = 2

// mostCompared is how many of the riskiest functions are held against base.
const mostCompared = 60

// focus lists the changed functions, riskiest first. A defect outside of
// functions is a matter of those that use its lines; where none of them changed,
// the first ones come into focus for it.
func focus(in Input, sources []qa.FileChange, findings []qa.Finding) []qa.Focus {
	uncovered := map[string][]qa.Range{}
	if in.Patch != nil {
		for _, m := range in.Patch.Missing {
			uncovered[m.Path] = m.Ranges
		}
	}
	through := map[string][]outline.Caller{}
	for _, f := range findings {
		if in.Users != nil && outside(in, f) {
			through[f.ID] = in.Users(f)
		}
	}
	on := func(path string, fn qa.Function) []qa.Finding {
		var out []qa.Finding
		for _, f := range findings {
			used := slices.ContainsFunc(through[f.ID], func(u outline.Caller) bool { return u.Path == path && u.Function.Name == fn.Name })
			if used || f.Path == path && f.Lines.Overlaps(fn.Lines) {
				out = append(out, f)
			}
		}
		return out
	}
	var out []qa.Focus
	for _, file := range sources {
		parsed, known := in.Outlines[file.Path]
		if !known {
			continue
		}
		for _, fn := range parsed.Functions {
			if fn.Test || !touchesOwn(parsed, fn, file) {
				continue
			}
			found := on(file.Path, fn)
			if len(found) == 0 && change.IsExample(file.Path) {
				continue
			}
			out = append(out, weigh(in, file.Path, fn, uncovered[file.Path], found))
		}
	}
	for _, f := range findings {
		if slices.ContainsFunc(out, func(o qa.Focus) bool { return slices.Contains(o.Findings, f.ID) }) {
			continue
		}
		for _, u := range through[f.ID][:min(len(through[f.ID]), mostThrough)] {
			out = append(out, weigh(in, u.Path, u.Function, nil, on(u.Path, u.Function)))
		}
	}
	if in.Excluded != nil {
		out = slices.DeleteFunc(out, func(f qa.Focus) bool { return in.Excluded(f.Path) })
	}
	slices.SortStableFunc(out, func(a, b qa.Focus) int {
		return cmp.Or(cmp.Compare(b.Risk, a.Risk), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Lines.Start, b.Lines.Start))
	})
	return alike(in, altered(in, out))
}

// altered leaves functions out that only moved, or are told otherwise: a test of them
// shows nothing of the change. Both sides of a file are read for it, so it is asked of
// the riskiest, of which more than are ever chosen for tests.
func altered(in Input, all []qa.Focus) []qa.Focus {
	if in.Unaltered == nil {
		return all
	}
	files := map[string]func(string) bool{}
	first := all[:min(len(all), mostCompared)]
	kept := each.Where(first, func(f qa.Focus) bool {
		if len(f.Findings) > 0 {
			return true
		}
		if files[f.Path] == nil {
			files[f.Path] = in.Unaltered(f.Path)
		}
		return !files[f.Path](f.Symbol)
	})
	return append(kept, all[len(first):]...)
}

// touchesOwn reports whether the change wrote a line of fn, or took one away
// within it, that no function inside fn holds: an outer function is not in focus
// for its inner one's sake.
func touchesOwn(parsed qa.Outline, fn qa.Function, file qa.FileChange) bool {
	for _, r := range file.Added {
		for line := max(r.Start, fn.Lines.Start); line <= min(r.End, fn.Lines.End); line++ {
			if e := parsed.Enclosing(line); e != nil && e.Lines == fn.Lines && e.Name == fn.Name {
				return true
			}
		}
	}
	return slices.ContainsFunc(file.Gaps, func(gap int) bool {
		e := parsed.Enclosing(gap)
		return e != nil && e.Lines == fn.Lines && e.Name == fn.Name && gap < fn.Lines.End
	})
}

// outside reports a defect of some weight that stands in no function.
func outside(in Input, f qa.Finding) bool {
	defect := slices.Contains(f.Perspectives, qa.Bug) || slices.Contains(f.Perspectives, qa.Security)
	return defect && f.Severity.AtLeast(qa.Medium) && !slices.ContainsFunc(in.Outlines[f.Path].Functions, func(fn qa.Function) bool {
		return fn.Lines.Overlaps(f.Lines)
	})
}

func weigh(in Input, path string, fn qa.Function, uncovered []qa.Range, findings []qa.Finding) qa.Focus {
	f := qa.Focus{Path: path, Symbol: fn.Name, Lines: fn.Lines}
	because := func(points float64, format string, args ...any) {
		if points > 0 {
			f.Risk += points
			f.Reasons = append(f.Reasons, fmt.Sprintf(format, args...))
		}
	}
	lines := 0
	for _, r := range uncovered {
		if r.Overlaps(fn.Lines) {
			part := qa.Range{Start: max(r.Start, fn.Lines.Start), End: min(r.End, fn.Lines.End)}
			f.Uncovered = append(f.Uncovered, part)
			lines += part.Len()
		}
	}
	because(riskUncovered*min(1, float64(lines)/10), "%s", wording.Count(lines, "uncovered changed line"))
	worst := 0.0
	for _, found := range findings {
		f.Findings = append(f.Findings, found.ID)
		worst = max(worst, findingRisk[found.Severity])
	}
	because(riskFinding*worst, "%s on it", wording.Count(len(f.Findings), "finding"))
	because(riskComplexity*min(1, float64(fn.Complexity-1)/15), "complexity %d", fn.Complexity)
	if in.FanIn != nil {
		n := in.FanIn(path)
		because(riskFanIn*min(1, float64(n)/10), "%s", dependents(n))
	}
	if fn.Exported {
		because(riskExported, "exported")
	}
	return f
}

func dependents(n int) string {
	if n == 1 {
		return "1 file depends on it"
	}
	return wording.Number(n) + " files depend on it"
}
