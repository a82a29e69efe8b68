package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/testsupport/contract"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// clone is somebody's clone over HTTP of the repository that is delivered to.
type clone struct {
	t   *testing.T
	dir string
}

func (c clone) git(args ...string) (string, error) {
	res, err := process.Run(c.t.Context(), process.Command{Argv: append([]string{"git"}, args...), Dir: c.dir, Env: []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + c.dir, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_TERMINAL_PROMPT=0",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org",
	}})
	if err == nil && res.ExitCode != 0 {
		err = errors.New(string(res.Stderr))
	}
	return strings.TrimSpace(string(res.Stdout)), err
}

func (c clone) must(args ...string) string {
	c.t.Helper()
	out, err := c.git(args...)
	assert.NilError(c.t, err, "git %q", args)
	return out
}

// served is a delivery to a real repository, and somebody's clone of it.
func served(t *testing.T, way string) (*handing, clone) {
	t.Helper()
	repo := fixture.Sources(t, "gotest")
	repo.Write("price/price_test.go", "package price\n\nfunc TestOld() {}\n")
	repo.Commit("one")
	repo.Git("checkout", "-q", "-b", "feature")
	repo.Write("price/price.go", "package price\n")
	head := repo.Commit("two")
	h := newHanding(t, way)
	h.server.Serve(repo.Dir)
	h.server.Head, h.result.Report.Change.Head = head, head
	theirs := clone{t, t.TempDir()}
	theirs.must("clone", "-q", "-b", "feature", h.server.URL+"/git/", "theirs")
	theirs.dir = filepath.Join(theirs.dir, "theirs")
	return h, theirs
}

// What is delivered are objects of git that anybody fetches: one commit on top of the
// head, by the app, with the test files alone and why each test is there.
func TestDeliverToGit(t *testing.T) {
	t.Parallel()
	for way, branch := range map[string]string{"commit": "feature", "pull-request": "qa/tests-7"} {
		h, theirs := served(t, way)
		g := h.result.Report.Generated
		g[0].Class, g[0].Kills = "guard", 2
		g[1].Name = "fixes #9 [skip ci] @all\n\nCo-authored-by: E <e@example.org>"
		d := h.deliver(t)
		assert.Equal(t, d.Reason, "", way)
		theirs.must("fetch", "-q", "origin")
		at := "origin/" + branch
		assert.Equal(t, theirs.must("rev-parse", at), d.Commit)
		assert.Equal(t, theirs.must("rev-parse", at+"^"), h.result.Report.Change.Head)
		assert.Equal(t, theirs.must("show", "-s", "--format=%an", at), "qa[bot]")
		assert.Equal(t, theirs.must("diff", "--name-only", at+"^", at), "price/price_test.go\nprice/tax_test.go")
		assert.Equal(t, theirs.must("show", at+":price/price_test.go"), "package price\n\nfunc TestOld() {}\n\nfunc TestNew() {}")
		assert.Equal(t, theirs.must("interpret-trailers", "--parse", "--no-divider"), "")
		message := theirs.must("show", "-s", "--format=%B", at)
		assert.Assert(t, strings.HasPrefix(message, "Add tests for #7\n\n- TestNew (price/price_test.go): guard, kills 2 mutants\n- fixes 9 (skip ci) all"), message)
		assert.Assert(t, strings.HasSuffix(message, "\n\nQa-Delivered: "+h.result.Report.Change.Head), message)
		assert.Assert(t, !strings.Contains(message, "\nCo-authored-by"), message)
		theirs.must("fsck", "--strict")
		theirs.must("merge", "-q", "--ff-only", at)

		// Again changes nothing, also where the first attempt could not tell.
		h.result.Report.Manifest.Delivery = nil
		assert.Equal(t, h.deliver(t).Reason, "", way)
		theirs.must("fetch", "-q", "origin")
		assert.Equal(t, theirs.must("rev-parse", at), d.Commit)
	}
}

// Where the branch goes on or is guarded, what is there stays.
func TestDeliverToGitRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		way  string
		hook func(h *handing, theirs clone)
		want string
	}{
		"somebody pushes in between": {"commit", func(h *handing, theirs clone) {
			h.server.OnRequest = func(_ *contract.Server, request string) {
				if strings.HasPrefix(request, "PATCH ") {
					theirs.must("commit", "-q", "--allow-empty", "-m", "theirs")
					theirs.must("push", "-q", "origin", "feature")
				}
			}
		}, "newer head"},
		"a rule keeps the branch": {"commit", func(h *handing, _ clone) {
			h.server.Git.Guarded = map[string]bool{"feature": true}
		}, `branch "feature" is protected`},
		"the branch of tests is somebody's": {"pull-request", func(_ *handing, theirs clone) {
			theirs.must("checkout", "-q", "-b", "qa/tests-7")
			theirs.must("commit", "-q", "--allow-empty", "-m", "mine")
			theirs.must("push", "-q", "origin", "qa/tests-7")
		}, "of somebody else, which is not overwritten"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, theirs := served(t, c.way)
			c.hook(h, theirs)
			d := h.deliver(t)
			assert.Assert(t, strings.Contains(d.Reason, c.want), d.Reason)
			theirs.must("fetch", "-q", "origin")
			for line := range strings.Lines(theirs.must("for-each-ref", "--format=%(objectname)", "refs/remotes/origin")) {
				said := theirs.must("show", "-s", "--format=%B", strings.TrimSpace(line))
				assert.Assert(t, !strings.Contains(said, "Qa-Delivered"), said)
			}
		})
	}
}
