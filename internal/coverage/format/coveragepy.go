package format

import (
	"bytes"
	"cmp"
	"io"
	"math"
	"slices"

	"github.com/org/qa-action/internal/coverage/measured"
	"github.com/org/qa-action/internal/jsonscan"
	"github.com/org/qa-action/internal/qa"
)

// Coveragepy is what "coverage json" writes, formats 1 to 3 (coverage.py 5.0 to
// 7): https://coverage.readthedocs.io/en/latest/commands/cmd_json.html. Its
// statements are lines. Branches come as pairs of line numbers since 7.2,
// before that as numbers only; functions since 7.6.
var Coveragepy = measured.Format{Name: "coveragepy", Detects: detectCoveragepy, Read: readCoveragepy}

func detectCoveragepy(head []byte) bool {
	return measured.JsonKeys(head, "meta", "files") && (measured.JsonKeys(head, "executed_lines") || measured.JsonKeys(head, "branch_coverage"))
}

func readCoveragepy(in io.Reader, rep *measured.Report) error {
	s := jsonscan.Strict(in)
	rep.StatementsAreLines = true
	var py pyFile
	s.Object(func(key []byte) {
		switch string(key) {
		case "meta":
			s.Object(func(key []byte) {
				if string(key) == "branch_coverage" && s.Bool() {
					rep.Branches = true
				}
			})
		case "files":
			s.Object(func(key []byte) {
				if len(key) == 0 || len(key) > measured.MaxFileName {
					s.Fail("a file name of %d bytes, expected 1 to %d", len(key), measured.MaxFileName)
					return
				}
				f := rep.File(string(key), "")
				py.read(s, rep, f)
				rep.Done(f)
			})
		}
	})
	return s.End()
}

// pyFile holds the line lists of the file being read; its memory serves the next.
type pyFile struct {
	executed, missing, excluded []int32
	covered                     int // -1 when the summary does not say
	branches                    qa.Count
	mixed                       map[*measured.File]pyMixed
}

// pyMixed are lines that ran, of which more than those covered are listed.
type pyMixed struct {
	executed    []int32
	covered, at int
}

func (py *pyFile) read(s *jsonscan.Scanner, rep *measured.Report, f *measured.File) {
	*py = pyFile{executed: py.executed[:0], missing: py.missing[:0], excluded: py.excluded[:0], covered: -1, mixed: py.mixed}
	list := func(to *[]int32) {
		s.Ints(func(n int64, _ bool) {
			if rep.Room.Fits(measured.OfLines, len(*to)) {
				*to = append(*to, int32(max(0, min(n, math.MaxInt32))))
			}
		})
	}
	s.Object(func(key []byte) {
		switch string(key) {
		case "executed_lines":
			list(&py.executed)
		case "missing_lines":
			list(&py.missing)
		case "excluded_lines":
			list(&py.excluded)
		case "executed_branches":
			coveragepyArcs(s, f, 1)
		case "missing_branches":
			coveragepyArcs(s, f, 0)
		case "functions":
			rep.Functions = true
			s.Object(func(key []byte) {
				if len(key) == 0 { // what lies outside functions
					return
				}
				coveragepyFunction(s, f, string(key))
			})
		case "summary":
			s.Object(func(key []byte) {
				switch string(key) {
				case "covered_lines":
					py.covered = int(measured.Int32Of(s))
				case "num_branches":
					py.branches.Total = int(measured.Int32Of(s))
				case "covered_branches":
					py.branches.Covered = int(measured.Int32Of(s))
				}
			})
		}
	})
	if rep.Branches && py.branches.Total > 0 && len(f.Arms.List) == 0 {
		f.Totals = &measured.Totals{Branches: &qa.Count{Covered: min(py.branches.Covered, py.branches.Total), Total: py.branches.Total}}
	}
	py.lines(rep, f, s.Line())
}

