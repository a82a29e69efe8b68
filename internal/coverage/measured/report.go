// Package measured holds what one coverage report says while it is read: its
// files with lines, arms and functions, counted and bounded, and the paths of the
// tree that its names stand for. The readers in package format fill a [Report].
package measured

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/org/qa-action/internal/qa"
)

// Report is what a format's reader fills: files under the names the report
// uses, in any order, with repetitions.
type Report struct {
	name   string
	format string
	Files  map[fileKey]*File
	Order  []*File
	// Sources are directories that file names may be relative to.
	Sources []string
	// The metrics that the report has; others stay nil.
	Branches, Functions, Statements bool
	// statementsAreLines: the format has no other statements than lines.
	StatementsAreLines bool
	notes              map[string]*note
	noteOrder          []string
	Room               *Room
	Last               *File // the one begun or gone on with last
}

type fileKey struct{ name, hint string }

// note is a warning that may occur many times.
type note struct{ count, line int }

// File is one file of a report.
type File struct {
	Name string
	hint string // a folder that the file's path contains, like a module's name
	Max  bool   // repeated lines: the larger count, instead of the sum

	Lines       []qa.LineHit
	LinesSorted bool
	counted     [2]int // lines, arms and statements that the room knows of
	Room        *Room
	Arms        units
	Units       units
	Funcs       []qa.FuncHit
	// Totals of a report that has no details
	Totals *Totals
	// Settle, when set, finishes the lines once the file is mapped: src is its
	// text, nil when it cannot be read. It returns a warning or "".
	Settle func(src []byte) string
}

// Totals are the numbers a report gives for a file beside or instead of lines.
type Totals struct {
	Lines, Statements, Branches, Functions *qa.Count
	// OffLine says that branches includes arms on lines that the format cannot
	// list because they are not executable.
	OffLine bool
}

func New(name, format string, room *Room) *Report {
	return &Report{name: name, format: format, Room: room, Files: map[fileKey]*File{}, notes: map[string]*note{}}
}

// File finds or begins a file. Where there is no room for one more it is not
// kept.
func (r *Report) File(name, hint string) *File {
	r.Settle()
	r.Last = r.Files[fileKey{name, hint}]
	if r.Last == nil {
		r.Last = &File{Name: name, hint: hint, LinesSorted: true, Room: r.Room, Arms: units{room: r.Room}, Units: units{room: r.Room}}
		if r.Room.Take(OfFiles, 1) && r.Room.Take(OfNames, len(name)) {
			r.Files[fileKey{name, hint}] = r.Last
			r.Order = append(r.Order, r.Last)
		}
	}
	return r.Last
}

// Settle counts what the last file has grown by.
func (r *Report) Settle() {
	if f := r.Last; f != nil {
		now := [2]int{len(f.Lines), len(f.Arms.List) + len(f.Units.List)}
		r.Room.Take(OfLines, now[0]-f.counted[0])
		r.Room.Take(OfUnits, now[1]-f.counted[1])
		f.counted = now
	}
}

// Note counts a warning; text is completed as "n × text (first in line m)".
func (r *Report) Note(text string, line int) {
	n := r.notes[text]
	if n == nil {
		if len(r.notes) >= 50 {
			return
		}
		n = &note{line: line}
		r.notes[text] = n
		r.noteOrder = append(r.noteOrder, text)
	}
	n.count++
}

// Line adds an executable line.
func (f *File) Line(line int32, hits uint32, branches, taken uint16) {
	l := qa.LineHit{Line: line, Hits: hits, Branches: branches, BranchesTaken: taken}
	if len(f.Lines) == cap(f.Lines) {
		if f.Compact(); !f.Room.Fits(OfLines, len(f.Lines)-f.counted[0]) {
			return
		}
	}
	if n := len(f.Lines); n > 0 && line <= f.Lines[n-1].Line {
		if line == f.Lines[n-1].Line {
			f.joinLine(&f.Lines[n-1], l)
			return
		}
		f.LinesSorted = false
	}
	f.Lines = append(f.Lines, l)
}

// Function adds a function.
func (f *File) Function(fn qa.FuncHit) {
	if f.Room.Take(OfFunctions, 1) && f.Room.Take(OfNames, len(fn.Name)) {
		f.Funcs = append(f.Funcs, fn)
	}
}

// Compact sorts the lines and joins repeated ones.
func (f *File) Compact() {
	if f.LinesSorted {
		return
	}
	slices.SortStableFunc(f.Lines, func(a, b qa.LineHit) int { return cmp.Compare(a.Line, b.Line) })
	out := f.Lines[:0]
	for _, l := range f.Lines {
		if n := len(out); n > 0 && out[n-1].Line == l.Line {
			f.joinLine(&out[n-1], l)
			continue
		}
		out = append(out, l)
	}
	f.Lines, f.LinesSorted = out, true
}

