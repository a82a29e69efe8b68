package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// TestNewerPush: a push during the run makes its report stale. Nothing is
// posted on the pull request, the check run of the old commit is completed, and
// the verdict of the job is what was measured.
func TestNewerPush(t *testing.T) {
	t.Parallel()
	s := newStep(t, "failing")
	s.env["INPUT_DELIVER"] = "commit"
	e := s.run(t.Context(), func(line string) {
		if strings.Contains(line, "wave ") {
			s.server.Lock()
			s.server.Head = strings.Repeat("d", 40)
			s.server.Unlock()
		}
	}, "run")
	assert.Equal(t, e.code, exitFail, e.text)
	assert.Equal(t, len(s.server.Comments), 0)
	assert.Assert(t, strings.Contains(e.text, "comment: not posted: pull request #7 is at ddddddd"), e.text)
	assert.Equal(t, len(s.server.Checks), 1)
	assert.Equal(t, s.server.Checks[0].SHA+" "+s.server.Checks[0].Conclusion, s.head+" failure")
	for _, r := range append(s.server.Log("POST"), s.server.Log("PATCH")...) {
		assert.Assert(t, !strings.Contains(r, "/git/"), "written to a branch: %s", r)
	}
}

// TestOddHistories are changes whose usual base is not there.
func TestOddHistories(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		event string
		set   func(s *step) func(map[string]any)
		code  int
		want  string
	}{
		"force push": {"push", func(s *step) func(map[string]any) {
			return func(p map[string]any) {
				p["before"], p["after"], p["ref"], p["forced"] = strings.Repeat("d", 40), s.env["GITHUB_SHA"], "refs/heads/main", true
			}
		}, exitOK, "2 changed files"},
		"new branch": {"push", func(s *step) func(map[string]any) {
			return func(p map[string]any) {
				p["before"], p["after"], p["ref"], p["created"] = strings.Repeat("0", 40), s.env["GITHUB_SHA"], "refs/heads/x", true
			}
		}, exitOK, "2 changed files"},
		"by hand": {"workflow_dispatch", func(*step) func(map[string]any) { return func(map[string]any) {} }, exitOK, "2 changed files"},
		// The pull request was forced away from what is checked out: measuring
		// that would tell nothing of it.
		"another head than is checked out": {"pull_request", func(s *step) func(map[string]any) {
			return func(p map[string]any) {
				s.pull(p)
				p["pull_request"].(map[string]any)["head"].(map[string]any)["sha"] = strings.Repeat("d", 40)
			}
		}, exitUsage, "does not hold the pull request's head dddddddddddd"},
		"a gone merge group": {"merge_group", func(*step) func(map[string]any) {
			return func(p map[string]any) { p["action"] = "destroyed" }
		}, exitOK, "the merge group is gone"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStep(t, "failing")
			if c.event != "pull_request" {
				assert.NilError(t, os.Remove(filepath.Join(s.workspace, ".github", "qa.yml")))
				assert.NilError(t, os.WriteFile(filepath.Join(s.workspace, ".github", "qa.yml"), nil, 0o600))
				s.git("fetch", "-q", "--depth=1", "origin", s.base) // its parent, as fetch-depth: 2 does
			}
			s.event(c.event, c.set(s))
			e := s.run(t.Context(), nil, "plan")
			assert.Equal(t, e.code, c.code, e.text)
			assert.Assert(t, strings.Contains(e.text, c.want), e.text)
		})
	}
}

