package baseline

import (
	"strings"
	"testing"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
)

// A test that the change does not touch and that is skipped since is said.
func TestSilenced(t *testing.T) {
	t.Parallel()
	one := qa.Case{File: "a.test.js", Name: "one", Status: qa.Skipped}
	for name, c := range map[string]struct {
		touched string
		newly   []string
		said    bool
	}{
		"silenced":              {"b.test.js", []string{one.ID()}, true},
		"skipped by the change": {"a.test.js", []string{one.ID()}, false},
		"skipped on base, too":  {"b.test.js", nil, false},
	} {
		b := &Baseline{Runs: []executor.Baseline{{Tests: qa.Tests{Cases: []qa.Case{one}, NewlySkipped: c.newly}}}}
		comparison{b: b, Options: Options{Checkout: checkout.Checkout{Change: qa.Change{Files: []qa.FileChange{{Path: c.touched}}}}}}.silenced(t.Context())
		if got := b.Command; strings.Contains(got, "one") != c.said || (got != "") != c.said {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// A command that ends badly on both sides although no test fails shows nothing of the
// change by that.
func TestUnexplained(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		test   qa.FailingTest
		triage qa.Triage
		said   bool
	}{
		"on both sides": {qa.FailingTest{Target: ".", Case: qa.Case{Suite: ".", Name: "(crash)"}}, qa.PreExisting, true},
		"on head alone": {qa.FailingTest{Target: ".", Case: qa.Case{Suite: ".", Name: "(crash)"}}, qa.NewFailure, false},
		"a test":        {qa.FailingTest{Target: ".", Case: qa.Case{Suite: "a", Name: "one"}}, qa.PreExisting, false},
	} {
		c.test.Triage = c.triage
		b := &Baseline{Runs: []executor.Baseline{{Tests: qa.Tests{Failing: []qa.FailingTest{c.test}}}}}
		if unexplained(b); (b.Command != "") != c.said {
			t.Errorf("%s: %q", name, b.Command)
		}
	}
}
