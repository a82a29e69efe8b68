// Package tap reads the Test Anything Protocol.
package tap

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testreport/collect"
)

// The Test Anything Protocol, versions 12 to 14, https://testanything.org, as
// node:test, node-tap, tape, ava, Perl and bats write it: points, a plan, and the
// subtests of a point indented before it.

var (
	tapVersion = pattern.New(`^TAP version \d+\s*$`)
	tapPlan    = pattern.New(`^1\.\.(\d{1,9})(?:\s*#\s*(.*))?$`)
	tapPoint   = pattern.New(`^(not )?ok\b[ \t]*(\d{1,9})?(?:[ \t]+-)?[ \t]*(.*)$`)
	tapBail    = pattern.New(`^Bail out!\s*(.*)$`)
	// A word behind "#" that is no part of the name.
	tapDirective = pattern.New(`(?i)^(?:(skip|todo)(?:\b|\S)\S*\s*(.*)|time=([\d.]+)(ms|s)?)$`)
	// What runners say of the whole run.
	tapSummary = pattern.New(`^(?:tests|suites|pass|fail|cancelled|skip|skipped|todo|duration_ms|time|failed)[ \t:=]+[\d.].*$`)
	// The name of a point that stands for a file.
	tapFile = pattern.New(`^\S+\.(?:[cm]?[jt]sx?|t|bats|sh)$`)
)

// Is wants a version, or a plan and a point: each alone is too much like prose.
func Is(head []byte) bool {
	plan, point := false, false
	for line := range bytes.Lines(head) {
		line = bytes.TrimRight(line, " \t\r\n")
		if tapVersion.Match(line) {
			return true
		}
		plan = plan || tapPlan.Match(line)
		point = point || tapPoint.Match(line)
	}
	return plan && point
}

// IsAssertions reports whether points are assertions: node-tap writes version 14, and
// begins with the subtests of a file. Nobody else does both.
func IsAssertions(head []byte) bool {
	fourteen := false
	for line := range bytes.Lines(head) {
		line = bytes.TrimRight(line, " \t\r\n")
		name, titled := bytes.CutPrefix(line, []byte("# Subtest: "))
		switch {
		case tapVersion.Match(line):
			fourteen = bytes.HasSuffix(line, []byte(" 14"))
		case titled:
			return fourteen && tapFile.Match(name)
		case fourteen && tapPoint.Match(line):
			return false
		}
	}
	return false
}

// maxIndent is deeper than any runner nests; what lies deeper is prose.
const maxIndent = 400

// tapLevel is a document, or the subtests of a point.
type tapLevel struct {
	parent *tapLevel
	indent int
	name   string // of the point; from the comment before, until that is read
	file   string
	plan   int // -1 before it is read
	points int
	failed bool // a point of it or below, so that its own point says nothing more
	own    int  // the test that its assertions make, counted from 1
}

// tapTest is a point that waits for the names of those that it is part of.
type tapTest struct {
	qa.Case
	level *tapLevel
	file  string // as the report has it
	whole bool   // it is the level itself, and its points are assertions
}

type tapReader struct {
	c       *collect.Collector
	level   *tapLevel
	tests   []tapTest
	title   map[int]string // the newest "# Subtest" by indentation
	comment string         // the newest other comment: tape's name of a test
	open    int            // the point that what follows is about, -1 for none
	block   tapBlock
	scope   int
	any     bool
	pointed bool // the line before was a point
	// asserts says that points are assertions of the test around them.
	asserts bool
}

func Read(r *bufio.Reader, c *collect.Collector) error { return read(r, c, false) }

// ReadAssertions reads what node-tap writes, where a point is an assertion and the
// subtest around it the test.
func ReadAssertions(r *bufio.Reader, c *collect.Collector) error { return read(r, c, true) }

func read(r *bufio.Reader, c *collect.Collector, asserts bool) error {
	t := &tapReader{c: c, level: &tapLevel{plan: -1}, title: map[int]string{}, open: -1, asserts: asserts}
	var line []byte
	for number := 1; ; number++ {
		var cut bool
		var err error
		line, cut, err = collect.ReadLine(r, line[:0])
		if cut {
			c.Warnf("line %d is longer than %d bytes and was cut", number, collect.MaxLine)
		}
		if t.line(bytes.TrimRight(line, "\r\n")); len(t.tests) > 0 && !c.Room.Fits(collect.OfCases, len(t.tests)) {
			return c.Room.Err
		}
		if errors.Is(err, io.EOF) {
			return t.finish(number)
		}
		if err != nil {
			return err
		}
	}
}

