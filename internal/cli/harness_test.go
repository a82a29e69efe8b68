package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/testsupport/contract"
	"github.com/org/qa-action/internal/testsupport/fixture"
	"github.com/org/qa-action/internal/testsupport/runner"
)

// step is one step of a job as GitHub's runner starts a container action: its
// folders, its environment and the files that take commands.
type step struct {
	t         *testing.T
	server    *contract.Server
	dir       string // stands for /github
	workspace string
	env       map[string]string
	head      string // of the pull request
	base      string
	git       func(args ...string) string
	place     *place // nil is this process
}

// newStep checks out the test merge of a pull request as actions/checkout does:
// one commit, nothing of its parents.
func newStep(t *testing.T, change string) *step {
	t.Helper()
	origin := fixture.New(t, "gotest")
	s := emptyStep(t)
	s.base = origin.Git("rev-parse", "HEAD")
	origin.Git("checkout", "-q", "-b", "feature")
	origin.Apply(change)
	// Read from the pull request's head this would end every run.
	origin.Write(".github/qa.yml", "no-such-key: true\n")
	s.head = origin.Commit("a change")
	origin.Git("checkout", "-q", "--detach", "main")
	origin.Git("merge", "-q", "--no-ff", "-m", "test merge", "feature")
	merge := origin.Git("rev-parse", "HEAD")
	origin.Git("update-ref", "refs/pull/7/merge", "HEAD")
	s.workspace = filepath.Join(s.dir, "workspace")
	s.git = func(args ...string) string { return origin.Git(append([]string{"-C", s.workspace}, args...)...) }
	origin.Git("init", "-q", s.workspace)
	s.git("remote", "add", "origin", "file://"+origin.Dir)
	s.git("fetch", "-q", "--depth=1", "origin", "refs/pull/7/merge")
	s.git("checkout", "-q", "FETCH_HEAD")
	s.server.Head, s.server.Base = s.head, s.base
	s.env["GITHUB_SHA"], s.env["GITHUB_REF"], s.env["GITHUB_WORKSPACE"] = merge, "refs/pull/7/merge", s.workspace
	s.env["INPUT_MODE"], s.env["INPUT_DEPTH"] = "testing", "targeted"
	s.event("pull_request", s.pull)
	return s
}

// pull is the payload of the pull request at its present commits.
func (s *step) pull(payload map[string]any) {
	payload["number"] = 7
	pull := payload["pull_request"].(map[string]any)
	pull["number"] = 7
	pull["head"].(map[string]any)["sha"] = s.head
	pull["base"].(map[string]any)["sha"] = s.base
}

// emptyStep is a step whose workspace is not checked out yet.
func emptyStep(t *testing.T) *step {
	t.Helper()
	s := &step{t: t, server: contract.New(t), dir: t.TempDir()}
	for _, dir := range []string{"home", "workflow", "file_commands", "runner_temp"} {
		assert.NilError(t, os.Mkdir(filepath.Join(s.dir, dir), 0o755))
	}
	s.env = map[string]string{
		"GITHUB_ACTIONS": "true", "CI": "true", "GITHUB_REPOSITORY": contract.Repository, "GITHUB_API_URL": s.server.URL,
		"GITHUB_SERVER_URL": "https://github.com", "GITHUB_RUN_ID": "42", "GITHUB_WORKFLOW": "CI", "GITHUB_JOB": "qa",
		"GITHUB_ACTOR": "alice",
		"RUNNER_TEMP":  filepath.Join(s.dir, "runner_temp"), "HOME": filepath.Join(s.dir, "home"),
		"INPUT_GITHUB-TOKEN": contract.Token, "INPUT_TIMEOUT": "5m",
	}
	for _, name := range []string{"GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_ENV", "GITHUB_STATE", "GITHUB_PATH"} {
		s.env[name] = filepath.Join(s.dir, "file_commands", strings.ToLower(name))
		assert.NilError(t, os.WriteFile(s.env[name], nil, 0o666))
	}
	return s
}

