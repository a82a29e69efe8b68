package measured

import (
	"cmp"
	"slices"

	"github.com/org/qa-action/internal/qa"
)

// File is one file of a report. What is said of it stands in its Detail while the report
// speaks of it, and in a few bytes once it is put away, see [Report.Done].
type File struct {
	*Detail
	Name string // the report's own; once they are mapped the path, "" for none
	away string
}

// Detail is what a report says of a file.
type Detail struct {
	Max bool // repeated lines: the larger count, instead of the sum

	Lines       []qa.LineHit
	LinesSorted bool
	counted     [2]int // lines, arms and statements that the room knows of
	Room        *Room
	Arms        units
	Units       units
	Funcs       []qa.FuncHit
	// Totals of a report that has no details
	Totals *Totals
	again  bool // it was put away, and named once more
}

// Totals are the numbers a report gives for a file beside or instead of lines.
type Totals struct {
	Lines, Statements, Branches, Functions *qa.Count
	// OffLine says that branches includes arms on lines that the format cannot
	// list because they are not executable.
	OffLine bool
}

// Line adds an executable line.
func (d *Detail) Line(line int32, hits uint32, branches, taken uint16) {
	l := qa.LineHit{Line: line, Hits: hits, Branches: branches, BranchesTaken: taken}
	if len(d.Lines) == cap(d.Lines) {
		if d.Compact(); !d.Room.Fits(OfLines, len(d.Lines)-d.counted[0]) {
			return
		}
	}
	if n := len(d.Lines); n > 0 && line <= d.Lines[n-1].Line {
		if line == d.Lines[n-1].Line {
			d.joinLine(&d.Lines[n-1], l)
			return
		}
		d.LinesSorted = false
	}
	d.Lines = append(d.Lines, l)
}

// Function adds a function.
func (d *Detail) Function(fn qa.FuncHit) {
	if d.Room.Take(OfFunctions, 1) && d.Room.Take(OfNames, len(fn.Name)) {
		d.Funcs = append(d.Funcs, fn)
	}
}

// Compact sorts the lines and joins repeated ones.
func (d *Detail) Compact() {
	if d.LinesSorted {
		return
	}
	slices.SortStableFunc(d.Lines, func(a, b qa.LineHit) int { return cmp.Compare(a.Line, b.Line) })
	out := d.Lines[:0]
	for _, l := range d.Lines {
		if n := len(out); n > 0 && out[n-1].Line == l.Line {
			d.joinLine(&out[n-1], l)
			continue
		}
		out = append(out, l)
	}
	d.Lines, d.LinesSorted = out, true
}

func (d *Detail) joinLine(into *qa.LineHit, l qa.LineHit) {
	if d.Max {
		into.Hits = max(into.Hits, l.Hits)
	} else {
		into.Hits = AddHits(into.Hits, l.Hits)
	}
	into.Branches = max(into.Branches, l.Branches)
	into.BranchesTaken = max(into.BranchesTaken, l.BranchesTaken)
}

// join adds another name of the same file.
func (d *Detail) join(o *Detail) {
	for _, l := range o.Lines {
		d.Line(l.Line, l.Hits, l.Branches, l.BranchesTaken)
	}
	d.Compact()
	for _, h := range o.Arms.List {
		d.Arms.Add(h)
	}
	for _, h := range o.Units.List {
		d.Units.Add(h)
	}
	d.Funcs = append(d.Funcs, o.Funcs...)
	if d.Totals == nil {
		d.Totals = o.Totals
	}
}

// units is a growing set of hits that keeps its size near the number of ids.
type units struct {
	List   []qa.UnitHit
	sorted int // list[:sorted] is sorted and unique
	room   *Room
}

func (u *units) Add(hit qa.UnitHit) {
	if len(u.List) == cap(u.List) {
		if len(u.List) > 2*u.sorted {
			u.Compact()
		}
		if !u.room.Fits(OfUnits, len(u.List)) {
			return
		}
	}
	u.List = append(u.List, hit)
}

// Compact sorts the list and joins what has one id.
func (u *units) Compact() []qa.UnitHit {
	if u.sorted < len(u.List) {
		u.List = JoinUnits(u.List)
		u.sorted = len(u.List)
	}
	return u.List
}

// JoinUnits sorts list in place and adds up the hits of equal ids.
func JoinUnits(list []qa.UnitHit) []qa.UnitHit {
	byID := func(a, b qa.UnitHit) int { return cmp.Compare(a.ID, b.ID) }
	if !slices.IsSortedFunc(list, byID) {
		slices.SortFunc(list, byID)
	}
	out := list[:0]
	for _, h := range list {
		if n := len(out); n > 0 && out[n-1].ID == h.ID {
			out[n-1].Hits = AddHits(out[n-1].Hits, h.Hits)
			out[n-1].Weight = max(out[n-1].Weight, h.Weight)
			continue
		}
		out = append(out, h)
	}
	return out
}

// JoinFuncs sorts funcs in place and joins those of one name and line.
func JoinFuncs(funcs []qa.FuncHit, hits func(a, b uint32) uint32) []qa.FuncHit {
	slices.SortStableFunc(funcs, func(a, b qa.FuncHit) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Name, b.Name))
	})
	out := funcs[:0]
	for _, f := range funcs {
		if n := len(out); n > 0 && out[n-1].Line == f.Line && out[n-1].Name == f.Name {
			out[n-1].Hits = hits(out[n-1].Hits, f.Hits)
			continue
		}
		out = append(out, f)
	}
	return out
}
