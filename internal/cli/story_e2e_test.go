package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"

	"github.com/org/qa-action/internal/testsupport/contract"
)

// TestStoryOfAPullRequest is two pushes, then a fix, then a force push onto a
// main that has moved on and dismissed a finding; the comment after each tells
// what changed since the one before, whatever keeps the history.
func TestStoryOfAPullRequest(t *testing.T) {
	if os.Getenv("QA_E2E") == "" {
		t.Skip("set QA_E2E=1")
	}
	t.Parallel()
	for _, kind := range []string{"branch", "directory"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := newStory(t, kind)
			tell := func(n string) { golden.Assert(t, s.comment(), filepath.Join("story", n+".md")) }
			lib := func(lines ...string) { s.origin.Write("lib.rb", "puts 1\n"+strings.Join(lines, "\n")+"\n") }
			s.onMain(exitOK)
			s.origin.Git("checkout", "-q", "-b", "feature")

			lib("puts 2 # FIXME two", "puts 3", "puts 4 # FIXME four", "# BROKEN")
			s.push("push1", exitFail)
			tell("1-first-push")

			lib("puts 2 # FIXME two", "puts 3", "puts 4 # FIXME four", "# BROKEN", "puts 5", "puts 6", "puts 7 # FIXME seven")
			s.push("push2", exitFail)
			tell("2-second-push")

			lib("puts 2 # done", "puts 3", "puts 4 # FIXME four", "puts 5", "puts 6", "puts 7 # FIXME seven")
			s.push("push3", exitOK)
			tell("3-fix")

			// Main goes on: somebody dismisses a finding, and adds lines above.
			s.origin.Git("checkout", "-q", "main")
			s.origin.Write(".github/qa-dismissals.yml", fmt.Sprintf("dismissals:\n  - {fingerprint: %s, reason: seven is meant}\n", s.fingerprint("seven")))
			s.base = s.commit("newbase")
			s.onMain(exitOK)
			s.origin.Git("checkout", "-q", "-B", "feature", "main")
			lib("puts 2 # FIXME two", "puts 3", "puts 5", "puts 6", "puts 7 # FIXME seven")
			s.push("forced", exitOK)
			tell("4-force-push")
			if kind == "branch" {
				assert.Assert(t, len(s.server.Git.File("refs/heads/qa-history", "history.json")) > 0)
			}
			_, err := os.Stat(filepath.Join(s.env["QA_HISTORY_DIR"], "history.json"))
			assert.Equal(t, os.IsNotExist(err), kind == "branch")
		})
	}
}

// TestBaselineSources takes sources away one by one; head's numbers stay the same.
func TestBaselineSources(t *testing.T) {
	if os.Getenv("QA_E2E") == "" {
		t.Skip("set QA_E2E=1")
	}
	t.Parallel()
	s := newStory(t, "branch")
	s.onMain(exitOK)
	measured := s.base
	s.origin.Git("checkout", "-q", "-b", "feature")
	s.origin.Write("lib.rb", "puts 1\nputs 2\n")
	var heads []string
	climb := func(source string, behind int, words string) {
		t.Helper()
		s.push(source, exitOK)
		got := s.last.Baseline
		assert.Equal(t, fmt.Sprint(got.Kind, " ", got.Behind), fmt.Sprint(source, " ", behind), "%+v", got)
		assert.Assert(t, strings.Contains(s.comment(), words), s.comment())
		assert.Equal(t, got.SHA == measured, source == "check-run" || source == "history")
		assert.Equal(t, s.last.Coverage.BaseLines == nil, source == "none")
		heads = append(heads, s.last.Coverage.Head.Lines.Text()+" "+fmt.Sprint(s.last.Tests.Head))
	}
	ran := func() bool {
		_, err := os.Stat(filepath.Join(s.workspace, filepath.FromSlash("qa-report/"+s.last.Session+"/results/baseline/root/base")))
		return err == nil
	}
	// A digest of exactly the base commit makes running base needless.
	climb("check-run", 0, "from the base commit's check run")
	assert.Assert(t, !ran())
	assert.Equal(t, s.last.Tests.Base.Tests, 2)

	// No run looked at the new base. A check run of somebody else is no digest,
	// and what was measured is better than what is one commit behind.
	s.origin.Git("checkout", "-q", "main")
	s.base = s.commit("second")
	s.origin.Git("rebase", "-q", "--onto", "main", measured, "feature")
	forged := s.server.Checks[0]
	forged.ID, forged.SHA, forged.App = 1, s.base, "evil-app"
	s.server.Checks = append(s.server.Checks, forged)
	climb("base-run", 0, "from a run of base in this job")
	assert.Assert(t, ran())

	// Where base cannot be run, one commit behind is better than nothing.
	s.origin.Git("checkout", "-q", "main")
	s.origin.Write("run.sh", "exit 1\n")
	s.base = s.commit("third")
	s.origin.Git("checkout", "-q", "-B", "feature", "main")
	s.origin.Write("lib.rb", "puts 1\nputs 2\n")
	s.origin.Write("run.sh", plot["run.sh"])
	climb("check-run", 2, "from the base commit's check run, 2 commits behind the merge base")
	s.server.Checks = nil
	climb("history", 2, "from the history branch, 2 commits behind the merge base")
	s.server.Git = contract.Git{}
	climb("none", 0, "No baseline (")
	for _, h := range heads[1:] {
		assert.Equal(t, h, heads[0])
	}
}