// event makes the payload of one of GitHub's published examples, changed.
func (s *step) event(name string, change func(map[string]any)) {
	s.t.Helper()
	example := name
	switch name {
	case "pull_request_target":
		example = "pull_request"
	case "schedule": // says nothing but its cron line
		example = "workflow_dispatch"
	}
	raw, err := os.ReadFile(filepath.Join("..", "gh", "testdata", "event", example+".json"))
	assert.NilError(s.t, err)
	var payload map[string]any
	assert.NilError(s.t, json.Unmarshal(raw, &payload))
	change(payload)
	raw, err = json.Marshal(payload)
	assert.NilError(s.t, err)
	s.env["GITHUB_EVENT_NAME"], s.env["GITHUB_EVENT_PATH"] = name, filepath.Join(s.dir, "workflow", "event.json")
	assert.NilError(s.t, os.WriteFile(s.env["GITHUB_EVENT_PATH"], raw, 0o600))
}

// ended is what a job shows of a step.
type ended struct {
	code    int
	log     runner.Log
	text    string
	outputs map[string]string
	summary string
}

// stream is the one stream that the runner reads, with a look at each write.
type stream struct {
	sync.Mutex
	bytes.Buffer
	look func(string)
}

func (w *stream) Write(p []byte) (int, error) {
	w.Lock()
	defer w.Unlock()
	if w.look != nil {
		w.look(string(p))
	}
	return w.Buffer.Write(p)
}

func (s *step) run(ctx context.Context, look func(string), args ...string) ended {
	s.t.Helper()
	log := &stream{look: look}
	var e ended
	if s.place != nil {
		var text string
		e.code, text = s.place.run(s.t, s.workspace, s.env, args...)
		_, err := log.Write([]byte(text))
		assert.NilError(s.t, err)
	} else {
		e.code = Main(ctx, Env{Stdin: strings.NewReader(""), Stdout: log, Stderr: log, Dir: s.workspace, Getenv: func(name string) string { return s.env[name] }}, args)
	}
	e.text = log.String()
	e.log = runner.Parse(e.text)
	raw, err := os.ReadFile(s.env["GITHUB_OUTPUT"])
	assert.NilError(s.t, err)
	e.outputs, err = runner.KeyValues(string(raw))
	assert.NilError(s.t, err, "%s", raw)
	raw, err = os.ReadFile(s.env["GITHUB_STEP_SUMMARY"])
	assert.NilError(s.t, err)
	e.summary = string(raw)
	assert.Assert(s.t, !e.log.Stopped, "commands are still stopped at the end:\n%s", e.text)
	assert.Equal(s.t, strings.Count(e.text, contract.Token), strings.Count(e.text, "::add-mask::"+contract.Token), "the token is in the log")
	return e
}

