package jsonfile

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/jsonscan"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testreport/collect"
)

// The format of mocha's json reporter (lib/reporters/json.js): "tests" lists
// every test that ended; "pending", "failures" and "passes" list them again by
// outcome, and "failures" also holds hooks, which are in no other list. So the
// three lists are counted, and "tests" only checks them.

func IsMocha(head []byte) bool { return collect.StartsLine(head, beginsMocha) }

func beginsMocha(head []byte) bool {
	return collect.BeginsWithKey(head, func(key string) bool { return key == "stats" })
}

func ReadMocha(r *bufio.Reader, c *collect.Collector) error {
	m := mochaRun{c: c, failures: -1}
	doc := collect.Document{Begins: beginsMocha, Member: m.member, Listed: func() bool { return m.lists >= 3 }, Want: `the lists "passes", "failures" and "pending" as mocha --reporter json writes`}
	if err := doc.Read(r, c); err != nil {
		return err
	}
	m.check()
	return nil
}

type mochaRun struct {
	c        *collect.Collector
	lists    int
	tests    int // length of the list "tests"
	hooks    int
	failures int // claimed by stats
}

func (m *mochaRun) member(s *jsonscan.Scanner, key string) {
	switch key {
	case "stats":
		s.Object(func(key []byte) {
			switch string(key) {
			case "failures":
				m.failures = collect.Whole(s)
			case "duration":
				m.c.Suite.Seconds = collect.Seconds(s)
			}
		})
	case "tests":
		s.Array(func() { m.tests++ })
	case "passes":
		m.list(s, qa.Passed)
	case "failures":
		m.list(s, qa.Failed)
	case "pending":
		m.list(s, qa.Skipped)
	}
}

func (m *mochaRun) list(s *jsonscan.Scanner, status qa.Status) {
	if s.Next() == jsonscan.Array {
		m.lists++
	}
	m.c.AddEach(s, func(s *jsonscan.Scanner) qa.Case { return m.test(s, status) })
}

func (m *mochaRun) test(s *jsonscan.Scanner, status qa.Status) qa.Case {
	t := qa.Case{Status: status}
	var file, full, stack string
	retry := 0
	s.Object(func(key []byte) {
		switch string(key) {
		case "title":
			t.Name = collect.Name(s)
		case "fullTitle":
			full = collect.Name(s)
		case "file":
			file = collect.Name(s)
		case "duration":
			t.Seconds = collect.Seconds(s)
		case "currentRetry":
			retry = collect.Whole(s)
		case "err":
			s.Object(func(key []byte) {
				switch string(key) {
				case "message":
					t.Message = collect.Prose(s, collect.MaxMessage)
				case "stack":
					stack = collect.Prose(s, collect.MaxOutput)
				}
			})
		}
	})
	t.Suite = strings.TrimSpace(strings.TrimSuffix(full, t.Name))
	t.File = m.c.Place(file)
	if retry > 0 {
		t.Attempts = retry + 1
		if status == qa.Passed {
			t.Status = qa.Flaky
		}
	}
	if mochaHook.MatchString(t.Name) && status == qa.Failed {
		t.Status = qa.Errored // the test could not be judged
		m.hooks++
	}
	if t.Status.Bad() {
		t.Output = stack
		t.Line = collect.LineIn(stack, file)
		if t.Message == "" {
			t.Message = collect.Heading(stack, 3)
		}
	}
	return t
}

// mochaHook is how titles like `"before each" hook for "adds"` begin.
var mochaHook = pattern.New(`^"(?:before|after) (?:all|each)" hook`)

func (m *mochaRun) check() {
	tally := m.c.Suite.Tally()
	bad := tally.Failed + tally.Errors
	if m.failures >= 0 && m.failures != bad {
		m.c.Warnf("stats.failures is %d, %d failures are listed", m.failures, bad)
		if bad == 0 {
			m.c.Problem("crash", m.c.Report, fmt.Sprintf("the report claims %d failures and lists none of them", m.failures))
		}
	}
	if listed := tally.Tests - m.hooks; m.tests != listed {
		m.c.Warnf("%d tests ended, %d have an outcome", m.tests, listed)
	}
}
