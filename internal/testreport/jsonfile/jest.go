// Package jsonfile reads reports that are one JSON document: of jest and vitest,
// of mocha, and CTRF.
package jsonfile

import (
	"bufio"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/jsonscan"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testreport/collect"
)

// The format of `jest --json` (FormattedTestResults in @jest/test-result) and
// of vitest's json reporter, which follows it.

func IsJest(head []byte) bool   { return collect.StartsLine(head, beginsJest) }
func IsVitest(head []byte) bool { return collect.StartsLine(head, beginsVitest) }

func beginsJest(head []byte) bool {
	return collect.BeginsWithKey(head, func(key string) bool {
		return strings.HasPrefix(key, "numFailed") || strings.HasPrefix(key, "numPassed") || key == "testResults" || key == "success"
	})
}

func beginsVitest(head []byte) bool {
	return collect.BeginsWithKey(head, func(key string) bool { return strings.HasPrefix(key, "numTotal") })
}

func beginsEither(head []byte) bool { return beginsJest(head) || beginsVitest(head) }

// jestRun is the top of the document.
type jestRun struct {
	c                    *collect.Collector
	total, failed        int // claims, -1 when absent
	sawResults, success  bool
	interrupted, claimed bool
	titles               []byte // scratch of test
	suite                string // the suite name made last
}

func ReadJest(r *bufio.Reader, c *collect.Collector) error {
	run := jestRun{c: c, total: -1, failed: -1}
	doc := collect.Document{Begins: beginsEither, Member: run.member, Listed: func() bool { return run.sawResults }, Want: `a "testResults" list as jest --json and vitest --reporter=json write`}
	if err := doc.Read(r, c); err != nil {
		return err
	}
	run.check()
	return nil
}

func (j *jestRun) member(s *jsonscan.Scanner, key string) {
	switch key {
	case "numTotalTests":
		j.total = collect.Whole(s)
	case "numFailedTests":
		j.failed = collect.Whole(s)
	case "success":
		j.claimed = true
		j.success = s.Bool()
	case "wasInterrupted":
		j.interrupted = s.Bool()
	case "testResults":
		j.sawResults = s.Next() == jsonscan.Array
		s.Array(func() { j.file(s) })
	}
}

// jestFile is one test file.
type jestFile struct {
	path, status, message string
	start, end            float64
	cases                 []qa.Case
	// beside says that something else than its tests failed, which jest tells by an
	// empty account of coverage.
	beside bool
}

func (j *jestRun) file(s *jsonscan.Scanner) {
	var f jestFile
	s.Object(func(key []byte) {
		switch string(key) {
		case "name":
			f.path = collect.Name(s)
		case "status":
			f.status = collect.Name(s)
		case "message":
			f.message = collect.Prose(s, collect.MaxOutput)
		case "coverage":
			f.beside = true
		case "startTime":
			f.start, _ = s.Float()
		case "endTime":
			f.end, _ = s.Float()
		case "assertionResults":
			s.Array(func() {
				t := j.test(s)
				// A test is counted when its file is whole; until then it has to have room, too.
				if s.Err() == nil && !j.c.Room.Fits(collect.OfCases, len(f.cases)) {
					s.Stop(j.c.Room.Err)
				}
				if s.Err() == nil {
					f.cases = append(f.cases, t)
				}
			})
		}
	})
	// A file that is cut off still says what its tests did.
	s.Stop(j.add(&f))
}

// jestSuite stands before what failed in a file outside of its tests.
const jestSuite = "● Test suite failed to run"

func (j *jestRun) add(f *jestFile) error {
	c := j.c
	path := c.Place(f.path)
	bad := false
	for _, t := range f.cases {
		t.File = path
		if t.Line == 0 && t.Status.Bad() {
			t.Line = collect.LineIn(t.Output, f.path)
		}
		bad = bad || t.Status.Bad()
		if err := c.Add(t, 0); err != nil {
			return err
		}
	}
	if f.end > f.start && f.end-f.start < 1e9 {
		c.Suite.Seconds += (f.end - f.start) / 1000
	}
	if _, said, ok := strings.Cut(f.message, jestSuite); f.beside && ok && len(f.cases) > 0 {
		c.Problem(qa.OutsideTests, cmp.Or(path, f.path), said)
		return nil
	}
	if f.status == "failed" && !bad {
		kind := "setup"
		if len(f.cases) == 0 {
			kind = "collect"
		}
		where := cmp.Or(path, f.path)
		if strings.TrimSpace(f.message) == "" {
			f.message = "the file failed though no test in it did: a hook or code outside the tests; the report does not say more"
		}
		c.Problem(kind, where, f.message)
	}
	return nil
}