// lines adds the file's lines. What ran without being a statement is dropped: it
// is listed and not counted.
func (py *pyFile) lines(rep *measured.Report, f *measured.File, at int) {
	for _, n := range py.missing {
		rep.Hit(f, at, qa.LineHit{Line: n})
	}
	py.executed = without(py.executed, py.excluded)
	if py.covered < 0 || len(py.executed) <= py.covered {
		ranLines(rep, f, at, py.executed)
		return
	}
	if py.mixed == nil {
		py.mixed = map[*measured.File]pyMixed{}
		mixed := py.mixed
		rep.Complete = func(f *measured.File, src func() []byte) string {
			if m, ok := mixed[f]; ok {
				return m.settle(rep, f, src())
			}
			return ""
		}
	}
	rep.Room.Take(measured.OfLines, len(py.executed))
	py.mixed[f] = pyMixed{slices.Clone(py.executed), py.covered, at}
}

// settle adds those of the lines that are statements.
func (m pyMixed) settle(rep *measured.Report, f *measured.File, src []byte) string {
	rep.Room.Take(measured.OfLines, -len(m.executed)) // they are counted again as what is left of them
	left := statementsOf(m.executed, src, len(m.executed)-m.covered)
	ranLines(rep, f, m.at, left)
	if len(left) != m.covered {
		return "file whose executed lines are not all statements"
	}
	return ""
}

func ranLines(rep *measured.Report, f *measured.File, at int, list []int32) {
	for _, n := range list {
		rep.Hit(f, at, qa.LineHit{Line: n, Hits: 1})
	}
}

// without takes the lines out of list that stand in other.
func without(list, other []int32) []int32 {
	if len(other) == 0 {
		return list
	}
	slices.Sort(other)
	return slices.DeleteFunc(list, func(n int32) bool {
		_, ok := slices.BinarySearch(other, n)
		return ok
	})
}

// statementsOf drops the extra lines that ran without being statements, which
// coverage.py lists and does not count: line 0, and docstrings of modules and
// classes. Without source only a module's docstring can be told, the first line.
func statementsOf(executed []int32, src []byte, extra int) []int32 {
	drop := func(list []int32, is func(n int32) bool) []int32 {
		return slices.DeleteFunc(list, func(n int32) bool {
			if extra > 0 && is(n) {
				extra--
				return true
			}
			return false
		})
	}
	left := drop(slices.Clone(executed), func(n int32) bool { return n <= 0 })
	slices.Sort(left)
	if src == nil {
		if extra == 1 {
			left = left[1:]
		}
		return left
	}
	text := bytes.Split(src, []byte{'\n'})
	return drop(left, func(n int32) bool {
		if int(n) > len(text) {
			return false
		}
		line := bytes.TrimLeft(text[n-1], " \trRuU\uFEFF")
		return bytes.HasPrefix(line, []byte(`"`)) || bytes.HasPrefix(line, []byte(`'`))
	})
}

// coveragepyArcs reads [[from, to], …]; a negative to is the exit of a function.
func coveragepyArcs(s *jsonscan.Scanner, f *measured.File, hits uint32) {
	s.Array(func() {
		var arc [2]int32
		i := 0
		s.Array(func() {
			if n, _ := s.Int(); i < 2 {
				arc[i] = int32(max(min(n, math.MaxInt32), math.MinInt32))
			}
			i++
		})
		if i != 2 && s.Err() == nil {
			s.Fail("a branch of %d numbers, expected [from, to]", i)
		}
		f.Arms.Add(qa.UnitHit{ID: uint64(uint32(arc[0]))<<32 | uint64(uint32(arc[1])), Line: max(arc[0], 0), Hits: hits, Weight: 1})
	})
}

// coveragepyFunction counts a function as called when one of its lines ran.
func coveragepyFunction(s *jsonscan.Scanner, f *measured.File, name string) {
	fn := qa.FuncHit{Name: name}
	first, lines := int64(0), 0
	s.Object(func(key []byte) {
		executed := string(key) == "executed_lines"
		switch string(key) {
		case "executed_lines", "missing_lines":
			s.Ints(func(n int64, _ bool) {
				lines++
				if executed {
					fn.Hits = 1
				}
				if first == 0 || n < first {
					first = n
				}
			})
		case "start_line":
			fn.Line = measured.Int32Of(s)
		}
	})
	fn.Line = cmp.Or(fn.Line, int32(max(0, min(first, math.MaxInt32))))
	if lines > 0 {
		f.Function(fn)
	}
}
