// Package measured holds what one coverage report says while it is read: its
// files with lines, arms and functions, counted and bounded, and the paths of the
// tree that its names stand for. The readers in package format fill a [Report].
package measured

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
)

// Report is what a format's reader fills: files under the names the report
// uses, in any order, with repetitions.
type Report struct {
	name   string
	format string
	byName map[string]map[string]*File // by hint and name; nil as long as names are in order
	hints  map[*File]string            // a folder that a file's path contains, like a module's name
	Order  []*File
	// Sources are directories that file names may be relative to.
	Sources []string
	// The metrics that the report has; others stay nil.
	Branches, Functions, Statements bool
	// statementsAreLines: the format has no other statements than lines.
	StatementsAreLines bool
	// Complete, when set, finishes each file once it is mapped: src gives its text, nil
	// when it cannot be read. It returns a warning or "".
	Complete func(f *File, src func() []byte) string
	notes    notes
	Room     *Room
	Last     *File // the one begun or gone on with last
	memory   memory
}

// memory is what files are made of.
type memory struct {
	files   []File
	spare   *Detail // of a file that was put away
	written []byte
	page    *strings.Builder // has what is put away; it never grows, so texts of it stay
}

// keep gives the text of some bytes, many texts in one piece of memory.
func (m *memory) keep(text []byte) string {
	const page = 16 << 10
	if m.page == nil || m.page.Cap()-m.page.Len() < len(text) {
		m.page = &strings.Builder{}
		m.page.Grow(max(page, len(text)))
	}
	from := m.page.Len()
	m.page.Write(text)
	return m.page.String()[from:]
}

// note is a warning that may occur many times.
type note struct{ count, line int }

// notes are warnings in the order in which they were first met.
type notes struct {
	known map[string]*note
	order []string
}

func New(name, format string, room *Room) *Report {
	return &Report{name: name, format: format, Room: room, notes: notes{known: map[string]*note{}}}
}

// File finds or begins a file. Where there is no room for one more it is not
// kept.
func (r *Report) File(name, hint string) *File {
	r.Settle()
	f := r.find(name, hint)
	switch {
	case f == nil:
		f = r.begin(name, hint)
	case f.Detail == nil:
		r.open(f)
		f.again = true
	}
	r.Last = f
	return f
}

func (r *Report) begin(name, hint string) *File {
	m := &r.memory
	if len(m.files) == 0 {
		m.files = make([]File, 256)
	}
	f := &m.files[0]
	m.files = m.files[1:]
	*f = File{Detail: r.empty(), Name: name}
	if hint != "" {
		if r.hints == nil {
			r.hints = map[*File]string{}
		}
		r.hints[f] = hint
	}
	if r.Room.Take(OfFiles, 1) && r.Room.Take(OfNames, len(name)) {
		r.Order = append(r.Order, f)
		if r.byName != nil {
			r.know(f)
		}
	}
	return f
}

// find looks a file up among those before. Most reports name their files in order, and
// what comes after the last of them is new.
func (r *Report) find(name, hint string) *File {
	if r.byName == nil {
		last := len(r.Order) - 1
		switch {
		case hint != "":
		case last < 0 || r.Order[last].Name < name:
			return nil
		case r.Order[last].Name == name:
			return r.Order[last]
		}
		r.byName = map[string]map[string]*File{}
		for _, f := range r.Order {
			r.know(f)
		}
	}
	return r.byName[hint][name]
}

func (r *Report) know(f *File) {
	hint := r.hints[f]
	if r.byName[hint] == nil {
		r.byName[hint] = map[string]*File{}
	}
	r.byName[hint][f.Name] = f
}

// empty is a detail in which nothing stands.
func (r *Report) empty() *Detail {
	d := r.memory.spare
	if r.memory.spare = nil; d == nil {
		d = &Detail{}
	}
	*d = Detail{
		Lines: d.Lines[:0], LinesSorted: true, Funcs: d.Funcs[:0], Room: r.Room,
		Arms: units{List: d.Arms.List[:0], room: r.Room}, Units: units{List: d.Units.List[:0], room: r.Room},
	}
	return d
}

// open gets what is said of a file that was put away.
func (r *Report) open(f *File) {
	if f.Detail == nil {
		f.Detail = r.empty()
		f.read(f.away)
		f.away = ""
	}
}

