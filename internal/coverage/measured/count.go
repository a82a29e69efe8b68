package measured

import (
	"cmp"
	"math"
	"slices"

	"github.com/org/qa-action/internal/qa"
)

// AddHits adds two numbers of executions; more than fit are the most that fits.
func AddHits(a, b uint32) uint32 {
	if a > math.MaxUint32-b {
		return math.MaxUint32
	}
	return a + b
}

func CountLines(lines []qa.LineHit) *qa.Count {
	c := &qa.Count{Total: len(lines)}
	for _, l := range lines {
		if l.Hits > 0 {
			c.Covered++
		}
	}
	return c
}

func CountUnits(list []qa.UnitHit) *qa.Count {
	c := &qa.Count{}
	for _, u := range list {
		c.Total += int(u.Weight)
		if u.Hits > 0 {
			c.Covered += int(u.Weight)
		}
	}
	return c
}

func CountFuncs(funcs []qa.FuncHit) *qa.Count {
	c := &qa.Count{Total: len(funcs)}
	for _, f := range funcs {
		if f.Hits > 0 {
			c.Covered++
		}
	}
	return c
}

// CountBranches counts the arms, and the numbers of those lines that have no
// arms. An arm may lie on a line that is not executable by itself.
func CountBranches(f *qa.FileCoverage) *qa.Count {
	c := CountUnits(f.Arms)
	armed := ArmedLines(f.Arms)
	for _, l := range f.Lines {
		for len(armed) > 0 && armed[0].line < l.Line {
			armed = armed[1:]
		}
		if l.Branches > 0 && (len(armed) == 0 || armed[0].line != l.Line) {
			c.Total += int(l.Branches)
			c.Covered += int(l.BranchesTaken)
		}
	}
	return c
}

// armedLine is a line with its arms counted.
type armedLine struct {
	line        int32
	taken, arms int
}

// ArmedLines counts the arms of each line, by line.
func ArmedLines(arms []qa.UnitHit) (lines []armedLine) {
	byLine := func(a, b qa.UnitHit) int { return cmp.Compare(a.Line, b.Line) }
	if !slices.IsSortedFunc(arms, byLine) {
		arms = slices.Clone(arms)
		slices.SortFunc(arms, byLine)
	}
	for _, a := range arms {
		if n := len(lines); n == 0 || lines[n-1].line != a.Line {
			lines = append(lines, armedLine{line: a.Line})
		}
		last := &lines[len(lines)-1]
		last.arms++
		if a.Hits > 0 {
			last.taken++
		}
	}
	return lines
}

// Spread writes the arms' numbers to their lines.
func Spread(f *qa.FileCoverage) {
	armed := ArmedLines(f.Arms)
	for i := range f.Lines {
		l := &f.Lines[i]
		for len(armed) > 0 && armed[0].line < l.Line {
			armed = armed[1:]
		}
		if len(armed) > 0 && armed[0].line == l.Line {
			l.Branches = uint16(min(armed[0].arms, math.MaxUint16))
			l.BranchesTaken = uint16(min(armed[0].taken, math.MaxUint16))
		}
	}
}

// Sum makes the totals of cov from its files. A metric is nil when no file has
// it.
func Sum(cov *qa.Coverage) {
	cov.Lines, cov.Statements, cov.Branches, cov.Functions = nil, nil, nil, nil
	for i := range cov.Files {
		add(cov, &cov.Files[i])
	}
}

// add adds a file to the totals.
func add(cov *qa.Coverage, f *qa.FileCoverage) {
	one := func(to **qa.Count, c *qa.Count) {
		if c == nil {
			return
		}
		if *to == nil {
			*to = &qa.Count{}
		}
		**to = (*to).Plus(*c)
	}
	one(&cov.Lines, f.LineCount)
	one(&cov.Statements, f.Statements)
	one(&cov.Branches, f.Branches)
	one(&cov.Functions, f.Functions)
}
