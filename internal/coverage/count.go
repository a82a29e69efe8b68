package coverage

import (
	"cmp"
	"math"
	"slices"

	"github.com/org/qa-action/internal/qa"
)

func countLines(lines []qa.LineHit) *qa.Count {
	c := &qa.Count{Total: len(lines)}
	for _, l := range lines {
		if l.Hits > 0 {
			c.Covered++
		}
	}
	return c
}

func countUnits(list []qa.UnitHit) *qa.Count {
	c := &qa.Count{}
	for _, u := range list {
		c.Total += int(u.Weight)
		if u.Hits > 0 {
			c.Covered += int(u.Weight)
		}
	}
	return c
}

func countFuncs(funcs []qa.FuncHit) *qa.Count {
	c := &qa.Count{Total: len(funcs)}
	for _, f := range funcs {
		if f.Hits > 0 {
			c.Covered++
		}
	}
	return c
}

// countBranches counts the arms, and the numbers of those lines that have no
// arms. An arm may lie on a line that is not executable by itself.
func countBranches(f *qa.FileCoverage) *qa.Count {
	c := countUnits(f.Arms)
	armed := armedLines(f.Arms)
	for _, l := range f.Lines {
		if l.Branches > 0 {
			if _, ok := armed[l.Line]; !ok {
				c.Total += int(l.Branches)
				c.Covered += int(l.BranchesTaken)
			}
		}
	}
	return c
}

// armedLines counts the arms of each line.
func armedLines(arms []qa.UnitHit) map[int32]qa.Count {
	if len(arms) == 0 {
		return nil
	}
	lines := make(map[int32]qa.Count)
	for _, a := range arms {
		c := lines[a.Line]
		c.Total++
		if a.Hits > 0 {
			c.Covered++
		}
		lines[a.Line] = c
	}
	return lines
}

// spread writes the arms' numbers to their lines.
func spread(f *qa.FileCoverage) {
	for line, c := range armedLines(f.Arms) {
		i, ok := slices.BinarySearchFunc(f.Lines, line, func(l qa.LineHit, line int32) int { return cmp.Compare(l.Line, line) })
		if ok {
			f.Lines[i].Branches = uint16(min(c.Total, math.MaxUint16))
			f.Lines[i].BranchesTaken = uint16(min(c.Covered, math.MaxUint16))
		}
	}
}

// sum makes the totals of cov from its files. A metric is nil when no file has
// it.
func sum(cov *qa.Coverage) {
	cov.Lines, cov.Statements, cov.Branches, cov.Functions = nil, nil, nil, nil
	add := func(to **qa.Count, c *qa.Count) {
		if c == nil {
			return
		}
		if *to == nil {
			*to = &qa.Count{}
		}
		**to = (*to).Plus(*c)
	}
	for i := range cov.Files {
		f := &cov.Files[i]
		add(&cov.Lines, f.LineCount)
		add(&cov.Statements, f.Statements)
		add(&cov.Branches, f.Branches)
		add(&cov.Functions, f.Functions)
	}
}
