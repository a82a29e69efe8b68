package coverage

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/org/qa-action/internal/qa"
)

// report is what a format's reader fills: files under the names the report
// uses, in any order, with repetitions.
type report struct {
	name   string
	format string
	files  map[fileKey]*file
	order  []*file
	// sources are directories that file names may be relative to.
	sources []string
	// The metrics that the report has; others stay nil.
	branches, functions, statements bool
	// statementsAreLines: the format has no other statements than lines.
	statementsAreLines bool
	notes              map[string]*note
	noteOrder          []string
	room               *room
	last               *file // the one begun or gone on with last
}

type fileKey struct{ name, hint string }

// note is a warning that may occur many times.
type note struct{ count, line int }

// file is one file of a report.
type file struct {
	name string
	hint string // a folder that the file's path contains, like a module's name
	max  bool   // repeated lines: the larger count, instead of the sum

	lines       []qa.LineHit
	linesSorted bool
	counted     [2]int // lines, arms and statements that the room knows of
	room        *room
	arms        units
	units       units
	funcs       []qa.FuncHit
	// totals of a report that has no details
	totals *totals
	// settle, when set, finishes the lines once the file is mapped: src is its
	// text, nil when it cannot be read. It returns a warning or "".
	settle func(src []byte) string
}

// totals are the numbers a report gives for a file beside or instead of lines.
type totals struct {
	lines, statements, branches, functions *qa.Count
	// offLine says that branches includes arms on lines that the format cannot
	// list because they are not executable.
	offLine bool
}

func newReport(name, format string, room *room) *report {
	return &report{name: name, format: format, room: room, files: map[fileKey]*file{}, notes: map[string]*note{}}
}

// file finds or begins a file. Where there is no room for one more it is not
// kept.
func (r *report) file(name, hint string) *file {
	f := r.files[fileKey{name, hint}]
	r.settle()
	defer func() { r.last = f }()
	if f == nil {
		f = &file{name: name, hint: hint, linesSorted: true, room: r.room, arms: units{room: r.room}, units: units{room: r.room}}
		if !r.room.take(ofFiles, 1) || !r.room.take(ofNames, len(name)) {
			return f
		}
		r.files[fileKey{name, hint}] = f
		r.order = append(r.order, f)
	}
	return f
}

// settle counts what the last file has grown by.
func (r *report) settle() {
	if f := r.last; f != nil {
		now := [2]int{len(f.lines), len(f.arms.list) + len(f.units.list)}
		r.room.take(ofLines, now[0]-f.counted[0])
		r.room.take(ofUnits, now[1]-f.counted[1])
		f.counted = now
	}
}

