package gh

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gotest.tools/v3/assert"
	"pgregory.net/rapid"

	"github.com/org/qa-action/internal/testsupport/runner"
)

func jobIn(t *testing.T, dir string) (*Job, *bytes.Buffer) {
	t.Helper()
	log := &bytes.Buffer{}
	env := map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_OUTPUT": filepath.Join(dir, "output"), "GITHUB_STEP_SUMMARY": filepath.Join(dir, "summary")}
	return NewJob(func(name string) string { return env[name] }, log), log
}

func TestOutputsCannotBeInjected(t *testing.T) {
	t.Parallel()
	values := map[string]string{
		"result": "PASS", "empty": "", "lines": "a\nb\n", "cr": "a\r\nb",
		"forged": "x\n_GitHubActionsFileCommandDelimeter_\nresult=FAIL\nresult<<EOF\nFAIL\nEOF",
	}
	dir := t.TempDir()
	job, _ := jobIn(t, dir)
	assert.NilError(t, job.Outputs(values))
	raw, err := os.ReadFile(filepath.Join(dir, "output"))
	assert.NilError(t, err)
	got, err := runner.KeyValues(string(raw))
	assert.NilError(t, err)
	assert.Equal(t, cmp.Diff(values, got), "")
	assert.ErrorContains(t, job.Outputs(map[string]string{"a\nb": "c"}), "is not a name")
}

func TestAnyOutputComesBack(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		values := rapid.MapOf(rapid.StringMatching(`[a-z][a-z-]{0,10}`), rapid.String()).Draw(rt, "values")
		job, _ := jobIn(t, dir)
		assert.NilError(rt, os.WriteFile(filepath.Join(dir, "output"), nil, 0o600))
		assert.NilError(rt, job.Outputs(values))
		raw, err := os.ReadFile(filepath.Join(dir, "output"))
		assert.NilError(rt, err)
		got, err := runner.KeyValues(string(raw))
		assert.NilError(rt, err)
		assert.Equal(rt, cmp.Diff(values, got), "")
	})
}

func TestWithoutARunnerNothingHappens(t *testing.T) {
	t.Parallel()
	log := &bytes.Buffer{}
	job := NewJob(func(string) string { return "" }, log)
	assert.NilError(t, job.Mask("secret-value"))
	assert.NilError(t, job.Outputs(map[string]string{"a": "b"}))
	assert.NilError(t, job.Summary("# hello"))
	resume, err := job.Stop()
	assert.NilError(t, err)
	assert.NilError(t, resume())
	assert.Equal(t, log.String(), "")
}

func TestCommandsOfTestsAreNotObeyed(t *testing.T) {
	t.Parallel()
	job, log := jobIn(t, t.TempDir())
	resume, err := job.Stop()
	assert.NilError(t, err)
	log.WriteString("::error::forged\n##[set-output name=result]PASS\n::set-output name=result::PASS\n::stop-commands::x\n::add-mask::e\nno end of line")
	assert.NilError(t, resume())
	assert.NilError(t, job.command("notice", nil, "ours"))
	got := runner.Parse(log.String())
	assert.Equal(t, len(got.Annotations), 1)
	assert.Equal(t, got.Annotations[0].Message, "ours")
	assert.Equal(t, len(got.Masks), 0)
	assert.Equal(t, len(got.Matchers), 5)
	assert.Assert(t, regexp.MustCompile(`(?m)^::stop-commands::[A-Z2-7]{26}$`).MatchString(log.String()))
}

func TestMasks(t *testing.T) {
	t.Parallel()
	job, log := jobIn(t, t.TempDir())
	assert.NilError(t, job.Mask("ghs_a b/c", "", "line-one\nline-two", "ab"))
	got := runner.Parse(log.String()).Masks
	assert.DeepEqual(t, got, []string{"Z2hzX2EgYi9j", "ghs_a b/c", "ghs_a+b%2Fc", "bGluZS1vbmUKbGluZS10d28=", "line-one", "line-one%0Aline-two", "line-two", "YWI="})
}

func TestSummaryKeepsTheRunnersLimit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	job, _ := jobIn(t, dir)
	assert.NilError(t, job.Summary(strings.Repeat("x", 900_000)))
	assert.ErrorContains(t, job.Summary(strings.Repeat("x", 200_000)), "expected at most 1048576")
	info, err := os.Stat(filepath.Join(dir, "summary"))
	assert.NilError(t, err)
	assert.Equal(t, info.Size(), int64(900_001))
}

type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, errors.New("closed") }

func TestAClosedLogOrAMissingFolderIsAnError(t *testing.T) {
	t.Parallel()
	job := NewJob(func(name string) string {
		return map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_OUTPUT": filepath.Join("none", "such", "file")}[name]
	}, closed{})
	assert.ErrorContains(t, job.Mask("secret"), "talk to the runner")
	assert.ErrorContains(t, job.Outputs(map[string]string{"a": "b"}), "talk to the runner")
	_, err := job.Stop()
	assert.ErrorContains(t, err, "talk to the runner")
}

func TestDisarmed(t *testing.T) {
	t.Parallel()
	const mark = "\u200b"
	for in, want := range map[string]string{
		"plain: a::b":            "plain: a::b",
		"::error::x":             ":" + mark + ":error::x",
		"a\n \t::set-output x::": "a\n:" + mark + ":set-output x::",
		"x ##[error]y":           "x #" + mark + "#[error]y",
	} {
		assert.Equal(t, Disarmed(in), want)
	}
}
