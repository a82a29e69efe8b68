// Package gotest reads the stream of go test -json.
package gotest

import (
	"bufio"
	"bytes"
	"errors"
	"strings"

	"github.com/org/qa-action/internal/jsonscan"
	"github.com/org/qa-action/internal/testreport/collect"
)

// The format of `go test -json`: one event per line, documented by
// `go doc test2json`; build-output and build-fail by `go help buildjson`. What
// is not an event (build errors of Go before 1.24, output of other programs) is
// read for the "FAIL pkg [build failed]" lines of the go command.

func Is(head []byte) bool {
	for line := range bytes.Lines(head) {
		if line[0] == '{' && bytes.Contains(line, []byte(`"Action":"`)) &&
			(bytes.Contains(line, []byte(`"Package":"`)) || bytes.Contains(line, []byte(`"ImportPath":"`))) {
			return true
		}
	}
	return false
}

// goEvent is one line. The byte slices are valid until the next event.
type goEvent struct {
	action, pkg, test, output, importPath, failedBuild []byte
	elapsed                                            float64
	memory                                             []byte
}

func Read(r *bufio.Reader, c *collect.Collector) error {
	run := newGoRun(c)
	var (
		scan  jsonscan.Scanner
		event goEvent
	)
	_, err := collect.Lines(r, c, func(number int, line []byte) error {
		text := bytes.TrimSpace(line)
		switch {
		case len(text) == 0:
		case text[0] != '{':
			run.plain(text)
		default:
			scan.Reset(text)
			if event.parse(&scan) == nil {
				return run.event(&event)
			}
			if line[len(line)-1] != '\n' {
				_ = run.finish() // the cut is the worse of the two
				return &collect.Error{Line: number, Err: collect.ErrTruncated, Want: "a whole event of go test -json"}
			}
			c.Warnf("line %d is no event of go test -json", number)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if run.events == 0 && len(c.Suite.Problems) == 0 {
		return &collect.Error{Line: 1, Err: collect.ErrFormat, Want: "events of go test -json, such as {\"Action\":\"run\",\"Package\":…}"}
	}
	return run.finish()
}

// parse reads the event that s stands at. All strings of one event share
// memory, since most of them are looked at and thrown away.
func (e *goEvent) parse(s *jsonscan.Scanner) error {
	*e = goEvent{memory: e.memory[:0]}
	s.Object(func(key []byte) {
		var field *[]byte
		switch string(key) {
		case "Action":
			field = &e.action
		case "Package":
			field = &e.pkg
		case "Test":
			field = &e.test
		case "Output":
			field = &e.output
		case "ImportPath":
			field = &e.importPath
		case "FailedBuild":
			field = &e.failedBuild
		case "Elapsed":
			e.elapsed, _ = s.Float()
			return
		default:
			return
		}
		from := len(e.memory)
		e.memory = append(e.memory, s.Text(collect.MaxLine)...)
		*field = e.memory[from:len(e.memory):len(e.memory)]
	})
	if s.Err() == nil && len(e.action) == 0 {
		return errNoEvent
	}
	return s.Err()
}

var errNoEvent = errors.New("no Action")

// plain reads a line of console output between the events.
func (g *goRun) plain(text []byte) {
	line := string(text[:min(len(text), collect.MaxMessage)])
	if pkg, ok := strings.CutPrefix(line, "# "); ok {
		g.building, _, _ = strings.Cut(pkg, " ")
		return
	}
	if rest, ok := strings.CutPrefix(line, "FAIL\t"); ok {
		g.building = ""
		if pkg, ok := strings.CutSuffix(rest, " [build failed]"); ok {
			g.failedOutside("build", pkg)
		} else if pkg, ok := strings.CutSuffix(rest, " [setup failed]"); ok {
			g.failedOutside("setup", pkg)
		}
		return
	}
	if g.building != "" {
		g.keep(g.build(g.building), append(text, '\n'))
	}
}
