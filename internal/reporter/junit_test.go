package reporter

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/junit"
	"github.com/org/qa-action/internal/testreport"
)

// fullRun has a case of each status and every place a failure can hide.
func fullRun() *qa.Report {
	r := &qa.Report{}
	failed := qa.Case{Suite: "pkg/a", Name: `fails <&"> ` + "\x1b[31mred\x1b[0m\x00", File: "src/a.test.js", Line: 7, Status: qa.Failed, Seconds: 0.25, Message: "1 is not 2", Output: "stack\n]]> end"}
	r.Tests.Cases = []qa.Case{
		{Suite: "pkg/a", Name: "passes", Status: qa.Passed, Seconds: 0.5},
		failed,
		{Suite: "pkg/b", Name: "errors", Status: qa.Errored, Message: "setup"},
		{Suite: "pkg/b", Name: "skipped", Status: qa.Skipped, Message: "not now"},
		{Suite: "pkg/b", Name: "flaky", Status: qa.Flaky, Attempts: 3, Message: "first"},
	}
	r.Tests.Failing = []qa.FailingTest{{Case: failed, Triage: qa.PreExisting, Base: qa.Failed}}
	r.Tests.Problems = []qa.Problem{{Kind: "build", Where: "pkg/c", Message: "c.go:1: broken"}}
	r.Generated = []qa.GeneratedTest{
		{Name: "kept", Path: "src/gen.test.js", Layer: qa.L1, Kept: true, Base: qa.Passed, Head: qa.Passed},
		{Name: "catches", Path: "src/gen.test.js", Layer: qa.L1, Lane: "catching", Kept: true, Base: qa.Passed, Head: qa.Failed, Class: "regression-candidate"},
		{Name: "dropped", Path: "src/gen.test.js", Layer: qa.L1, Gate: "G5", Reason: "not stable", Head: qa.Failed},
	}
	return r
}

// TestJUnitReadsBack reads the file with the reader of test reports: nothing
// that failed may be lost on the way.
func TestJUnitReadsBack(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	assert.NilError(t, junit.Render(&out, fullRun(), Options{}))
	golden.Assert(t, out.String(), filepath.Join("junit", "full-run.golden"))
	file := filepath.Join(t.TempDir(), "junit.xml")
	assert.NilError(t, os.WriteFile(file, out.Bytes(), 0o600))
	suite, err := testreport.Read([]string{file}, testreport.Options{Format: "junit"})
	assert.NilError(t, err)
	assert.Equal(t, len(suite.Warnings), 0, "%v", suite.Warnings)
	assert.DeepEqual(t, suite.Tally(), qa.Tally{Tests: 9, Passed: 2, Failed: 2, Errors: 2, Skipped: 2, Flaky: 1})
}
