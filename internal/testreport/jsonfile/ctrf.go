package jsonfile

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/jsonscan"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testreport/collect"
)

// The Common Test Report Format, https://ctrf.io; its schema ships in the npm
// package ctrf.

func IsCTRF(head []byte) bool { return collect.StartsLine(head, beginsCTRF) }

func beginsCTRF(head []byte) bool {
	return collect.BeginsWithKey(head, func(key string) bool { return key == "reportFormat" }) ||
		collect.BeginsWithKey(head, func(key string) bool {
			return key == "results" || key == "$schema" || key == "reportId" || key == "specVersion"
		}) &&
			(bytes.Contains(head, []byte(`"CTRF"`)) || bytes.Contains(head, []byte(`"tool"`)) && bytes.Contains(head, []byte(`"summary"`)))
}

func ReadCTRF(r *bufio.Reader, c *collect.Collector) error {
	run := ctrfRun{c: c, tests: -1, failed: -1}
	results := func(s *jsonscan.Scanner, key string) {
		if key == "results" {
			s.Object(func(key []byte) { run.member(s, string(key)) })
		}
	}
	doc := collect.Document{Begins: beginsCTRF, Member: results, Listed: func() bool { return run.sawTests }, Want: `a "results.tests" list as CTRF has`}
	if err := doc.Read(r, c); err != nil {
		return err
	}
	run.check()
	return nil
}

type ctrfRun struct {
	c             *collect.Collector
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
				r.tests = collect.Whole(s)
			case "failed":
				r.failed = collect.Whole(s)
			case "start":
				r.start, _ = s.Float()
			case "stop":
				r.stop, _ = s.Float()
			}
		})
	case "tests":
		r.sawTests = s.Next() == jsonscan.Array
		r.c.AddEach(s, r.test)
	}
}

func (r *ctrfRun) test(s *jsonscan.Scanner) qa.Case {
	var t qa.Case
	var file, status, raw, trace string
	retries, flaky := 0, false
	s.Object(func(key []byte) {
		switch string(key) {
		case "name":
			t.Name = collect.Name(s)
		case "status":
			status = collect.Name(s)
		case "rawStatus":
			raw = collect.Name(s)
		case "duration":
			t.Seconds = collect.Seconds(s)
		case "suite":
			t.Suite = ctrfSuite(s)
		case "filePath":
			file = collect.Name(s)
		case "line":
			t.Line = collect.Whole(s)
		case "message":
			t.Message = collect.Prose(s, collect.MaxMessage)
		case "trace":
			trace = collect.Prose(s, collect.MaxOutput)
		case "retries":
			retries = collect.Whole(s)
		case "flaky":
			flaky = s.Bool()
		}
	})
	t.File = r.c.Place(file)
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
		t.Message = collect.Heading(trace, 3)
	}
	if t.Status == qa.Errored && t.Message == "" {
		t.Message = fmt.Sprintf("status %q", collect.JoinText(status, raw))
	}
	if t.Line <= 0 {
		t.Line = collect.LineIn(trace, file)
	}
	return t
}

// ctrfSuite takes the suite: a list of names, in old reports one string.
func ctrfSuite(s *jsonscan.Scanner) string {
	if s.Next() != jsonscan.Array {
		return collect.Name(s)
	}
	var parts []string
	s.Array(func() {
		if part := collect.Name(s); part != "" {
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
	tally := c.Suite.Tally()
	bad := tally.Failed + tally.Errors
	if r.tests >= 0 && r.tests != tally.Tests {
		c.Warnf("summary.tests is %d, %d tests are listed", r.tests, tally.Tests)
	}
	if r.failed >= 0 && r.failed != bad {
		c.Warnf("summary.failed is %d, %d failed tests are listed", r.failed, bad)
	}
	if r.failed > 0 && bad == 0 {
		c.Problem("crash", c.Report, fmt.Sprintf("the report claims %d failed tests and lists none of them", r.failed))
	}
	if r.stop > r.start && r.start > 0 && r.stop-r.start < 1e12 {
		c.Suite.Seconds = (r.stop - r.start) / 1000
	}
}
