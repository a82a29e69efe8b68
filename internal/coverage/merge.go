package coverage

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/coverage/measured"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// Merge joins reports of one run: for each file the union of its lines, arms
// and statements, with their counts added up where the reports are of one
// format (several packages or shards of the run), and the larger count where
// they are not (two accounts of the same execution). Where the reports cannot
// both be right, Conflicts says so. Coverage that lists no lines is only used
// for files that no other part knows.
//
// The result may share memory with parts when there is nothing to join.
func Merge(parts ...*qa.Coverage) *qa.Coverage {
	if len(parts) == 1 && parts[0] != nil {
		return parts[0]
	}
	all := &qa.Coverage{}
	at := map[string]int{}
	from := map[string][]qa.CoverageSource{}
	var conflicts []conflict
	for _, part := range parts {
		if part == nil {
			continue
		}
		all.Sources = append(all.Sources, part.Sources...)
		all.Warnings = append(all.Warnings, part.Warnings...)
		all.Conflicts = append(all.Conflicts, part.Conflicts...)
		for _, f := range part.Files {
			i, ok := at[f.Path]
			if !ok {
				at[f.Path] = len(all.Files)
				from[f.Path] = part.Sources
				all.Files = append(all.Files, clone(f))
				continue
			}
			j := joint{file: f.Path, a: from[f.Path], b: part.Sources}
			j.join(&all.Files[i], clone(f))
			conflicts = append(conflicts, j.conflicts...)
			all.Warnings = append(all.Warnings, j.warnings...)
			from[f.Path] = append(slices.Clone(from[f.Path]), part.Sources...)
		}
	}
	all.Conflicts = append(all.Conflicts, told(conflicts)...)
	slices.SortFunc(all.Files, func(a, b qa.FileCoverage) int { return cmp.Compare(a.Path, b.Path) })
	measured.Sum(all)
	return all
}

func clone(f qa.FileCoverage) qa.FileCoverage {
	f.Lines, f.Arms, f.Units, f.Funcs = slices.Clone(f.Lines), slices.Clone(f.Arms), slices.Clone(f.Units), slices.Clone(f.Funcs)
	return f
}

// joint joins two accounts of one file.
type joint struct {
	file      string
	a, b      []qa.CoverageSource
	conflicts []conflict
	warnings  []string
}

// conflict is what two reports do not both say rightly of a file.
type conflict struct{ file, reports, what string }

// told are conflicts in words; many of the same two reports have one reason, as two kinds
// of coverage tool are, and go by the first. Those of one file stand together.
func told(all []conflict) []string {
	const many = 3
	files, last := map[string]int{}, map[string]string{} // by the reports
	for _, c := range all {
		if last[c.reports] != c.file {
			files[c.reports]++
			last[c.reports] = c.file
		}
	}
	var out []string
	for _, c := range all {
		text, n := c.file+": "+c.reports+" disagree: "+c.what, files[c.reports]
		switch {
		case n < 0:
			continue
		case n > many:
			text += fmt.Sprintf("; and in %d other files", n-1)
			files[c.reports] = -1
		}
		out = append(out, text)
	}
	return out
}

// sameFormat reports whether all accounts so far are of one known format.
func (j *joint) sameFormat() bool {
	if len(j.a) == 0 || len(j.b) == 0 {
		return false
	}
	return !slices.ContainsFunc(append(slices.Clone(j.a), j.b...), func(s qa.CoverageSource) bool { return s.Format != j.a[0].Format })
}

func label(sources []qa.CoverageSource) string {
	names := each.Of(sources, func(s qa.CoverageSource) string { return fmt.Sprintf("%s (%s)", s.Path, s.Format) })
	if len(names) == 0 {
		return "a report"
	}
	return wording.Some(names, 2)
}

func (j *joint) conflict(format string, args ...any) {
	j.conflicts = append(j.conflicts, conflict{j.file, label(j.a) + " and " + label(j.b), fmt.Sprintf(format, args...)})
}

func (j *joint) join(a *qa.FileCoverage, b qa.FileCoverage) {
	if len(a.Lines) == 0 || len(b.Lines) == 0 {
		j.joinTotals(a, b)
		return
	}
	same := j.sameFormat()
	linesOnly := statementsAreLines(a) && statementsAreLines(&b)
	j.joinLines(a, b, same)
	switch {
	case same, len(a.Arms) == 0:
		a.Arms = measured.JoinUnits(append(a.Arms, b.Arms...))
	case len(b.Arms) > 0 && !slices.Equal(measured.ArmedLines(a.Arms), measured.ArmedLines(b.Arms)):
		j.conflict("%s branches against %s", measured.CountUnits(a.Arms).Text(), measured.CountUnits(b.Arms).Text())
	}
	measured.Spread(a)
	if a.Branches != nil || b.Branches != nil {
		a.Branches = measured.CountBranches(a)
	}
	if linesOnly {
		a.Statements = measured.CountLines(a.Lines)
	} else {
		j.joinStatements(a, &b, same)
	}
	if same || len(a.Funcs) == 0 {
		a.Funcs = measured.JoinFuncs(append(a.Funcs, b.Funcs...), measured.AddHits)
	} else if len(b.Funcs) > 0 && *measured.CountFuncs(a.Funcs) != *measured.CountFuncs(b.Funcs) {
		j.conflict("%s functions against %s", measured.CountFuncs(a.Funcs).Text(), measured.CountFuncs(b.Funcs).Text())
	}
	switch {
	case len(a.Funcs) > 0:
		a.Functions = measured.CountFuncs(a.Funcs)
	case a.Functions == nil || b.Functions != nil && b.Functions.Covered > a.Functions.Covered:
		a.Functions = b.Functions
	}
	a.LineCount = measured.CountLines(a.Lines)
}

