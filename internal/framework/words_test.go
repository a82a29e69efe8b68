package framework

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/javascript"
	"github.com/org/qa-action/internal/framework/python"
)

// A selection that cannot be carried out is an error, never a run of everything.
func TestSelectionNeverWidens(t *testing.T) {
	t.Parallel()
	for _, a := range []adapter.Adapter{javascript.Vitest, javascript.Jest, javascript.Mocha, python.Pytest} {
		for _, file := range []string{"", "elsewhere/a.test.js"} {
			inv, err := a.Invocation(adapter.Detection{Framework: a.Name, Dir: "web", Tools: adapter.Tools{Program: []string{"x"}}}, adapter.Request{OutDir: "/out", Tests: []adapter.Selected{{File: file}}})
			if err == nil {
				t.Errorf("%s: file %q is run as %q", a.Name, file, inv.Argv)
			}
		}
	}
	for _, a := range []adapter.Adapter{javascript.Vitest, javascript.Jest} {
		d := adapter.Detection{Framework: a.Name, Dir: "web", Tools: adapter.Tools{Program: []string{"x"}}}
		inv, _ := a.Invocation(d, adapter.Request{OutDir: "/out", Related: []string{"api/a.py"}})
		if all, _ := a.Invocation(d, adapter.Request{OutDir: "/out"}); !cmp.Equal(inv, all) {
			t.Errorf("%s: with nothing related below it, %q is run", a.Name, inv.Argv)
		}
	}
}

func TestCustomCommand(t *testing.T) {
	t.Parallel()
	d, err := Custom(".", `CI=1 make "test all" REPORT={out}/j.xml`, nil, nil)
	if err != nil || d.Dir != "" || !cmp.Equal(d.Program, []string{"make", "test all", "REPORT={out}/j.xml"}) || !cmp.Equal(d.Env, []string{"CI=1"}) {
		t.Errorf("Custom = %+v, %v", d, err)
	}
	if d.Hint.Cure == "" || d.CoverageHint == "" {
		t.Error("nothing says that reports are missing")
	}
	for _, line := range []string{"", "  ", "a 'b", "a \\"} {
		if _, err := Custom("", line, nil, nil); err == nil {
			t.Errorf("Custom(%q) is no command and is accepted", line)
		}
	}
	for _, line := range []string{"a && b", "a | b", "a > file", "a; b", "echo $(id)", "echo `id`", "a &", "a\nb", "a $HOME", `a "$HOME"`, "a *.js", "(a)", "exit 1"} {
		if d, err := Custom("", line, nil, nil); err != nil || !cmp.Equal(d.Program, []string{"sh", "-c", line}) {
			t.Errorf("Custom(%q) = %q, %v, want a shell", line, d.Program, err)
		}
	}
	if _, err := Custom("", `grep "a && b" x`, nil, nil); err != nil {
		t.Errorf("an operator in quotes is refused: %v", err)
	}
}