// note counts a warning; text is completed as "n × text (first in line m)".
func (r *report) note(text string, line int) {
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

// line adds an executable line.
func (f *file) line(line int32, hits uint32, branches, taken uint16) {
	l := qa.LineHit{Line: line, Hits: hits, Branches: branches, BranchesTaken: taken}
	if len(f.lines) == cap(f.lines) {
		if f.compact(); !f.room.fits(ofLines, len(f.lines)-f.counted[0]) {
			return
		}
	}
	if n := len(f.lines); n > 0 && line <= f.lines[n-1].Line {
		if line == f.lines[n-1].Line {
			f.joinLine(&f.lines[n-1], l)
			return
		}
		f.linesSorted = false
	}
	f.lines = append(f.lines, l)
}

// function adds a function.
func (f *file) function(fn qa.FuncHit) {
	if f.room.take(ofFunctions, 1) && f.room.take(ofNames, len(fn.Name)) {
		f.funcs = append(f.funcs, fn)
	}
}

// compact sorts the lines and joins repeated ones.
func (f *file) compact() {
	if f.linesSorted {
		return
	}
	slices.SortStableFunc(f.lines, func(a, b qa.LineHit) int { return cmp.Compare(a.Line, b.Line) })
	out := f.lines[:0]
	for _, l := range f.lines {
		if n := len(out); n > 0 && out[n-1].Line == l.Line {
			f.joinLine(&out[n-1], l)
			continue
		}
		out = append(out, l)
	}
	f.lines, f.linesSorted = out, true
}

func (f *file) joinLine(into *qa.LineHit, l qa.LineHit) {
	if f.max {
		into.Hits = max(into.Hits, l.Hits)
	} else {
		into.Hits = addHits(into.Hits, l.Hits)
	}
	into.Branches = max(into.Branches, l.Branches)
	into.BranchesTaken = max(into.BranchesTaken, l.BranchesTaken)
}

func addHits(a, b uint32) uint32 {
	if a > math.MaxUint32-b {
		return math.MaxUint32
	}
	return a + b
}

// units is a growing set of hits that keeps its size near the number of ids.
type units struct {
	list   []qa.UnitHit
	sorted int // list[:sorted] is sorted and unique
	room   *room
}

func (u *units) add(hit qa.UnitHit) {
	if len(u.list) == cap(u.list) {
		if len(u.list) > 2*u.sorted {
			u.compact()
		}
		if !u.room.fits(ofUnits, len(u.list)) {
			return
		}
	}
	u.list = append(u.list, hit)
}

func (u *units) compact() []qa.UnitHit {
	if u.sorted < len(u.list) {
		u.list = joinUnits(u.list)
		u.sorted = len(u.list)
	}
	return u.list
}

// joinUnits sorts list in place and adds up the hits of equal ids.
func joinUnits(list []qa.UnitHit) []qa.UnitHit {
	byID := func(a, b qa.UnitHit) int { return cmp.Compare(a.ID, b.ID) }
	if !slices.IsSortedFunc(list, byID) {
		slices.SortFunc(list, byID)
	}
	out := list[:0]
	for _, h := range list {
		if n := len(out); n > 0 && out[n-1].ID == h.ID {
			out[n-1].Hits = addHits(out[n-1].Hits, h.Hits)
			continue
		}
		out = append(out, h)
	}
	return out
}

// joinFuncs sorts funcs in place and joins those of one name and line.
func joinFuncs(funcs []qa.FuncHit, hits func(a, b uint32) uint32) []qa.FuncHit {
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

// finish maps the files into the tree and counts.
func (r *report) finish(t *tree) *qa.Coverage {
	cov := &qa.Coverage{Sources: []qa.CoverageSource{{Path: r.name, Format: r.format}}}
	paths, warnings := t.resolve(r)
	byPath := map[string]*file{}
	for i, f := range r.order {
		path := paths[i]
		if path == "" {
			continue
		}
		if f.settle != nil {
			if text := f.settle(t.source(path)); text != "" {
				r.note(text, 0)
			}
		}
		f.compact()
		r.last = f
		r.settle()
		if into := byPath[path]; into != nil {
			into.join(f)
			continue
		}
		byPath[path] = f
	}
	for path, f := range byPath {
		cov.Files = append(cov.Files, r.fileCoverage(path, f))
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
	sum(cov)
	return cov
}

// join adds another name of the same file.
func (f *file) join(o *file) {
	for _, l := range o.lines {
		f.line(l.Line, l.Hits, l.Branches, l.BranchesTaken)
	}
	f.compact()
	for _, h := range o.arms.list {
		f.arms.add(h)
	}
	for _, h := range o.units.list {
		f.units.add(h)
	}
	f.funcs = append(f.funcs, o.funcs...)
	if f.totals == nil {
		f.totals = o.totals
	}
}

func (r *report) fileCoverage(path string, f *file) qa.FileCoverage {
	fc := qa.FileCoverage{Path: path, Lines: f.lines, Arms: f.arms.compact(), Units: f.units.compact()}
	hits := addHits
	if f.max {
		hits = func(a, b uint32) uint32 { return max(a, b) }
	}
	fc.Funcs = joinFuncs(f.funcs, hits)
	spread(&fc)
	claimed := totals{}
	if f.totals != nil {
		claimed = *f.totals
	}
	fc.LineCount = r.prefer(countLines(fc.Lines), claimed.lines)
	if r.branches {
		fc.Branches = countBranches(&fc)
		if !claimed.offLine || claimed.branches.Total < fc.Branches.Total {
			fc.Branches = r.prefer(fc.Branches, claimed.branches)
		} else {
			fc.Branches = claimed.branches
		}
	}
	if r.functions {
		// Without comparing: PHPUnit's total is of methods that ran whole.
		if fc.Functions = countFuncs(fc.Funcs); fc.Functions.Total == 0 && claimed.functions != nil {
			fc.Functions = claimed.functions
		}
	}
	if r.statementsAreLines {
		fc.Statements = fc.LineCount
	} else if r.statements {
		fc.Statements = r.prefer(countUnits(fc.Units), claimed.statements)
	}
	return fc
}

// prefer takes what was counted, unless nothing was and the report claims a total.
func (r *report) prefer(counted, claimed *qa.Count) *qa.Count {
	switch {
	case claimed == nil || *claimed == *counted:
		return counted
	case counted.Total == 0:
		return claimed
	}
	r.note("total of a file that differs from its elements, which count", 0)
	return counted
}

const badLine = "line number that is none, left out"

// hit adds an executable line if its number can be one.
func (r *report) hit(f *file, at int, line int32, hits uint32, branches, taken uint16) {
	if line <= 0 || line == math.MaxInt32 {
		r.note(badLine, at)
		return
	}
	f.line(line, hits, branches, taken)
}