// line takes one line of the report.
func (t *tapReader) line(raw []byte) {
	text := bytes.TrimLeft(raw, " ")
	indent := len(raw) - len(text)
	pointed := t.pointed
	t.pointed = false
	if t.block.on {
		if ended := t.block.line(indent, text); ended && t.open >= 0 {
			t.block.into(&t.tests[t.open])
			t.open = -1
		} else if ended { // of a point that says nothing more
			t.block = tapBlock{}
		}
		return
	}
	switch {
	case len(bytes.TrimSpace(text)) == 0, indent > maxIndent:
	case string(text) == "---" && (t.open >= 0 || pointed):
		t.block = tapBlock{on: true, indent: indent}
	case text[0] == '#':
		t.remark(indent, strings.TrimSpace(collect.CleanName(text[1:])))
	case tapVersion.Match(text):
		t.version(indent)
	case tapBail.Match(text):
		t.c.Problem("crash", t.c.Report, "the run was ended: "+collect.Clean(tapBail.FindSubmatch(text)[1], collect.MaxMessage))
	case tapPlan.Match(text):
		t.plan(indent, tapPlan.FindSubmatch(text))
	case tapPoint.Match(text):
		t.point(indent, tapPoint.FindSubmatch(text))
		t.pointed = true
	}
}

// version begins a document; another one before it ends.
func (t *tapReader) version(indent int) {
	if indent > 0 || t.level.points == 0 && t.level.plan < 0 {
		t.any = true
		return
	}
	t.ended(t.closeTo(0))
	t.ended(t.level)
	t.emit()
	t.level, t.any, t.comment = &tapLevel{plan: -1}, true, ""
}

// remark is a comment: the name of subtests that follow, what a point that failed
// says, or the test that points belong to (tape).
func (t *tapReader) remark(indent int, text string) {
	if name, ok := strings.CutPrefix(text, "Subtest:"); ok {
		t.title[indent], t.open = tapEscapes.Replace(strings.TrimSpace(name)), -1
		return
	}
	if t.open >= 0 && t.tests[t.open].Status.Bad() { // Perl and bats explain in comments
		p := &t.tests[t.open]
		p.Output = collect.Clip(collect.JoinText(p.Output, text), collect.MaxOutput)
		return
	}
	if name, ok := strings.CutPrefix(text, "SKIP "); ok && indent == 0 { // tape has no point for it
		t.tests = append(t.tests, tapTest{Case: qa.Case{Name: name, Status: qa.Skipped}, level: t.level})
		return
	}
	if indent == 0 && !tapSummary.MatchString(text) {
		t.comment = text
	}
}

func (t *tapReader) plan(indent int, found [][]byte) {
	t.any, t.open = true, -1
	at := t.at(indent)
	at.plan, _ = strconv.Atoi(string(found[1]))
	if at.plan == 0 && len(found[2]) > 0 {
		t.c.Warnf("no test was run: %s", collect.Clean(found[2], 200))
	}
}

// at is the level of an indentation; deeper ones are over.
func (t *tapReader) at(indent int) *tapLevel {
	t.ended(t.closeTo(indent))
	for n := t.level.indent + 1; n < indent; n++ {
		if t.title[n] != "" { // whose own first line is yet to come
			t.deeper(n)
		}
	}
	if indent > t.level.indent {
		t.deeper(indent)
	}
	for n := range t.title {
		if n > indent {
			delete(t.title, n)
		}
	}
	return t.level
}

// deeper opens the subtests that are indented so far.
func (t *tapReader) deeper(indent int) {
	if !t.c.Room.Take(collect.OfLevels, 1) {
		return
	}
	name := ""
	for n := indent - 1; n >= t.level.indent && name == ""; n-- { // the nearest one further out
		name = t.title[n]
	}
	t.level = &tapLevel{parent: t.level, indent: indent, name: name, plan: -1}
}

// closeTo ends the levels that are deeper than an indentation. The outermost of
// them is returned: the point behind it names it before it is held to its plan.
func (t *tapReader) closeTo(indent int) (last *tapLevel) {
	for t.level.parent != nil && t.level.indent > indent {
		t.ended(last)
		last = t.level
		t.level = last.parent
		t.level.failed = t.level.failed || last.failed
	}
	return last
}

// ended holds a level against its plan.
func (t *tapReader) ended(l *tapLevel) {
	if l == nil {
		return
	}
	if l.plan >= 0 && l.points != l.plan {
		t.c.Problem("crash", cmp.Or(l.name, t.c.Report), "the plan has "+strconv.Itoa(l.plan)+" tests, and "+strconv.Itoa(l.points)+" ended")
	}
}

// finish ends the report. Without a plan nobody knows whether it is whole.
func (t *tapReader) finish(lines int) error {
	t.ended(t.closeTo(0))
	t.ended(t.level)
	t.emit()
	switch {
	case t.c.Room.Err != nil:
		return t.c.Room.Err
	case !t.any:
		return &collect.Error{Line: 1, Err: collect.ErrFormat, Want: `lines of TAP, such as "ok 1 - name"`}
	case t.block.on:
		return &collect.Error{Line: lines, Err: collect.ErrTruncated, Want: `"..." at the end of a diagnostic block`}
	case t.level.plan < 0:
		return &collect.Error{Line: lines, Err: collect.ErrTruncated, Want: `a plan such as "1..12"`}
	}
	return nil
}
