package format

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/org/qa-action/internal/coverage/measured"
	"github.com/org/qa-action/internal/jsonscan"
	"github.com/org/qa-action/internal/qa"
)

// Istanbul is the JSON of istanbul's coverage maps: coverage-final.json, as
// written by nyc, c8, jest and vitest, and coverage-summary.json, which has
// totals but no lines. A line is executable when a statement begins on it, and
// its count is the largest of those statements, as istanbul itself counts.
var Istanbul = measured.Format{Name: "istanbul", Detects: detectIstanbul, Read: readIstanbul}

func detectIstanbul(head []byte) bool {
	if measured.JsonKeys(head, "statementMap") || measured.JsonKeys(head, "total", "pct", "statements") {
		return true
	}
	// A first file with a long source map, or a map of no files.
	return measured.JsonKeys(head, "path") && measured.JsonKeys(head, "inputSourceMap") || measured.JsonKeys(head) && len(head) < 8 && strings.Join(strings.Fields(string(head)), "") == "{}"
}

// istanbulFile collects one file's maps and counters, which come in any order.
type istanbulFile struct {
	path       string
	final      bool // maps were seen
	summary    bool
	statements []istanbulPlace
	functions  []istanbulPlace
	branches   []istanbulPlace
	s, f       []istanbulCount
	b          []istanbulArms
	totals     measured.Totals
	held       int // of the lists, together
	names      int // bytes
}

type istanbulPlace struct {
	id   uint64
	line int32
	key  uint64 // identity across reports
	name string
}

type istanbulCount struct {
	id   uint64
	hits uint32
}

type istanbulArms struct {
	id   uint64
	hits []uint32
}

func readIstanbul(in io.Reader, rep *measured.Report) error {
	s := jsonscan.Strict(in)
	rep.Branches, rep.Functions, rep.Statements = true, true, true
	var file istanbulFile
	s.Object(func(key []byte) {
		if string(key) == "total" {
			return // counted from the files
		}
		name := string(key)
		if name == "" || len(name) > measured.MaxFileName {
			s.Fail("a file name of %d bytes, expected 1 to %d", len(name), measured.MaxFileName)
			return
		}
		at := s.Line()
		file.reset()
		file.read(s, rep)
		if s.Err() != nil {
			return
		}
		if !file.final && !file.summary {
			s.Fail("%.80q has neither statementMap nor lines, expected a file of coverage-final.json or coverage-summary.json", name)
			return
		}
		if file.path != "" {
			name = file.path
		}
		f := rep.File(name, "")
		file.finish(rep, f, at)
		rep.Done(f)
	})
	return s.End()
}

func (f *istanbulFile) reset() {
	*f = istanbulFile{statements: f.statements[:0], functions: f.functions[:0], branches: f.branches[:0], s: f.s[:0], f: f.f[:0], b: f.b[:0]}
}

func (f *istanbulFile) read(s *jsonscan.Scanner, rep *measured.Report) {
	s.Object(func(key []byte) {
		switch string(key) {
		case "path":
			f.path = string(s.Text(measured.MaxFileName + 1))
			if len(f.path) > measured.MaxFileName {
				s.Fail("a path longer than %d bytes", measured.MaxFileName)
			}
		case "data": // older maps wrap the file
			f.read(s, rep)
		case "statementMap":
			f.final = true
			s.Object(func(key []byte) { keep(f, rep, &f.statements, statement(s, idOf(key))) })
		case "fnMap":
			s.Object(func(key []byte) {
				p := function(s, idOf(key))
				f.names += len(p.name)
				keep(f, rep, &f.functions, p)
			})
		case "branchMap":
			s.Object(func(key []byte) { keep(f, rep, &f.branches, branch(s, idOf(key))) })
		case "s":
			s.Object(func(key []byte) { keep(f, rep, &f.s, istanbulCount{idOf(key), istanbulHits(s, rep)}) })
		case "f":
			s.Object(func(key []byte) { keep(f, rep, &f.f, istanbulCount{idOf(key), istanbulHits(s, rep)}) })
		case "b":
			s.Object(func(key []byte) {
				arms := istanbulArms{id: idOf(key)}
				s.Array(func() { keep(f, rep, &arms.hits, istanbulHits(s, rep)) })
				keep(f, rep, &f.b, arms)
			})
		case "lines":
			f.summary = true
			f.totals.Lines = istanbulTotal(s)
		case "statements":
			f.totals.Statements = istanbulTotal(s)
		case "functions":
			f.totals.Functions = istanbulTotal(s)
		case "branches":
			f.totals.Branches = istanbulTotal(s)
		}
	})
}

