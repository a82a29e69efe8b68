package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/reporter"
	"github.com/org/qa-action/internal/testsupport/contract"
)

// trustedHalf publishes the session of a finished step from a workflow_run, as
// for a fork: without a checkout, and with an artifact that may lie.
func (s *step) trustedHalf(t *testing.T, run ended) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(s.workspace, filepath.FromSlash(run.outputs["report-json"])))
	assert.NilError(t, err)
	for name, c := range map[string]hostileArtifact{
		"honest": {nil, nil, exitFail, "comment: created", 1},
		"number of another pull request": {func(_ *testing.T, _ string, r map[string]any) {
			r["change"].(map[string]any)["number"] = 1
		}, nil, exitFail, "comment: created", 1},
		"another commit": {func(_ *testing.T, _ string, r map[string]any) {
			r["change"].(map[string]any)["head"] = strings.Repeat("e", 40)
		}, nil, exitInconclusive, "the report is about commit", 0},
		"another repository":        {func(_ *testing.T, _ string, r map[string]any) { r["repository"] = "eve/shop" }, nil, exitInconclusive, "the report is about repository", 0},
		"PASS beside a failed gate": {func(_ *testing.T, _ string, r map[string]any) { r["result"] = "PASS" }, nil, exitInconclusive, `result: PASS, expected FAIL by gate "new-failures"`, 0},
		"a failure taken out": {func(_ *testing.T, _ string, r map[string]any) {
			r["tests"].(map[string]any)["failing"] = []any{}
		}, nil, exitInconclusive, "tests.failing: 0 failed tests, expected 1", 0},
		"unknown field": {func(_ *testing.T, _ string, r map[string]any) { r["surprise"] = 1 }, nil, exitInconclusive, "report.json", 0},
		"no commit":     {func(_ *testing.T, _ string, r map[string]any) { delete(r["change"].(map[string]any), "head") }, nil, exitInconclusive, "the report is about commit", 0},
		"a link":        {instead(func(name string) error { return os.Symlink("/etc/passwd", name) }), nil, exitInconclusive, "not a regular file", 0},
		"a directory":   {instead(func(name string) error { return os.Mkdir(name, 0o755) }), nil, exitInconclusive, "not a regular file", 0},
		"endless":       {instead(func(name string) error { return writeSparse(name, reporter.MaxReport+1) }), nil, exitInconclusive, "more than 67108864 bytes", 0},
		"deep":          {saying(`{"findings":` + strings.Repeat("[", 100_000)), nil, exitInconclusive, "more than 64 levels of nesting", 0},
		"many values":   {saying(`{"findings":[` + strings.Repeat("{},", 250_001) + "{}]}"), nil, exitInconclusive, "more than 500000 values; a run that finds so much", 0},
		"no JSON":       {saying("\xff\xfe{}"), nil, exitInconclusive, "report.json", 0},
		"two documents": {saying("{} {}"), nil, exitInconclusive, "report.json", 0},
		"nothing":       {saying(""), nil, exitInconclusive, "report.json", 0},
		"two sessions": {func(t *testing.T, dir string, _ map[string]any) {
			assert.NilError(t, os.CopyFS(filepath.Join(filepath.Dir(dir), "other"), os.DirFS(dir)))
		}, nil, exitUsage, "2 of its directories hold a report.json", 0},
		"a session elsewhere": {func(t *testing.T, dir string, _ map[string]any) {
			away := filepath.Join(t.TempDir(), "away")
			assert.NilError(t, os.Rename(dir, away))
			assert.NilError(t, os.Symlink(away, dir))
		}, nil, exitUsage, "0 of its directories hold a report.json", 0},
		"newer push":           {nil, func(s *contract.Server) { s.Head = strings.Repeat("d", 40) }, exitFail, "no open pull request", 0},
		"another fork's":       {nil, func(s *contract.Server) { s.HeadRepo = "mallory/shop" }, exitFail, "no open pull request", 0},
		"closed at the moment": {nil, func(s *contract.Server) { closeOn(s, "GET /repos/octo-org/shop/pulls/7") }, exitFail, "comment: not posted: pull request #7: it was closed", 0},
	} {
		t.Run(name, func(t *testing.T) {
			half := s.half(t)
			if c.server != nil {
				c.server(half.server)
			}
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
				before, err := os.Lstat(filepath.Join(session, "report.json"))
				assert.NilError(t, err)
				c.change(t, session, report)
				if after, err := os.Lstat(filepath.Join(session, "report.json")); err == nil && os.SameFile(before, after) && after.Size() == before.Size() {
					write() // it was changed in memory
				}
			}
			for _, name := range []string{"report.html", "report.sarif", "generated-tests.patch"} {
				_ = os.WriteFile(filepath.Join(session, name), []byte("planted"), 0o600) // in some cases there is no directory
			}
			_ = os.Symlink("/etc/passwd", filepath.Join(session, "junit.xml"))
			_ = os.Symlink(t.TempDir(), filepath.Join(session, "analysis"))
			e := half.run(t.Context(), nil, "report", "artifact")
			assert.Equal(t, e.code, c.code, e.text)
			assert.Assert(t, strings.Contains(e.text, c.want), e.text)
			assert.Equal(t, len(half.server.Comments), c.posts, e.text)
			for _, name := range []string{"report-html", "sarif-path", "junit-path", "patch-path"} {
				file := e.outputs[name]
				assert.Equal(t, file == "", c.code != exitFail || name == "patch-path", "%s is %q", name, file)
				if file == "" {
					continue
				}
				info, err := os.Lstat(filepath.Join(half.workspace, filepath.FromSlash(file)))
				assert.NilError(t, err)
				assert.Assert(t, info.Mode().IsRegular(), file)
				raw, err := os.ReadFile(filepath.Join(half.workspace, filepath.FromSlash(file)))
				assert.NilError(t, err)
				assert.Assert(t, len(raw) > 100 && !strings.Contains(string(raw), "planted"), file)
			}
			if c.posts > 0 { // the artifact is of the other half's run
				assert.Assert(t, strings.Contains(half.server.Comments[0].Body, "/actions/runs/1589141559)"), half.server.Comments[0].Body)
			}
			for _, r := range half.server.Log("POST") {
				assert.Assert(t, !strings.Contains(r, "/issues/1/"), r)
			}
		})
	}
}