// Done says that the report speaks of another file from here on: what is said of this one
// is put away, and its memory serves the next. One that is named again after that stays
// open, as in a report that names all its files many times.
func (r *Report) Done(f *File) {
	if f == r.Last && !f.again {
		r.Settle()
		r.Last = nil
		r.put(f)
	}
}

func (r *Report) put(f *File) {
	if f.Totals != nil {
		return
	}
	r.memory.written = f.write(r.memory.written[:0])
	f.away = r.memory.keep(r.memory.written)
	r.memory.spare, f.Detail = f.Detail, nil
}

// Each opens all files, in the report's order, one after the other.
func (r *Report) Each(use func(f *File)) {
	for _, f := range r.Order {
		r.open(f)
		use(f)
		f.Compact()
		r.Last = f
		r.Settle()
		r.Last = nil
		r.put(f)
	}
}

// Settle counts what the last file has grown by.
func (r *Report) Settle() {
	if f := r.Last; f != nil {
		now := f.size()
		r.Room.Take(OfLines, now[0]-f.counted[0])
		r.Room.Take(OfUnits, now[1]-f.counted[1])
		f.counted = now
	}
}

// size is how many lines, and arms and statements there are.
func (d *Detail) size() [2]int { return [2]int{len(d.Lines), len(d.Arms.List) + len(d.Units.List)} }

// Note counts a warning; text is completed as "n × text (first in line m)".
func (r *Report) Note(text string, line int) {
	n := r.notes.known[text]
	if n == nil {
		if len(r.notes.known) >= 50 {
			return
		}
		n = &note{line: line}
		r.notes.known[text] = n
		r.notes.order = append(r.notes.order, text)
	}
	n.count++
}

// Finish maps the files into the tree and counts. Where each is given it has the files one
// after the other, lent without their lines, and none is kept.
func (r *Report) Finish(t *Tree, each func(*qa.FileCoverage)) *qa.Coverage {
	cov := &qa.Coverage{Sources: []qa.CoverageSource{{Path: r.name, Format: r.format}}}
	r.byName = nil
	warnings := t.resolve(r)
	r.hints = nil
	if r.Complete != nil {
		r.Each(func(f *File) {
			if f.Name == "" || r.Room.Err != nil {
				return
			}
			if text := r.Complete(f, func() []byte { return t.source(f.Name) }); text != "" {
				r.Note(text, 0)
			}
		})
	}
	order := slices.DeleteFunc(r.Order, func(f *File) bool { return f.Name == "" })
	// By path, those of one path as they were named.
	slices.SortStableFunc(order, func(a, b *File) int { return strings.Compare(a.Name, b.Name) })
	r.Order = nil
	var fc qa.FileCoverage
	if each == nil {
		cov.Files = make([]qa.FileCoverage, 0, len(order))
	}
	for i := 0; i < len(order); {
		f := order[i]
		path := f.Name
		r.open(f)
		f.Compact()
		// What is made of a file takes its place: there may be room for one of both only.
		for order[i] = nil; i+1 < len(order) && order[i+1].Name == path; order[i] = nil {
			i++
			other := order[i]
			r.open(other)
			other.Compact()
			f.join(other.Detail)
			r.memory.spare, *other = other.Detail, File{}
		}
		i++
		fc = r.fileCoverage(path, f)
		add(cov, &fc)
		if each == nil {
			fc.Lines, fc.Funcs, fc.Arms, fc.Units = own(fc.Lines), own(fc.Funcs), own(fc.Arms), own(fc.Units)
			cov.Files = append(cov.Files, fc)
		} else {
			fc.Lines, fc.Funcs, fc.Arms, fc.Units = nil, nil, nil, nil
			each(&fc)
		}
		r.memory.spare, *f = f.Detail, File{}
	}
	for _, text := range r.notes.order {
		n := r.notes.known[text]
		where := ""
		if n.line > 0 {
			where = fmt.Sprintf(" (first in line %d)", n.line)
		}
		cov.Warnings = append(cov.Warnings, fmt.Sprintf("%s: %d × %s%s", r.name, n.count, text, where))
	}
	cov.Warnings = append(cov.Warnings, warnings...)
	return cov
}

// own is a copy of no more memory than needed; nothing of nothing.
func own[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return slices.Clone(list)
}

func (r *Report) fileCoverage(path string, f *File) qa.FileCoverage {
	fc := qa.FileCoverage{Path: path, Lines: f.Lines, Arms: f.Arms.Compact(), Units: f.Units.Compact()}
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
