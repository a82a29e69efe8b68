// Package console reads what runners tell on the console alone, beside a report that
// has their tests.
package console

import (
	"bufio"
	"bytes"
	"cmp"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/testreport/collect"
)

// What bun test prints. Its JUnit leaves out files that do not load, and what fails
// between tests: of those the console alone tells, and how many there are.
var (
	bunBegin  = pattern.New(`^bun test v\d`)
	bunFile   = pattern.New(`^(\S.*\.[cm]?[jt]sx?):$`)
	bunErrors = pattern.New(`^ (\d{1,9}) errors?$`)
	bunEnd    = pattern.New(`^Ran \d+ tests? across \d+ files?\.|^error: regex .* matched 0 tests`)
	bunRule   = pattern.New(`^-{10,}$`)
)

const bunOutside = "# Unhandled error between tests"

// IsBun reports whether an output is that of bun test.
func IsBun(head []byte) bool {
	for line := range bytes.Lines(head) {
		if bunBegin.Match(line) {
			return true
		}
	}
	return false
}

// bunRun follows the lines of a run.
type bunRun struct {
	c            *collect.Collector
	file         string
	known, ended bool
	errors, told int // outside of tests: as many as it says, as were found
	open         int // 1 where a failure outside of tests begins, 2 inside of it
	said         strings.Builder
}

// ReadBun reads the console output of bun test, both streams of it.
func ReadBun(r *bufio.Reader, c *collect.Collector) error {
	b := bunRun{c: c}
	last, err := lines(r, c, b.line)
	if err != nil {
		return err
	}
	return b.finish(last)
}

// lines hands on an output line by line, and says how many there are.
func lines(r *bufio.Reader, c *collect.Collector, take func(string)) (int, error) {
	return collect.Lines(r, c, func(_ int, line []byte) error {
		take(string(bytes.TrimRight(line, "\r\n")))
		return nil
	})
}

func (b *bunRun) line(text string) {
	switch {
	case b.open == 2 && bunRule.MatchString(text):
		b.tell()
	case b.open == 2:
		if b.said.Len() < collect.MaxMessage {
			b.said.WriteString(text + "\n")
		}
	case b.open == 1 && bunRule.MatchString(text):
		b.open = 2
	case text == bunOutside:
		b.open = 1
	case bunBegin.MatchString(text):
		b.known = true
	case bunEnd.MatchString(text):
		b.ended = true
	default:
		if m := bunFile.FindStringSubmatch(text); m != nil {
			b.file = m[1]
		} else if m := bunErrors.FindStringSubmatch(text); m != nil {
			b.errors, _ = strconv.Atoi(m[1])
		}
	}
}

func (b *bunRun) tell() {
	where := cmp.Or(b.c.Place(b.file), "bun test")
	b.c.Problem("collect", where, collect.Clean([]byte(strings.TrimSpace(b.said.String())), collect.MaxMessage))
	b.open, b.told = 0, b.told+1
	b.said.Reset()
}

// finish: whoever ends the process in a test ends the output, and what would have
// failed behind it is not known.
func (b *bunRun) finish(line int) error {
	if b.open == 2 {
		b.tell()
	}
	switch {
	case !b.known:
		return &collect.Error{Line: 1, Err: collect.ErrFormat, Want: `what bun test prints, such as "bun test v1.2.3"`}
	case !b.ended:
		return &collect.Error{Line: line, Err: collect.ErrTruncated, Want: `"Ran … tests across … files" at the end of what bun test prints`}
	case b.errors > b.told:
		b.c.Problem("collect", "bun test", strconv.Itoa(b.errors-b.told)+" errors outside of tests that it counts and does not tell")
	}
	return nil
}