// test takes one assertion result.
func (j *jestRun) test(s *jsonscan.Scanner) qa.Case {
	var t qa.Case
	var unknown string // status
	j.titles = j.titles[:0]
	retried, failures := false, 0
	var said []string // by the failures, each once
	s.Object(func(key []byte) {
		switch string(key) {
		case "ancestorTitles":
			s.Array(func() {
				title := s.Text(collect.MaxName)
				if len(title) > 0 && len(j.titles) < 4*collect.MaxName {
					if len(j.titles) > 0 {
						j.titles = append(j.titles, " > "...)
					}
					j.titles = append(j.titles, title...)
				}
			})
		case "title":
			t.Name = collect.Name(s)
		case "status":
			text := s.Text(collect.MaxName)
			if t.Status = jestStatus(text); t.Status == qa.Errored {
				unknown = collect.CleanName(text)
			}
		case "duration":
			t.Seconds = collect.Seconds(s)
		case "invocations":
			t.Attempts = collect.Whole(s)
		case "retryReasons":
			s.Array(func() { retried = true })
		case "failureMessages":
			s.Array(func() {
				failures++
				text := collect.Prose(s, collect.MaxOutput)
				t.Output = collect.Clip(collect.JoinText(t.Output, text), collect.MaxOutput)
				// Vitest has those of every attempt, which say the same.
				if first := qa.Stable(collect.FirstLine(text)); !slices.Contains(said, first) && len(said) < collect.MaxFailures {
					said, t.Failures = append(said, first), append(t.Failures, "")
				}
			})
		case "location":
			s.Object(func(key []byte) {
				if string(key) == "line" {
					t.Line = collect.Whole(s)
				}
			})
		}
	})
	if string(j.titles) != j.suite { // tests of one describe share its name in memory
		j.suite = collect.CleanName(j.titles)
	}
	t.Suite = j.suite
	settleJest(&t, unknown, retried, failures)
	return t
}

// settleJest says what became of a test in all its attempts.
func settleJest(t *qa.Case, unknown string, retried bool, failures int) {
	t.Status = cmp.Or(t.Status, qa.Errored)
	// Jest counts attempts, vitest leaves the failures of the first ones.
	if t.Status == qa.Passed && (retried || t.Attempts > 1 || failures > 0) {
		t.Status = qa.Flaky
		t.Attempts = max(t.Attempts, 1+failures)
	}
	if t.Attempts < 2 {
		t.Attempts = 0
	}
	if t.Status == qa.Passed {
		t.Output = ""
	}
	if t.Failures = collect.Several(t.Failures); !t.Status.Bad() {
		t.Failures = nil
	}
	t.Message = collect.Heading(t.Output, 4)
	if t.Status == qa.Errored {
		t.Message = collect.JoinText(fmt.Sprintf("unknown status %q", unknown), t.Message)
	}
}

func jestStatus(status []byte) qa.Status {
	switch string(status) {
	case "passed":
		return qa.Passed
	case "failed":
		return qa.Failed
	case "pending", "skipped", "todo", "disabled":
		return qa.Skipped
	}
	return qa.Errored
}

// check compares what the report claims with what is in it.
func (j *jestRun) check() {
	c := j.c
	tally := c.Suite.Tally()
	if j.total >= 0 && j.total != tally.Tests {
		c.Warnf("numTotalTests is %d, %d tests are listed", j.total, tally.Tests)
	}
	bad := tally.Failed + tally.Errors
	if j.failed >= 0 && j.failed != bad {
		c.Warnf("numFailedTests is %d, %d failed tests are listed", j.failed, bad)
	}
	switch {
	case j.interrupted:
		c.Problem("crash", c.Report, "the run was interrupted before all tests had run")
	case bad > 0 || len(c.Suite.Problems) > 0:
	case j.failed > 0:
		c.Problem("crash", c.Report, fmt.Sprintf("the report claims %d failed tests and lists none of them", j.failed))
	case j.claimed && !j.success:
		c.Problem("crash", c.Report, "the run did not succeed though no test failed: an error outside the tests, or obsolete snapshots")
	}
}
