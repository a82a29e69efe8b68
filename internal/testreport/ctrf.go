package testreport

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/jsonscan"
	"github.com/org/qa-action/internal/qa"
)

// The Common Test Report Format, https://ctrf.io; its schema ships in the npm
// package ctrf.

func isCTRF(head []byte) bool { return startsLine(head, beginsCTRF) }

func beginsCTRF(head []byte) bool {
	return beginsWithKey(head, func(key string) bool { return key == "reportFormat" }) ||
		beginsWithKey(head, func(key string) bool {
			return key == "results" || key == "$schema" || key == "reportId" || key == "specVersion"
		}) &&
			(bytes.Contains(head, []byte(`"CTRF"`)) || bytes.Contains(head, []byte(`"tool"`)) && bytes.Contains(head, []byte(`"summary"`)))
}

func readCTRF(r *bufio.Reader, c *collector) error {
	s, err := document(r, c, beginsCTRF)
	if err != nil {
		return err
	}
	run := ctrfRun{c: c, tests: -1, failed: -1}
	line := s.Line()
	s.Object(func(key []byte) {
		if string(key) == "results" {
			s.Object(func(key []byte) { run.member(s, string(key)) })
		}
	})
	if s.Err() != nil {
		return s.Err()
	}
	if !run.sawTests {
		return &Error{Line: line, Err: ErrFormat, Want: `a "results.tests" list as CTRF has`}
	}
	trailing(s, c)
	run.check()
	return nil
}

type ctrfRun struct {
	c             *collector
	tests, failed int // claims, -1 when absent
	start, stop   float64
	sawTests      bool
}

func (r *ctrfRun) member(s *jsonscan.Scanner, key string) {
	switch key {
	case "summary":
		s.Object(func(key []byte) {
			switch string(key) {
			case "tests":
				r.tests = whole(s)
			case "failed":
				r.failed = whole(s)
			case "start":
				r.start, _ = s.Float()
			case "stop":
				r.stop, _ = s.Float()
			}
		})
	case "tests":
		r.sawTests = s.Next() == jsonscan.Array
		s.Array(func() {
			t := r.test(s)
			if s.Err() == nil {
				s.Stop(r.c.add(t, 0))
			}
		})
	}
}

func (r *ctrfRun) test(s *jsonscan.Scanner) qa.Case {
	var t qa.Case
	var file, status, raw, trace string
	retries, flaky := 0, false
	s.Object(func(key []byte) {
		switch string(key) {
		case "name":
			t.Name = name(s)
		case "status":
			status = name(s)
		case "rawStatus":
			raw = name(s)
		case "duration":
			t.Seconds = seconds(s)
		case "suite":
			t.Suite = ctrfSuite(s)
		case "filePath":
			file = name(s)
		case "line":
			t.Line = whole(s)
		case "message":
			t.Message = prose(s, maxMessage)
		case "trace":
			trace = prose(s, maxOutput)
		case "retries":
			retries = whole(s)
		case "flaky":
			flaky = s.Bool()
		}
	})
	t.File = r.c.place(file)
	t.Status = ctrfStatus(status, raw)
	if retries > 0 {
		t.Attempts = retries + 1
	}
	if t.Status == qa.Passed && (flaky || retries > 0) {
		t.Status = qa.Flaky
	}
	if t.Status == qa.Passed {
		t.Message = ""
		return t
	}
	t.Output = trace
	if t.Message == "" {
		t.Message = heading(trace, 3)
	}
	if t.Status == qa.Errored && t.Message == "" {
		t.Message = fmt.Sprintf("status %q", joinText(status, raw))
	}
	if t.Line <= 0 {
		t.Line = lineIn(trace, file)
	}
	return t
}

// ctrfSuite takes the suite: a list of names, in old reports one string.
func ctrfSuite(s *jsonscan.Scanner) string {
	if s.Next() != jsonscan.Array {
		return name(s)
	}
	var parts []string
	s.Array(func() {
		if part := name(s); part != "" {
			parts = append(parts, part)
		}
	})
	return strings.Join(parts, " > ")
}

// ctrfStatus maps the five statuses. What is "other" was not judged, unless the
// runner's own word says that it was not run.
func ctrfStatus(status, raw string) qa.Status {
	switch status {
	case "passed":
		return qa.Passed
	case "failed":
		return qa.Failed
	case "skipped", "pending":
		return qa.Skipped
	}
	switch strings.ToLower(raw) {
	case "todo", "skipped", "disabled", "notrun", "not-run":
		return qa.Skipped
	}
	return qa.Errored
}

func (r *ctrfRun) check() {
	c := r.c
	tally := c.suite.Tally()
	bad := tally.Failed + tally.Errors
	if r.tests >= 0 && r.tests != tally.Tests {
		c.warnf("summary.tests is %d, %d tests are listed", r.tests, tally.Tests)
	}
	if r.failed >= 0 && r.failed != bad {
		c.warnf("summary.failed is %d, %d failed tests are listed", r.failed, bad)
	}
	if r.failed > 0 && bad == 0 {
		c.problem("crash", c.report, fmt.Sprintf("the report claims %d failed tests and lists none of them", r.failed))
	}
	if r.stop > r.start && r.start > 0 && r.stop-r.start < 1e12 {
		c.suite.Seconds = (r.stop - r.start) / 1000
	}
}
