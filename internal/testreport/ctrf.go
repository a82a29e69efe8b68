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
	err = s.Object(func(key []byte) error {
		if string(key) == "results" {
			return s.Object(func(key []byte) error { return run.member(s, string(key)) })
		}
		return s.Skip()
	})
	if err != nil {
		return err
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

func (r *ctrfRun) member(s *jsonscan.Scanner, key string) error {
	switch key {
	case "summary":
		return s.Object(func(key []byte) (err error) {
			switch string(key) {
			case "tests":
				r.tests, err = whole(s)
			case "failed":
				r.failed, err = whole(s)
			case "start":
				r.start, _, err = s.Float()
			case "stop":
				r.stop, _, err = s.Float()
			default:
				err = s.Skip()
			}
			return err
		})
	case "tests":
		r.sawTests = s.Next() == jsonscan.Array
		return s.Array(func() error {
			t, err := r.test(s)
			if err != nil {
				return err
			}
			return r.c.add(t, 0)
		})
	}
	return s.Skip()
}

func (r *ctrfRun) test(s *jsonscan.Scanner) (qa.Case, error) {
	var t qa.Case
	var file, status, raw, trace string
	retries, flaky := 0, false
	err := s.Object(func(key []byte) (err error) {
		switch string(key) {
		case "name":
			t.Name, err = name(s)
		case "status":
			status, err = name(s)
		case "rawStatus":
			raw, err = name(s)
		case "duration":
			t.Seconds, _, err = s.Float()
			t.Seconds /= 1000
		case "suite":
			t.Suite, err = ctrfSuite(s)
		case "filePath":
			file, err = name(s)
		case "line":
			t.Line, err = whole(s)
		case "message":
			t.Message, err = prose(s, maxMessage)
		case "trace":
			trace, err = prose(s, maxOutput)
		case "retries":
			retries, err = whole(s)
		case "flaky":
			flaky, err = s.Bool()
		default:
			err = s.Skip()
		}
		return err
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
		return t, err
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
	return t, err
}

// ctrfSuite takes the suite: a list of names, in old reports one string.
func ctrfSuite(s *jsonscan.Scanner) (string, error) {
	if s.Next() != jsonscan.Array {
		return name(s)
	}
	var parts []string
	err := s.Array(func() error {
		part, err := name(s)
		if part != "" {
			parts = append(parts, part)
		}
		return err
	})
	return strings.Join(parts, " > "), err
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
