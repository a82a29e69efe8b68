package cli

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// TestDeliverWholeRun writes tests with a recorded model, proves them, and hands
// what was kept over: the branch on the server then holds tests that pass.
func TestDeliverWholeRun(t *testing.T) {
	if os.Getenv("QA_E2E") == "" {
		t.Skip("set QA_E2E=1: generated tests are run many times")
	}
	t.Parallel()
	s := emptyStep(t)
	repo := fixture.New(t, "gotest")
	s.workspace = repo.Dir
	for name, content := range graderFiles {
		repo.Write(name, content)
	}
	s.base = repo.Commit("one")
	repo.Git("checkout", "-q", "-b", "feature")
	repo.Write("grade/grade.go", graderFiles["grade/grade.go"]+graderChange)
	s.head = repo.Commit("two")
	model := httptest.NewServer(&till{paid: map[string]time.Time{}})
	t.Cleanup(model.Close)
	for name, value := range map[string]string{
		"GITHUB_SHA": s.head, "GITHUB_REF": "refs/heads/feature", "GITHUB_WORKSPACE": s.workspace, "INPUT_DELIVER": "commit", "INPUT_REPEAT": "2", "INPUT_RUNTIME": "host",
		"INPUT_MODE": "testing", "INPUT_DEPTH": "targeted", "INPUT_MODEL": "recorded", "INPUT_MODEL-BASE-URL": model.URL + "/v1",
		// What Go compiles for every suite is compiled once; a busy machine takes its time.
		"RUNNER_TEMP": fixture.Cache(), "INPUT_TIMEOUT": "20m",
	} {
		s.env[name] = value
	}
	s.server.Head, s.server.Base = s.head, s.base
	s.server.Serve(repo.Dir)
	s.event("pull_request", s.pull)
	e := s.run(t.Context(), nil, "run")
	assert.Equal(t, e.code, exitOK, e.text)
	assert.Assert(t, e.outputs["tests-generated"] != "0", e.text)
	assert.Assert(t, strings.Contains(e.text, "qa: deliver: "+e.outputs["tests-generated"]+" tests in 1 files, commit "), e.text)
	theirs := clone{t, t.TempDir()}
	theirs.must("clone", "-q", "-b", "feature", s.server.URL+"/git/", "theirs")
	theirs.dir = filepath.Join(theirs.dir, "theirs")
	assert.Equal(t, theirs.must("diff", "--name-only", "HEAD^"), "grade/grade_test.go")
	message := theirs.must("show", "-s", "--format=%B")
	assert.Assert(t, strings.Contains(message, "- TestNameLow (grade/grade_test.go): "), message)
	delivered := theirs.must("show", "HEAD:grade/grade_test.go")
	assert.Assert(t, strings.Contains(delivered, "func TestBest(") && strings.Contains(delivered, "func TestNameLow("), delivered)
	assert.Equal(t, len(s.server.Comments), 1, e.text) // although the head is a newer one: ours
	report, err := os.ReadFile(filepath.Join(s.workspace, filepath.FromSlash(e.outputs["report-json"])))
	assert.NilError(t, err)
	assert.Assert(t, strings.Contains(string(report), `"way": "commit"`))

	// It is what was proven: it compiles and passes in a clone.
	res, err := process.Run(t.Context(), process.Command{Argv: []string{"go", "test", "./grade"}, Dir: theirs.dir, Env: os.Environ(), Timeout: 5 * time.Minute})
	assert.NilError(t, err)
	assert.Equal(t, res.ExitCode, 0, "%s%s", res.Stdout, res.Stderr)
}
