package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/gh/contract"
)

// trustedHalf publishes the session of a finished step from a workflow_run, as
// for a fork: without a checkout, and with an artifact that may lie.
func (s *step) trustedHalf(t *testing.T, run ended) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(s.workspace, filepath.FromSlash(run.outputs["report-json"])))
	assert.NilError(t, err)
	for name, c := range map[string]struct {
		change func(t *testing.T, dir string, report map[string]any)
		server func(*contract.Server)
		code   int
		want   string
		posts  int // comments
	}{
		"honest": {nil, nil, exitFail, "comment: created", 1},
		"number of another pull request": {func(_ *testing.T, _ string, r map[string]any) {
			r["change"].(map[string]any)["number"] = 1
		}, nil, exitFail, "comment: created", 1},
		"another commit": {func(_ *testing.T, _ string, r map[string]any) {
			r["change"].(map[string]any)["head"] = strings.Repeat("e", 40)
		}, nil, exitInconclusive, "the report is about commit", 0},
		"another repository": {func(_ *testing.T, _ string, r map[string]any) { r["repository"] = "eve/shop" }, nil, exitInconclusive, "the report is about repository", 0},
		"unknown field":      {func(_ *testing.T, _ string, r map[string]any) { r["surprise"] = 1 }, nil, exitInconclusive, "report.json", 0},
		"a link": {func(t *testing.T, dir string, _ map[string]any) {
			assert.NilError(t, os.Remove(filepath.Join(dir, "report.json")))
			assert.NilError(t, os.Symlink("/etc/passwd", filepath.Join(dir, "report.json")))
		}, nil, exitInconclusive, "not a regular file", 0},
		"newer push": {nil, func(s *contract.Server) { s.Head = strings.Repeat("d", 40) }, exitFail, "no open pull request", 0},
	} {
		t.Run(name, func(t *testing.T) {
			half := &step{t: t, server: contract.New(t), dir: t.TempDir(), env: map[string]string{}}
			half.server.Head, half.server.Base, half.server.HeadRepo = s.head, s.base, "alice/shop"
			if c.server != nil {
				c.server(half.server)
			}
			half.workspace = half.dir
			for k, v := range s.env {
				half.env[k] = v
			}
			half.env["GITHUB_API_URL"] = half.server.URL
			for _, file := range []string{"GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"} {
				half.env[file] = filepath.Join(half.dir, strings.ToLower(file))
				assert.NilError(t, os.WriteFile(half.env[file], nil, 0o600))
			}
			assert.NilError(t, os.Mkdir(filepath.Join(half.dir, "workflow"), 0o755))
			half.event("workflow_run", func(p map[string]any) {
				r := p["workflow_run"].(map[string]any)
				r["head_sha"], r["head_branch"] = s.head, "feature"
				r["head_repository"].(map[string]any)["full_name"] = "alice/shop"
				r["head_repository"].(map[string]any)["owner"].(map[string]any)["login"] = "alice"
			})
			session := filepath.Join(half.workspace, "artifact", "session")
			assert.NilError(t, os.MkdirAll(session, 0o755))
			var report map[string]any
			assert.NilError(t, json.Unmarshal(raw, &report))
			write := func() {
				changed, err := json.Marshal(report)
				assert.NilError(t, err)
				assert.NilError(t, os.WriteFile(filepath.Join(session, "report.json"), changed, 0o600))
			}
			write()
			if c.change != nil {
				c.change(t, session, report)
				if name != "a link" {
					write()
				}
			}
			e := half.run(t.Context(), nil, "report", "artifact")
			assert.Equal(t, e.code, c.code, e.text)
			assert.Assert(t, strings.Contains(e.text, c.want), e.text)
			assert.Equal(t, len(half.server.Comments), c.posts, e.text)
			for _, r := range half.server.Log("POST") {
				assert.Assert(t, !strings.Contains(r, "/issues/1/"), r)
			}
		})
	}
}

func TestReportNamesWhatItMisses(t *testing.T) {
	t.Parallel()
	s := &step{t: t, dir: t.TempDir(), env: map[string]string{}}
	for _, args := range [][]string{{"report"}, {"report", "."}, {"report", "none"}} {
		log := &stream{}
		code := Main(t.Context(), Env{Stdin: strings.NewReader(""), Stdout: log, Stderr: log, Dir: s.dir, Getenv: func(string) string { return "" }}, args)
		assert.Equal(t, code, exitUsage, log.String())
		assert.Assert(t, strings.Contains(log.String(), "session"), log.String())
	}
}
