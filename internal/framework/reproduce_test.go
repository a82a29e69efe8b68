package framework

import (
	"strings"
	"testing"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/qa"
)

// A problem that kept tests from running names no test: it is reproduced by
// the suite, not by a selection of nothing.
func TestReproducingWithoutATestRunsTheSuite(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		how, err := For(name)
		if err != nil {
			t.Fatal(err)
		}
		line := how.Reproduce(adapter.Detection{Framework: name, Dir: ".", Tools: adapter.Tools{Program: []string{"run-" + name}}}, qa.Case{})
		if strings.Contains(line, "''") || strings.Contains(line, " -run") || strings.Contains(line, "^$") || strings.Contains(line, "attern=") {
			t.Errorf("%s: %s selects nothing", name, line)
		}
	}
}
