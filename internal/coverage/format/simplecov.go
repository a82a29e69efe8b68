package format

import (
	"bytes"
	"io"

	"github.com/org/qa-action/internal/coverage/measured"
	"github.com/org/qa-action/internal/jsonscan"
	"github.com/org/qa-action/internal/qa"
)

// SimpleCov is the JSON of SimpleCov for Ruby: coverage.json of its JSON formatter,
// and .resultset.json, which has one such "coverage" for every command that was
// measured. A file has an entry for each line: how often it ran, null for one that
// cannot run, "ignored" for one that is left out.
var SimpleCov = measured.Format{Name: "simplecov", Detects: detectSimpleCov, Read: readSimpleCov}

func detectSimpleCov(head []byte) bool {
	return measured.JsonKeys(head, "simplecov_version") || measured.JsonKeys(head, "coverage") && bytes.Contains(head, []byte(`.rb"`)) && !measured.JsonKeys(head, "statementMap")
}

func readSimpleCov(in io.Reader, rep *measured.Report) error {
	s := jsonscan.Strict(in)
	rep.StatementsAreLines = true
	found := false
	files := func() {
		found = true
		s.Object(func(key []byte) { simplecovFile(s, rep, string(key)) })
	}
	s.Object(func(key []byte) {
		switch string(key) {
		case "coverage":
			files()
		case "meta", "groups", "timestamp", "total", "errors":
		default: // a command of .resultset.json
			if s.Next() == jsonscan.Object {
				s.Object(func(key []byte) {
					if string(key) == "coverage" {
						files()
					}
				})
			}
		}
	})
	if s.Err() == nil && !found {
		s.Fail(`no "coverage", expected one as SimpleCov writes`)
	}
	return s.End()
}

func simplecovFile(s *jsonscan.Scanner, rep *measured.Report, name string) {
	if name == "" || len(name) > measured.MaxFileName {
		s.Fail("a file name of %d bytes, expected 1 to %d", len(name), measured.MaxFileName)
		return
	}
	f := rep.File(name, "")
	lines := func() {
		n := int32(0)
		s.Array(func() {
			n++
			at := s.Line()
			switch s.Next() {
			case jsonscan.Number:
				hits, ok := s.Int()
				if !ok || hits < 0 {
					s.Fail("line %d of %.80q ran %d times, expected a number of at least 0", n, name, hits)
					return
				}
				rep.Hit(f, at, qa.LineHit{Line: n, Hits: uint32(min(hits, 1<<32-1))})
			case jsonscan.Null, jsonscan.String, jsonscan.End: // a list that ends early is told by the scanner
			default:
				s.Fail("line %d of %.80q is neither a number nor null", n, name)
			}
		})
	}
	defer rep.Done(f)
	if s.Next() == jsonscan.Array { // before SimpleCov 0.18
		lines()
		return
	}
	s.Object(func(key []byte) {
		if string(key) == "lines" {
			lines()
		}
	})
}
