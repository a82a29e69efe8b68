package assemble

import (
	"slices"

	"github.com/org/qa-action/internal/qa"
)

// HeadLine follows a line of what was measured to the head commit; ok is false
// for a line that head has not.
type HeadLine func(path string, line int) (headPath string, headLine int, ok bool)

// toHead puts the lines of a report, which are those of the test merge that was
// measured, where the head commit has them: reports link there, annotations are
// put there, and the next push compares with it. Where base moved on, the two
// differ. measured are the places of the findings before.
func (at HeadLine) toHead(p *qa.Report) (measured []qa.Finding) {
	measured = slices.Clone(p.Findings)
	if at == nil {
		return measured
	}
	p.Findings = slices.Clone(p.Findings)
	for i := range p.Findings {
		f := &p.Findings[i]
		f.Fix = at.fix(f.Path, f.Fix)
		f.Path, f.Lines = at.place(f.Path, f.Lines)
	}
	p.Change.Files = slices.Clone(p.Change.Files)
	for i := range p.Change.Files {
		f := &p.Change.Files[i]
		f.Added = at.ranges(f.Path, f.Added)
		var gaps []int
		for _, gap := range f.Gaps {
			if _, n, ok := at(f.Path, gap); ok || gap == 0 {
				gaps = append(gaps, n)
			}
		}
		f.Gaps = gaps
	}
	p.Tests.Failing = slices.Clone(p.Tests.Failing)
	for i := range p.Tests.Failing {
		c := &p.Tests.Failing[i].Case
		lines := qa.Range{Start: c.Line, End: c.Line}
		c.File, lines = at.place(c.File, lines)
		c.Line = lines.Start
	}
	at.coverage(&p.Coverage)
	return measured
}

// coverage moves the lines of changed files; counters stay as measured.
func (at HeadLine) coverage(c *qa.CoverageReport) {
	c.Files = slices.Clone(c.Files)
	for i := range c.Files {
		f := &c.Files[i]
		f.Missing, f.Covered, f.Partial = at.ranges(f.Path, f.Missing), at.ranges(f.Path, f.Covered), at.ranges(f.Path, f.Partial)
	}
	if c.Patch == nil {
		return
	}
	patch := *c.Patch
	patch.Missing = slices.Clone(patch.Missing)
	for i := range patch.Missing {
		patch.Missing[i].Ranges = at.ranges(patch.Missing[i].Path, patch.Missing[i].Ranges)
	}
	c.Patch = &patch
}

// place moves a range by those of its lines that head has; without any it is
// the whole file.
func (at HeadLine) place(path string, lines qa.Range) (string, qa.Range) {
	if path == "" || lines.Start <= 0 {
		return path, lines
	}
	var moved qa.Range
	to := path
	for n := lines.Start; n <= max(lines.End, lines.Start); n++ {
		headPath, line, ok := at(path, n)
		if !ok {
			continue
		}
		if moved.Start == 0 {
			to, moved.Start = headPath, line
		}
		moved.End = line
	}
	return to, moved
}

// fix moves a fix whose lines stand together in head as they do here; any other is
// none.
func (at HeadLine) fix(path string, fix *qa.Fix) *qa.Fix {
	if fix == nil {
		return nil
	}
	moved := *fix
	to := ""
	for n := fix.Lines.Start; n <= fix.Lines.End; n++ {
		headPath, line, ok := at(path, n)
		switch {
		case !ok:
			return nil
		case n == fix.Lines.Start:
			to, moved.Lines.Start = headPath, line
		case headPath != to || line != moved.Lines.End+1:
			return nil
		}
		moved.Lines.End = line
	}
	return &moved
}

// ranges moves lines one by one; what head has not is left out.
func (at HeadLine) ranges(path string, all []qa.Range) []qa.Range {
	var lines []int
	for _, r := range all {
		for n := r.Start; n <= r.End; n++ {
			if _, line, ok := at(path, n); ok {
				lines = append(lines, line)
			}
		}
	}
	return qa.Ranges(lines)
}

// onMeasured is a report with its findings where they were measured, for those
// who read files of the commit that is checked out.
func onMeasured(p *qa.Report, measured []qa.Finding) *qa.Report {
	out := *p
	out.Findings = slices.Clone(p.Findings)
	for i := range min(len(out.Findings), len(measured)) {
		out.Findings[i].Path, out.Findings[i].Lines, out.Findings[i].Fix = measured[i].Path, measured[i].Lines, measured[i].Fix
	}
	return &out
}