// half is the step of the trusted workflow that a run of the fork has started.
func (s *step) half(t *testing.T) *step {
	t.Helper()
	half := &step{t: t, server: contract.New(t), dir: t.TempDir(), env: map[string]string{}}
	half.server.Head, half.server.Base, half.server.HeadRepo = s.head, s.base, "alice/shop"
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
	return half
}

// hostileArtifact is what may lie in the artifact of a fork's run, and what
// comes of it.
type hostileArtifact struct {
	change func(t *testing.T, dir string, report map[string]any)
	server func(*contract.Server)
	code   int
	want   string
	posts  int // comments
}

// instead puts something else in the place of report.json.
func instead(put func(name string) error) func(*testing.T, string, map[string]any) {
	return func(t *testing.T, dir string, _ map[string]any) {
		name := filepath.Join(dir, "report.json")
		assert.NilError(t, os.Remove(name))
		assert.NilError(t, put(name))
	}
}

func saying(content string) func(*testing.T, string, map[string]any) {
	return instead(func(name string) error { return os.WriteFile(name, []byte(content), 0o600) })
}

// writeSparse makes a large file that takes no room, as an archive that
// unpacks to more than it weighs.
func writeSparse(name string, size int64) error {
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		return err
	}
	return os.Truncate(name, size)
}

// closeOn closes the pull request just before a request is answered.
func closeOn(s *contract.Server, request string) {
	s.OnRequest = func(s *contract.Server, got string) {
		if got == request {
			s.State = "closed"
		}
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