func statementsAreLines(f *qa.FileCoverage) bool {
	return len(f.Units) == 0 && f.Statements != nil && *f.Statements == *measured.CountLines(f.Lines)
}

// joinTotals handles an account without lines.
func (j *joint) joinTotals(a *qa.FileCoverage, b qa.FileCoverage) {
	if x, y := a.LineCount, b.LineCount; x != nil && y != nil && *x != *y {
		j.conflict("%s lines against %s", x.Text(), y.Text())
	}
	if len(a.Lines) == 0 && len(b.Lines) > 0 {
		*a = b
	}
}

// joinLines makes the union and reports lines that only one account calls
// executable.
func (j *joint) joinLines(a *qa.FileCoverage, b qa.FileCoverage, same bool) {
	var out []qa.LineHit
	var onlyA, onlyB, hitA, hitB, branchy []int
	x, y := a.Lines, b.Lines
	for len(x) > 0 || len(y) > 0 {
		switch {
		case len(y) == 0 || len(x) > 0 && x[0].Line < y[0].Line:
			onlyA, out, x = append(onlyA, int(x[0].Line)), append(out, x[0]), x[1:]
		case len(x) == 0 || y[0].Line < x[0].Line:
			onlyB, out, y = append(onlyB, int(y[0].Line)), append(out, y[0]), y[1:]
		default:
			l, m := x[0], y[0]
			switch {
			case l.Hits > 0 && m.Hits == 0:
				hitA = append(hitA, int(l.Line))
			case l.Hits == 0 && m.Hits > 0:
				hitB = append(hitB, int(l.Line))
			}
			if same {
				l.Hits = measured.AddHits(l.Hits, m.Hits)
			} else {
				l.Hits = max(l.Hits, m.Hits)
			}
			known := same && len(a.Arms) > 0 && len(b.Arms) > 0
			if !known && l.Branches > 0 && m.Branches > 0 && (l.Branches != m.Branches || l.BranchesTaken != m.BranchesTaken) {
				branchy = append(branchy, int(l.Line))
			}
			l.Branches, l.BranchesTaken = max(l.Branches, m.Branches), max(l.BranchesTaken, m.BranchesTaken)
			out, x, y = append(out, l), x[1:], y[1:]
		}
	}
	if len(onlyA)+len(onlyB) > 0 {
		var parts []string
		if len(onlyA) > 0 {
			parts = append(parts, fmt.Sprintf("only the first has lines %s", ranges(onlyA)))
		}
		if len(onlyB) > 0 {
			parts = append(parts, fmt.Sprintf("only the second has lines %s", ranges(onlyB)))
		}
		j.conflict("%d executable lines against %d, %s", len(a.Lines), len(b.Lines), strings.Join(parts, ", "))
	}
	if !same && len(hitA)+len(hitB) > 0 {
		j.conflict("lines %s ran by one account only", ranges(append(hitA, hitB...)))
	}
	if len(branchy) > 0 {
		if same {
			j.warnings = append(j.warnings, fmt.Sprintf("%s: the branches of lines %s cannot be joined exactly because the format does not name them; the larger count stands", j.file, ranges(branchy)))
		} else {
			j.conflict("branches of lines %s", ranges(branchy))
		}
	}
	a.Lines = out
}

// joinStatements joins statements into a: by units where both accounts name them.
func (j *joint) joinStatements(a, b *qa.FileCoverage, same bool) {
	here, there := a.Statements, b.Statements
	switch {
	case here == nil:
		a.Statements, a.Units = there, b.Units
		return
	case there == nil:
		return
	case same && len(a.Units) > 0 && len(b.Units) > 0:
		a.Units = measured.JoinUnits(append(a.Units, b.Units...))
		a.Statements = measured.CountUnits(a.Units)
		return
	case here.Total != there.Total, !same && *here != *there:
		j.conflict("%s statements against %s", here.Text(), there.Text())
	}
	if there.Covered > here.Covered {
		a.Statements, a.Units = there, b.Units
	}
}

func ranges(lines []int) string {
	list := qa.Ranges(lines)
	if len(list) > 10 {
		return fmt.Sprintf("%s and %d more ranges", qa.FormatRanges(list[:10]), len(list)-10)
	}
	return qa.FormatRanges(list)
}
