package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// loud is a test of the repository that talks to the runner in every way there
// is: both syntaxes, old commands that are still obeyed, an end for the marker
// that it can only guess, and a line without an end.
const loud = `package interval

import (
	"os"
	"strings"
	"testing"
)

func TestLoud(t *testing.T) {
	text := strings.Join([]string{
		"::error file=interval.go,line=1::smuggled",
		"  ::warning::smuggled",
		"##[error]smuggled",
		"words before ##[set-output name=result]PASS",
		"::set-output name=result::PASS",
		"::save-state name=x::y",
		"::add-mask::qa",
		"::add-matcher::matcher.json",
		"::stop-commands::x",
		"::x::",
		"::notice::smuggled ::error::twice",
	}, "\n")
	os.Stdout.WriteString(text + "\n")
	os.Stderr.WriteString(text + "\nno end of line")
	for _, name := range []string{"GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_ENV", "GITHUB_PATH"} {
		if os.Getenv(name) != "" {
			t.Errorf("%s is set", name)
		}
	}
}
`

// TestOutputOfTestsIsNoCommand: what tests print reaches the log, and the runner
// obeys none of it; our own commands before and after are obeyed.
func TestOutputOfTestsIsNoCommand(t *testing.T) {
	t.Parallel()
	s := newStep(t, "green")
	assert.NilError(t, os.WriteFile(filepath.Join(s.workspace, "interval", "loud_test.go"), []byte(loud), 0o644))
	s.server.ReadOnly = true // annotations go to the log
	e := s.run(t.Context(), nil, "run", "--show-output")
	shown := strings.Join(e.log.Lines, "\n")
	for _, line := range []string{"smuggled", "##[set-output name=result]PASS", "::stop-commands::x", "no end of line"} {
		assert.Assert(t, strings.Contains(shown, line), "%q is not shown:\n%s", line, e.text)
	}
	for _, a := range e.log.Annotations {
		assert.Assert(t, !strings.Contains(a.Message, "smuggled"), "%v", a)
	}
	assert.Assert(t, !slices.Contains(e.log.Masks, "qa"), "%v", e.log.Masks)
	for _, name := range e.log.Obeyed {
		assert.Assert(t, name == "group" || name == "endgroup", "obeyed %s", name)
	}
	for _, owner := range []string{"go", "python", "tsc"} { // they read the log even then
		assert.Assert(t, slices.Contains(e.log.Matchers, owner), "%v", e.log.Matchers)
	}
	assert.Assert(t, e.outputs["result"] != "", e.text)
	// The marker is not one that the output could have known.
	_, rest, found := strings.Cut(e.text, "::stop-commands::")
	token, _, _ := strings.Cut(rest, "\n")
	assert.Assert(t, found && len(token) == 26, token)
	assert.Equal(t, strings.Count(e.text, "\n::"+token+"::\n"), 1)
}
