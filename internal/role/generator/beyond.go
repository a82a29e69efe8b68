package generator

import (
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// Beyond is a finding of which the author of tests says that none can show it, as a race
// that nothing holds open. It is believed for what is asked: the finding stays what it is.
type Beyond struct {
	Finding string `json:"finding"` // its fingerprint
	Why     string `json:"why"`     // hostile
}

// Tell adds to a finding that nothing proves why no test shows it.
func (b Beyond) Tell(f *qa.Finding) {
	if f.Fingerprint == b.Finding && f.Evidence != qa.Proven {
		f.Message += " No test can show it, says who was asked for one: " + wording.Line(b.Why, shownReason)
	}
}

// Beyond divides what was answered into tests and findings that no test can show: tests
// without code, with the id of a finding that was told and of which no other test is, and
// a reason.
func (k Known) Beyond(written []Candidate) (tests []Candidate, beyond []Beyond) {
	for _, c := range written {
		f, told := each.First(k.Findings, func(f qa.Finding) bool { return f.ID == c.Finding })
		if !told || strings.TrimSpace(c.Code) != "" || strings.TrimSpace(c.Why) == "" {
			tests = append(tests, c)
			continue
		}
		shown := slices.ContainsFunc(written, func(o Candidate) bool { return o.Finding == c.Finding && strings.TrimSpace(o.Code) != "" })
		if !shown {
			beyond = append(beyond, Beyond{Finding: f.Fingerprint, Why: strings.TrimSpace(c.Why)})
		}
	}
	return tests, beyond
}

// beyond says how to answer for a finding that no test can show. It stands beside the
// question, for most findings have one.
func (b batch) beyond() string {
	if !slices.ContainsFunc(b, func(s Subject) bool { return len(s.Findings) > 0 }) {
		return ""
	}
	races := ""
	if how, err := framework.For(b[0].Framework); err == nil && how.Habits.Races {
		races = "\nA test of a race needs no luck: it runs both accesses side by side and fails where the race detector sees one.\n"
	}
	return races + "\nA finding that no test can show, such as a race that nothing holds open, a leak over hours or a wrong word: one test with its id in finding, no code, and in why what keeps a test from showing it.\n"
}