// TestPullRequest is the whole way of a pull request whose change breaks a test,
// and the same from a fork, whose token only reads: verdict, exit code and
// outputs are the same.
func TestPullRequest(t *testing.T) {
	t.Parallel()
	for _, fork := range []bool{false, true} {
		t.Run(map[bool]string{false: "own", true: "fork"}[fork], func(t *testing.T) {
			t.Parallel()
			s := newStep(t, "failing")
			s.server.ReadOnly = fork
			e := s.run(t.Context(), nil, "run")
			t.Log(e.text)
			assert.Equal(t, e.code, exitFail)
			for name, want := range map[string]string{"result": "FAIL", "tests-failed": "1", "mode": "testing", "patch-path": ""} {
				assert.Equal(t, e.outputs[name], want, name)
			}
			assert.Assert(t, strings.HasPrefix(e.outputs["report-dir"], "qa-report/qa-"), e.outputs["report-dir"])
			for _, name := range []string{"report-json", "report-html", "junit-path", "cobertura-path"} {
				info, err := os.Stat(filepath.Join(s.workspace, filepath.FromSlash(e.outputs[name])))
				assert.NilError(t, err, name)
				assert.Assert(t, info.Mode().IsRegular(), name)
			}
			assert.Assert(t, strings.Contains(e.summary, "FAIL"), e.summary)
			assert.Assert(t, len(e.log.Masks) > 0)
			if fork {
				assert.Equal(t, len(s.server.Comments), 0)
				assert.Equal(t, len(s.server.Checks), 0)
				assert.Equal(t, strings.Count(e.text, "the token is not allowed to do this (403: Resource not accessible by integration)"), 2)
				assert.Assert(t, len(e.log.Annotations) > 0)
				assert.Equal(t, e.log.Annotations[0].Level, "error")
				return
			}
			assert.Equal(t, len(s.server.Comments), 1)
			body := s.server.Comments[0].Body
			assert.Assert(t, strings.HasPrefix(body, "<!-- qa-action:v1:CI:qa:default -->\n"), body)
			assert.Assert(t, strings.Contains(body, "FAIL"), body)
			assert.Equal(t, len(s.server.Checks), 1)
			check := s.server.Checks[0]
			assert.Equal(t, check.SHA, s.head) // not the test merge
			assert.Equal(t, check.Name+" "+check.Status+" "+check.Conclusion, "QA report (qa) completed failure")
			assert.Assert(t, len(check.Annotations) > 0)
			assert.Equal(t, len(e.log.Annotations), 0) // the check run has them
			s.trustedHalf(t, e)
			s.poisonedText(t, e)
			s.poisonedNumbers(t, e)
			s.fullFiles(t, e)
		})
	}
}

// TestCancelledAndOvertaken is a run that a newer push cancels: it leaves a
// report, completes its check run and does not post.
func TestCancelledAndOvertaken(t *testing.T) {
	t.Parallel()
	s := newStep(t, "failing")
	s.server.Head = strings.Repeat("d", 40)
	ctx, cancel := context.WithCancel(t.Context())
	e := s.run(ctx, func(line string) {
		if strings.Contains(line, "wave ") {
			cancel()
		}
	}, "run")
	assert.Equal(t, e.code, exitCancelled, e.text)
	assert.Equal(t, len(s.server.Comments), 0)
	assert.Assert(t, strings.Contains(e.text, "the pull request has a newer head"), e.text)
	assert.Equal(t, len(s.server.Checks), 1)
	assert.Equal(t, s.server.Checks[0].Conclusion, "cancelled")
	assert.Equal(t, e.outputs["result"], "INCONCLUSIVE")
	_, err := os.Stat(filepath.Join(s.workspace, filepath.FromSlash(e.outputs["report-json"])))
	assert.NilError(t, err)
}

// TestUnwanted are events that run nothing.
func TestUnwanted(t *testing.T) {
	t.Parallel()
	pull := map[string]any{"url": "https://api.github.com/repos/octo-org/shop/pulls/7"}
	comment := func(body, association string) func(map[string]any) {
		return func(p map[string]any) {
			p["issue"].(map[string]any)["pull_request"] = pull
			c := p["comment"].(map[string]any)
			c["body"], c["author_association"] = body, association
		}
	}
	for name, c := range map[string]struct {
		event  string
		change func(map[string]any)
		accept bool
		code   int
		want   string
	}{
		"pull_request_target":  {"pull_request_target", func(map[string]any) {}, false, exitUsage, "is not run here"},
		"workflow_run":         {"workflow_run", func(map[string]any) {}, false, exitUsage, "is not run here"},
		"no such head":         {"workflow_run", func(map[string]any) {}, true, exitOK, "no open pull request"},
		"comment, no command":  {"issue_comment", comment("nice work", "OWNER"), true, exitOK, "does not begin with /qa"},
		"comment on an issue":  {"issue_comment", func(map[string]any) {}, true, exitOK, "not on a pull request"},
		"comment, no consent":  {"issue_comment", comment("/qa full", "OWNER"), false, exitUsage, "is not run here"},
		"comment by a visitor": {"issue_comment", comment("/qa full", "NONE"), true, exitOK, "expected owner, member or collaborator"},
		"comment by a reader":  {"issue_comment", comment("/qa full", "MEMBER"), true, exitOK, `has permission "none", expected write`},
		"deleted branch":       {"push", func(p map[string]any) { p["deleted"] = true }, false, exitOK, "the push deleted"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStep(t, "green")
			s.event(c.event, c.change)
			if c.accept {
				s.env["INPUT_ACCEPT-UNTRUSTED-EVENT"] = "true"
			}
			e := s.run(t.Context(), nil, "run")
			assert.Equal(t, e.code, c.code, e.text)
			assert.Assert(t, strings.Contains(e.text, c.want), e.text)
			assert.Equal(t, len(s.server.Log("POST")), 0)
			_, err := os.Stat(filepath.Join(s.workspace, "qa-report"))
			assert.Assert(t, os.IsNotExist(err), "something ran")
		})
	}
}