func (f *File) joinLine(into *qa.LineHit, l qa.LineHit) {
	if f.Max {
		into.Hits = max(into.Hits, l.Hits)
	} else {
		into.Hits = AddHits(into.Hits, l.Hits)
	}
	into.Branches = max(into.Branches, l.Branches)
	into.BranchesTaken = max(into.BranchesTaken, l.BranchesTaken)
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
			u.compact()
		}
		if !u.room.Fits(OfUnits, len(u.List)) {
			return
		}
	}
	u.List = append(u.List, hit)
}

func (u *units) compact() []qa.UnitHit {
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

// Finish maps the files into the tree and counts.
func (r *Report) Finish(t *Tree) *qa.Coverage {
	cov := &qa.Coverage{Sources: []qa.CoverageSource{{Path: r.name, Format: r.format}}}
	r.Files = nil
	paths, warnings := t.resolve(r)
	byPath := make(map[string]*File, len(paths))
	for i, f := range r.Order {
		path := paths[i]
		if path == "" {
			r.Order[i] = nil
			continue
		}
		if f.Settle != nil {
			if text := f.Settle(t.source(path)); text != "" {
				r.Note(text, 0)
			}
		}
		f.Compact()
		r.Last = f
		r.Settle()
		if into := byPath[path]; into != nil {
			into.join(f)
			r.Order[i] = nil
			continue
		}
		byPath[path] = f
	}
	// What is made of a file takes its place: there may be room for one of both only.
	cov.Files = make([]qa.FileCoverage, 0, len(byPath))
	r.Last = nil
	for i, f := range r.Order {
		if f != nil {
			cov.Files = append(cov.Files, r.fileCoverage(paths[i], f))
		}
		r.Order[i] = nil
	}
	slices.SortFunc(cov.Files, func(a, b qa.FileCoverage) int { return cmp.Compare(a.Path, b.Path) })
	for _, text := range r.noteOrder {
		n := r.notes[text]
		where := ""
		if n.line > 0 {
			where = fmt.Sprintf(" (first in line %d)", n.line)
		}
		cov.Warnings = append(cov.Warnings, fmt.Sprintf("%s: %d × %s%s", r.name, n.count, text, where))
	}
	cov.Warnings = append(cov.Warnings, warnings...)
	Sum(cov)
	return cov
}

// join adds another name of the same file.
func (f *File) join(o *File) {
	for _, l := range o.Lines {
		f.Line(l.Line, l.Hits, l.Branches, l.BranchesTaken)
	}
	f.Compact()
	for _, h := range o.Arms.List {
		f.Arms.Add(h)
	}
	for _, h := range o.Units.List {
		f.Units.Add(h)
	}
	f.Funcs = append(f.Funcs, o.Funcs...)
	if f.Totals == nil {
		f.Totals = o.Totals
	}
}

func (r *Report) fileCoverage(path string, f *File) qa.FileCoverage {
	fc := qa.FileCoverage{Path: path, Lines: f.Lines, Arms: f.Arms.compact(), Units: f.Units.compact()}
	hits := AddHits
	if f.Max {
		hits = func(a, b uint32) uint32 { return max(a, b) }
	}
	fc.Funcs = JoinFuncs(f.Funcs, hits)
	Spread(&fc)
	claimed := Totals{}
	if f.Totals != nil {
		claimed = *f.Totals
	}
	fc.LineCount = r.prefer(CountLines(fc.Lines), claimed.Lines)
	if r.Branches {
		fc.Branches = CountBranches(&fc)
		if !claimed.OffLine || claimed.Branches.Total < fc.Branches.Total {
			fc.Branches = r.prefer(fc.Branches, claimed.Branches)
		} else {
			fc.Branches = claimed.Branches
		}
	}
	if r.Functions {
		// Without comparing: PHPUnit's total is of methods that ran whole.
		if fc.Functions = CountFuncs(fc.Funcs); fc.Functions.Total == 0 && claimed.Functions != nil {
			fc.Functions = claimed.Functions
		}
	}
	if r.StatementsAreLines {
		fc.Statements = fc.LineCount
	} else if r.Statements {
		fc.Statements = r.prefer(CountUnits(fc.Units), claimed.Statements)
	}
	return fc
}

// prefer takes what was counted, unless nothing was and the report claims a total.
func (r *Report) prefer(counted, claimed *qa.Count) *qa.Count {
	switch {
	case claimed == nil || *claimed == *counted:
		return counted
	case counted.Total == 0:
		return claimed
	}
	r.Note("total of a file that differs from its elements, which count", 0)
	return counted
}

const BadLine = "line number that is none, left out"

// Hit adds an executable line if its number can be one.
func (r *Report) Hit(f *File, at int, l qa.LineHit) {
	if l.Line <= 0 || l.Line == math.MaxInt32 {
		r.Note(BadLine, at)
		return
	}
	f.Line(l.Line, l.Hits, l.Branches, l.BranchesTaken)
}
