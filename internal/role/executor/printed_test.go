package executor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// TestWhatACommandPrints: its report counts, a part of one is no pass, and words
// leave the exit code.
func TestWhatACommandPrints(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text     string
		exit     int
		tests    int
		only, ok bool
	}{
		"words":                          {text: "all is well\n", only: true, ok: true},
		"TAP":                            {text: "TAP version 13\n1..2\nok 1 - a\nok 2 - b\n", tests: 2, ok: true},
		"TAP without its end":            {text: "TAP version 13\nok 1 - a\nok 2 - b\n", only: true},
		"TAP that stops before its plan": {text: "TAP version 13\n1..3\nok 1 - a\n", tests: 1},
		"TAP that fails, without end":    {text: "TAP version 13\nnot ok 1 - a\n", exit: 1, only: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := stand{dir: t.TempDir(), results: t.TempDir(), run: func(c2 runtime.Command) (process.Result, error) {
				if err := os.WriteFile(c2.Stdout, []byte(c.text), 0o600); err != nil {
					t.Error(err)
				}
				return process.Result{ExitCode: c.exit}, nil
			}}
			own := Target{Name: ".", Dir: ".", Framework: adapter.Detection{Framework: "command", Traits: adapter.Traits{ExitOnly: true}, Tools: adapter.Tools{Program: []string{"own"}}}}
			run, err := Suite(t.Context(), s, own, Options{Name: "head", Keep: fixture.Place(t, t.TempDir())})
			if err != nil {
				t.Fatal(err)
			}
			good := run.Inconclusive == "" && len(run.Suite.Problems) == 0
			if tally := run.Suite.Tally(); run.ExitOnly != c.only || good != c.ok || !c.only && tally.Tests != c.tests {
				t.Errorf("exit only %v, %+v, problems %v, inconclusive %q", run.ExitOnly, tally, run.Suite.Problems, run.Inconclusive)
			}
		})
	}
}

// TestWhatNoTestLoadsAndIsNoProduct: tests of types and the settings of tools are in
// c8's report with nothing of them run.
func TestWhatNoTestLoadsAndIsNoProduct(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, f := range []string{"index.js", "lib.js", "eslint.config.js", "index.tst.ts", "used.config.js"} {
		if err := os.WriteFile(filepath.Join(dir, f), []byte("a\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := stand{dir: dir, results: t.TempDir(), run: func(c runtime.Command) (process.Result, error) {
		at := ""
		for _, a := range c.Argv {
			if rest, ok := strings.CutPrefix(a, "--reports-dir="); ok {
				at = rest
			}
		}
		one := func(file string, hits string) string {
			path := filepath.ToSlash(filepath.Join(dir, file))
			return `"` + path + `":{"path":"` + path + `","statementMap":{"0":{"start":{"line":1,"column":0},"end":{"line":1,"column":1}}},"s":{"0":` + hits + `},"branchMap":{},"b":{},"fnMap":{},"f":{}}`
		}
		err := os.MkdirAll(at, 0o755)
		if err == nil {
			text := "{" + one("index.js", "1") + "," + one("lib.js", "0") + "," + one("eslint.config.js", "0") + "," + one("index.tst.ts", "0") + "," + one("used.config.js", "1") + "}"
			err = os.WriteFile(filepath.Join(at, "coverage-final.json"), []byte(text), 0o600)
		}
		if err == nil {
			err = os.WriteFile(c.Stdout, []byte("1..1\nok 1 - a\n"), 0o600)
		}
		return process.Result{}, err
	}}
	own := Target{Name: ".", Dir: ".", Framework: adapter.Detection{
		Framework: "ava", Coverage: true, Installed: true,
		Tools: adapter.Tools{Program: []string{"ava"}, CoverageTool: "c8", CoverageProgram: []string{"c8"}, Sources: []string{"."}},
	}}
	run, err := Suite(t.Context(), s, own, Options{Name: "head", Coverage: true, Keep: fixture.Place(t, t.TempDir())})
	if err != nil {
		t.Fatal(err)
	}
	if run.Coverage == nil || run.Coverage.Lines.Total != 3 || run.Coverage.Lines.Covered != 2 {
		t.Fatalf("%+v %q", run.Coverage, run.CoverageReason)
	}
}