// TestEventsFindTheirChange asks for the plan only: nothing of the repository
// runs.
func TestEventsFindTheirChange(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		event  string
		change func(s *step) func(map[string]any)
		want   string
	}{
		// The exact effect of the pull request.
		"pull_request": {"pull_request", nil, "mode testing, depth targeted, 2 changed files"},
		"merge_group": {"merge_group", func(s *step) func(map[string]any) {
			return func(p map[string]any) {
				g := p["merge_group"].(map[string]any)
				g["base_sha"], g["head_sha"] = s.base, s.env["GITHUB_SHA"]
			}
		}, "2 changed files"},
		"push": {"push", func(s *step) func(map[string]any) {
			return func(p map[string]any) {
				p["before"], p["after"], p["ref"] = s.base, s.env["GITHUB_SHA"], "refs/heads/main"
			}
		}, "2 changed files"},
		"schedule": {"schedule", func(*step) func(map[string]any) { return func(map[string]any) {} }, " 7 changed files"},
		"comment of a writer": {"issue_comment", func(s *step) func(map[string]any) {
			s.env["INPUT_ACCEPT-UNTRUSTED-EVENT"] = "true"
			s.env["INPUT_MODE"] = ""
			s.server.Permissions["Codertocat"] = "write"
			return func(p map[string]any) {
				issue := p["issue"].(map[string]any)
				issue["pull_request"], issue["number"] = map[string]any{"url": "https://api.github.com"}, 7
				p["comment"].(map[string]any)["body"] = "/qa discovery look at the clock"
			}
		}, "mode discovery, depth targeted, 2 changed files"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStep(t, "failing")
			if c.event != "pull_request" && c.event != "issue_comment" {
				// Not a pull request: the configuration of the commit counts.
				assert.NilError(t, os.WriteFile(filepath.Join(s.workspace, ".github", "qa.yml"), []byte("depth: targeted\n"), 0o600))
			}
			if c.event == "issue_comment" { // the workflow checks out the head itself
				s.git("fetch", "-q", "--unshallow", "origin", s.head)
				s.git("checkout", "-q", "FETCH_HEAD")
			}
			if c.change != nil {
				s.event(c.event, c.change(s))
			}
			e := s.run(t.Context(), nil, "plan")
			assert.Equal(t, e.code, exitOK, e.text)
			assert.Assert(t, strings.Contains(e.text, c.want), e.text)
			assert.Equal(t, e.outputs["matrix"], `{"include":[{"name":".","working-directory":".","framework":"gotest"}]}`)
		})
	}
}

// TestConfigurationComesFromBase: what base says counts, although the pull
// request says otherwise.
func TestConfigurationComesFromBase(t *testing.T) {
	t.Parallel()
	s := newStep(t, "green")
	s.env["INPUT_CONFIG"] = ".github/qa.yml"
	e := s.run(t.Context(), nil, "plan")
	assert.Equal(t, e.code, exitUsage, e.text)
	assert.Assert(t, strings.Contains(e.text, ".github/qa.yml is not in the base commit"), e.text)
}