// TestConflicts: GitHub starts no pull_request run then, but a comment may ask
// for one. What is looked at is what the branch did, not what base did since.
func TestConflicts(t *testing.T) {
	t.Parallel()
	s := newStep(t, "failing")
	s.git("fetch", "-q", "--unshallow", "origin", s.head)
	s.git("checkout", "-q", "--detach", s.base)
	for name := range map[string]bool{"interval/interval.go": true, "clock/clock.go": true} {
		assert.NilError(t, os.WriteFile(filepath.Join(s.workspace, filepath.FromSlash(name)), []byte("package moved\n"), 0o600))
	}
	s.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-a", "-m", "base moved on, over the same lines")
	s.git("branch", "-q", "moved")
	s.git("checkout", "-q", "--detach", s.head)
	s.server.Base = s.git("rev-parse", "moved")
	s.env["INPUT_ACCEPT-UNTRUSTED-EVENT"] = "true"
	s.server.Permissions["Codertocat"] = "write"
	s.event("issue_comment", func(p map[string]any) {
		issue := p["issue"].(map[string]any)
		issue["pull_request"], issue["number"] = map[string]any{"url": "https://api.github.com"}, 7
		p["comment"].(map[string]any)["body"] = "/qa"
	})
	e := s.run(t.Context(), nil, "plan")
	assert.Equal(t, e.code, exitOK, e.text)
	assert.Assert(t, strings.Contains(e.text, " 2 changed files"), e.text) // the change, and its configuration
}

// TestPlanShardsAndMerge is the reusable workflow: a matrix is planned, a shard
// runs without publishing, and the job after it publishes what all of them say.
func TestPlanShardsAndMerge(t *testing.T) {
	t.Parallel()
	s := newStep(t, "failing")
	plan := s.run(t.Context(), nil, "plan")
	assert.Equal(t, plan.outputs["matrix"], `{"include":[{"name":".","working-directory":".","framework":"gotest"}]}`)
	own := map[string]string{"INPUT_HISTORY": "none", "INPUT_COMMENT": "false", "INPUT_ANNOTATIONS": "false", "INPUT_WORKING-DIRECTORY": "."}
	for name, value := range own {
		s.env[name] = value
	}
	s.server.ReadOnly = true
	shard := s.run(t.Context(), nil, "run")
	assert.Equal(t, shard.code, exitFail, shard.text)
	assert.Equal(t, len(shard.log.Annotations), 0)
	assert.NilError(t, os.CopyFS(filepath.Join(s.workspace, "qa-packages", "qa-package-0"), os.DirFS(filepath.Join(s.workspace, filepath.FromSlash(shard.outputs["report-dir"])))))
	assert.NilError(t, os.RemoveAll(filepath.Join(s.workspace, "qa-report")))

	for name := range own {
		delete(s.env, name)
	}
	s.server.ReadOnly, s.env["INPUT_SESSION"] = false, "qa-packages"
	for _, file := range []string{"GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"} { // of another job
		assert.NilError(t, os.WriteFile(s.env[file], nil, 0o600))
	}
	merged := s.run(t.Context(), nil, "merge")
	assert.Equal(t, merged.code, exitFail, merged.text)
	assert.Equal(t, len(s.server.Comments), 1)
	assert.Equal(t, s.server.Checks[0].Conclusion, "failure")
	for _, name := range []string{"result", "quality-score", "tests-run", "tests-failed", "patch-coverage"} {
		assert.Equal(t, merged.outputs[name], shard.outputs[name], name)
	}

	// A shard that left nothing is no success.
	assert.NilError(t, os.RemoveAll(filepath.Join(s.workspace, "qa-packages", "qa-package-0")))
	lost := s.run(t.Context(), nil, "merge")
	assert.Equal(t, lost.code, exitInconclusive, lost.text)
	assert.Equal(t, len(s.server.Comments), 1, "the comment that stands there is the one that changes")
	assert.Assert(t, strings.Contains(s.server.Comments[0].Body, "not run, INCONCLUSIVE") && !strings.Contains(s.server.Comments[0].Body, "FAIL"), s.server.Comments[0].Body)
	assert.Equal(t, s.server.Checks[len(s.server.Checks)-1].Conclusion, "failure")
	delete(s.env, "INPUT_SESSION")
	assert.Equal(t, s.run(t.Context(), nil, "merge").code, exitUsage)
}
