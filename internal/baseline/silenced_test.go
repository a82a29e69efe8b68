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
		comparison{b: b, Options: Options{Checkout: checkout.Checkout{Change: qa.Change{Files: []qa.FileChange{{Path: c.touched}}}}}}.silenced()
		if got := b.Command; strings.Contains(got, "one") != c.said || (got != "") != c.said {
			t.Errorf("%s: %q", name, got)
		}
	}
}
