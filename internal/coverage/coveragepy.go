package coverage

import (
	"io"

	"github.com/org/qa-action/internal/coverage/jsonscan"
	"github.com/org/qa-action/internal/qa"
)

// coveragepy is what "coverage json" writes, formats 1 to 3 (coverage.py 5.0 to
// 7): https://coverage.readthedocs.io/en/latest/commands/cmd_json.html. Its
// statements are lines. Branches come as pairs of line numbers since 7.2,
// before that as numbers only; functions since 7.6.
var coveragepy = Format{Name: "coveragepy", Detects: detectCoveragepy, read: readCoveragepy}

func detectCoveragepy(head []byte) bool {
	return jsonKeys(head, "meta", "files") && (jsonKeys(head, "executed_lines") || jsonKeys(head, "branch_coverage"))
}

func readCoveragepy(in io.Reader, rep *report) error {
	s := jsonscan.New(in)
	rep.statements = true
	s.Object(func(key []byte) {
		switch string(key) {
		case "meta":
			s.Object(func(key []byte) {
				if string(key) == "branch_coverage" && s.Bool() {
					rep.branches = true
				}
			})
		case "files":
			s.Object(func(key []byte) {
				if len(key) == 0 || len(key) > maxFileName {
					s.Fail("a file name of %d bytes, expected 1 to %d", len(key), maxFileName)
					return
				}
				coveragepyFile(s, rep, rep.file(string(key), ""))
			})
		}
	})
	return s.End()
}

func coveragepyFile(s *jsonscan.Scanner, rep *report, f *file) {
	branches := qa.Count{Total: -1}
	s.Object(func(key []byte) {
		switch string(key) {
		case "executed_lines":
			coveragepyLines(s, rep, f, 1)
		case "missing_lines":
			coveragepyLines(s, rep, f, 0)
		case "executed_branches":
			coveragepyArcs(s, f, 1)
		case "missing_branches":
			coveragepyArcs(s, f, 0)
		case "functions":
			rep.functions = true
			s.Object(func(key []byte) {
				if len(key) == 0 { // what lies outside functions
					return
				}
				coveragepyFunction(s, f, string(key))
			})
		case "summary":
			s.Object(func(key []byte) {
				switch string(key) {
				case "num_branches":
					n, _ := s.Int()
					branches.Total = int(max(n, 0))
				case "covered_branches":
					n, _ := s.Int()
					branches.Covered = int(max(n, 0))
				}
			})
		}
	})
	if rep.branches && branches.Total > 0 && len(f.arms.list) == 0 {
		f.totals = &totals{branches: &branches}
	}
}

func coveragepyLines(s *jsonscan.Scanner, rep *report, f *file, hits uint32) {
	s.Array(func() {
		n, ok := s.Int()
		if !ok || n <= 0 || n >= 1<<31-1 {
			if s.Err() == nil {
				rep.note(badLine, s.Line())
			}
			return
		}
		f.line(int32(n), hits, 0, 0)
		f.units.add(qa.UnitHit{ID: uint64(n), Line: int32(n), Hits: hits, Weight: 1})
	})
}

// coveragepyArcs reads [[from, to], …]; a negative to is the exit of a function.
func coveragepyArcs(s *jsonscan.Scanner, f *file, hits uint32) {
	s.Array(func() {
		var arc [2]int32
		i := 0
		s.Array(func() {
			if n, _ := s.Int(); i < 2 {
				arc[i] = int32(max(min(n, 1<<31-1), -1<<31))
			}
			i++
		})
		if i != 2 && s.Err() == nil {
			s.Fail("a branch of %d numbers, expected [from, to]", i)
		}
		f.arms.add(qa.UnitHit{ID: uint64(uint32(arc[0]))<<32 | uint64(uint32(arc[1])), Line: max(arc[0], 0), Hits: hits, Weight: 1})
	})
}

// coveragepyFunction counts a function as called when one of its lines ran.
func coveragepyFunction(s *jsonscan.Scanner, f *file, name string) {
	fn := qa.FuncHit{Name: name}
	first, lines := int64(0), 0
	s.Object(func(key []byte) {
		executed := string(key) == "executed_lines"
		switch string(key) {
		case "executed_lines", "missing_lines":
			s.Array(func() {
				n, _ := s.Int()
				lines++
				if executed {
					fn.Hits = 1
				}
				if first == 0 || n < first {
					first = n
				}
			})
		case "start_line":
			if n, ok := s.Int(); ok {
				fn.Line = int32(max(0, min(n, 1<<31-1)))
			}
		}
	})
	if fn.Line == 0 {
		fn.Line = int32(max(0, min(first, 1<<31-1)))
	}
	if lines > 0 {
		f.funcs = append(f.funcs, fn)
	}
}