// keep collects what a file consists of while it is read, as far as there may be
// room for it when it is whole.
func keep[T any](f *istanbulFile, rep *measured.Report, list *[]T, one T) {
	if rep.Room.Fits(measured.OfUnits, f.held) && rep.Room.Fits(measured.OfNames, f.names) {
		f.held++
		*list = append(*list, one)
	}
}

// idOf makes a number of a map's key: the keys are counters, nearly always.
func idOf(key []byte) uint64 {
	if n, rest, ok := measured.Atoi(key); ok && len(rest) == 0 && n < math.MaxInt32 {
		return uint64(n)
	}
	return measured.HashID(0, key)
}

func istanbulHits(s *jsonscan.Scanner, rep *measured.Report) uint32 {
	n, ok := s.Int()
	switch {
	case !ok && s.Err() == nil:
		rep.Note("hit count that is no number, taken as 0", s.Line())
	case n < 0:
		rep.Note("negative hit count, taken as 0", s.Line())
	}
	return uint32(max(0, min(n, math.MaxUint32)))
}

func istanbulTotal(s *jsonscan.Scanner) *qa.Count {
	c := &qa.Count{}
	s.Object(func(key []byte) {
		switch string(key) {
		case "total":
			c.Total = int(measured.Int32Of(s))
		case "covered":
			c.Covered = int(measured.Int32Of(s))
		}
	})
	c.Covered = min(c.Covered, c.Total)
	return c
}

// location reads {start: {line, column}, end: {line, column}}.
func location(s *jsonscan.Scanner) (l [4]int32) {
	s.Object(func(key []byte) {
		i := 0
		switch string(key) {
		case "start":
		case "end":
			i = 2
		default:
			return
		}
		s.Object(func(key []byte) {
			switch string(key) {
			case "line":
				l[i] = measured.Int32Of(s)
			case "column":
				l[i+1] = measured.Int32Of(s)
			}
		})
	})
	return l
}

// locationKey is the identity of what lies at a location: packed where line and
// columns are small, as they nearly always are, else hashed.
func locationKey(l [4]int32) uint64 {
	span := l[2] - l[0]
	if l[0] < 1<<21 && l[1] < 1<<14 && span >= 0 && span < 1<<14 && l[3] < 1<<14 {
		return uint64(l[0])<<42 | uint64(l[1])<<28 | uint64(span)<<14 | uint64(l[3])
	}
	return measured.HashID(l[0], fmt.Appendf(nil, "%d,%d,%d", l[1], l[2], l[3]))
}

func statement(s *jsonscan.Scanner, id uint64) istanbulPlace {
	l := location(s)
	return istanbulPlace{id: id, line: l[0], key: locationKey(l)}
}

func function(s *jsonscan.Scanner, id uint64) istanbulPlace {
	p := istanbulPlace{id: id}
	var decl, loc, line int32
	s.Object(func(key []byte) {
		switch string(key) {
		case "name":
			p.name = string(s.Text(measured.MaxFileName))
		case "decl":
			decl = location(s)[0]
		case "loc":
			loc = location(s)[0]
		case "line":
			line = measured.Int32Of(s)
		}
	})
	p.line = cmp.Or(decl, loc, line)
	return p
}

func branch(s *jsonscan.Scanner, id uint64) istanbulPlace {
	p := istanbulPlace{id: id}
	var loc [4]int32
	var line int32
	var kind uint64
	s.Object(func(key []byte) {
		switch string(key) {
		case "loc":
			loc = location(s)
		case "line":
			line = measured.Int32Of(s)
		case "type":
			kind = measured.HashID(0, s.Text(measured.MaxFileName))
		}
	})
	p.line = cmp.Or(loc[0], line)
	p.key = locationKey(loc) ^ kind>>1
	return p
}
