package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/testsupport/contract"
)

// TestNothingCanBePublished: whatever GitHub says to whatever is written, the
// verdict, the outputs and the summary are those of the run, and the log has one
// line for each sink that said no.
func TestNothingCanBePublished(t *testing.T) {
	t.Parallel()
	for _, status := range []int{404, 422} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			t.Parallel()
			s := newStory(t, "directory")
			s.origin.Git("checkout", "-q", "-b", "feature")
			s.origin.Write("lib.rb", "puts 1\nputs 2 # FIXME two\n# BROKEN\n")
			s.prepare("head", "")
			s.server.OnRequest = func(server *contract.Server, request string) {
				if !strings.HasPrefix(request, "GET ") {
					server.Refusals = []contract.Refusal{{Status: status, Message: "no, for a reason"}}
				}
			}
			e := s.run(t.Context(), nil, "run")
			assert.Equal(t, e.code, exitFail, e.text)
			assert.Equal(t, e.outputs["result"]+" "+e.outputs["tests-failed"], "FAIL 1")
			assert.Assert(t, strings.Contains(e.summary, "QA FAIL"), e.summary)
			assert.Equal(t, len(s.server.Comments)+len(s.server.Checks), 0)
			assert.Assert(t, len(e.log.Annotations) > 0)
			for _, sink := range []string{"check run: start the check run: ", "comment: create the comment: "} {
				assert.Equal(t, strings.Count(e.text, "qa: "+sink), 1, e.text)
			}
			assert.Equal(t, strings.Count(e.text, "no, for a reason"), 2, e.text)
		})
	}
}

// TestClosedWhileRunning: nobody waits for a report any more. The check run of
// the commit is completed all the same.
func TestClosedWhileRunning(t *testing.T) {
	t.Parallel()
	s := newStory(t, "directory")
	s.origin.Git("checkout", "-q", "-b", "feature")
	s.origin.Write("lib.rb", "puts 1\nputs 2\n")
	s.prepare("head", "")
	e := s.run(t.Context(), func(line string) {
		if strings.Contains(line, "wave ") {
			s.server.Lock()
			s.server.State = "closed"
			s.server.Unlock()
		}
	}, "run")
	assert.Equal(t, e.code, exitOK, e.text)
	assert.Equal(t, len(s.server.Comments), 0)
	assert.Assert(t, strings.Contains(e.text, "comment: not posted: pull request #7: it was closed"), e.text)
	assert.Equal(t, s.server.Checks[0].Status+" "+s.server.Checks[0].Conclusion, "completed success")

	// Asked for on a closed one, as by a workflow for that event, it is given.
	s.event("pull_request", func(p map[string]any) {
		s.pull(p)
		p["pull_request"].(map[string]any)["state"] = "closed"
	})
	assert.NilError(t, os.RemoveAll(filepath.Join(s.workspace, "qa-report")))
	e = s.run(t.Context(), nil, "run")
	assert.Equal(t, len(s.server.Comments), 1, e.text)
}

// TestTwoRunsAtOnce: two jobs of one place finish together; one comment and one
// check run are left, both of a finished run.
func TestTwoRunsAtOnce(t *testing.T) {
	t.Parallel()
	s := newStory(t, "directory")
	s.origin.Git("checkout", "-q", "-b", "feature")
	s.origin.Write("lib.rb", "puts 1\nputs 2\n")
	s.prepare("head", "")
	s.server.OnCreate = func(server *contract.Server) { // the other one, just before ours
		server.OnCreate = nil
		server.Comments = append(server.Comments, contract.Comment{ID: server.ID(), Author: contract.Bot, Bot: true,
			Body: "<!-- qa-action:v1:CI:qa:default -->\n\nits report"})
	}
	e := s.run(t.Context(), nil, "run")
	assert.Equal(t, e.code, exitOK, e.text)
	assert.Assert(t, strings.Contains(s.comment(), "QA PASS"))
	assert.Equal(t, len(s.server.Checks), 1)
	assert.Equal(t, s.server.Checks[0].Status, "completed")
}
