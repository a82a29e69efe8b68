package cli

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// TestExplained: who asks on the pull request about a finding gets a comment of its own
// with everything that the run knows of it, and the command line says the same.
func TestExplained(t *testing.T) {
	t.Parallel()
	s := newStory(t, "none")
	s.server.Permissions["Codertocat"] = "write"
	s.origin.Git("checkout", "-q", "-b", "feature")
	s.origin.Write("lib.rb", "puts 1\n# FIXME **one**\n")
	s.push("first", exitOK)
	mark := s.fingerprint("one")[:8]

	e := s.run(t.Context(), nil, "explain", mark)
	assert.Equal(t, e.code, exitOK, e.text)
	assert.Assert(t, strings.Contains(e.text, "What ends it"), e.text)
	e = s.run(t.Context(), nil, "explain", "00000000")
	assert.Equal(t, e.code, exitUsage, e.text)
	assert.Assert(t, strings.Contains(e.text, "`"+mark+"`"), "it names those that are there: %s", e.text)

	ask := func(body string) {
		s.env["INPUT_ACCEPT-UNTRUSTED-EVENT"] = "true"
		s.git("fetch", "-q", "--unshallow", "origin", s.head)
		s.git("checkout", "-q", "FETCH_HEAD")
		s.event("issue_comment", func(p map[string]any) {
			issue := p["issue"].(map[string]any)
			issue["pull_request"], issue["number"] = map[string]any{"url": "https://api.github.com"}, 7
			p["comment"].(map[string]any)["body"] = body
		})
		s.play(exitOK)
	}
	ask("/qa explain " + mark)
	answer := s.server.Comments[len(s.server.Comments)-1].Body
	for _, want := range []string{"`" + mark + "`", "lib.rb", "# FIXME **one**", "new in this change", "/qa dismiss " + mark} {
		assert.Assert(t, strings.Contains(answer, want), "%s is missing in\n%s", want, answer)
	}
	assert.Assert(t, !strings.Contains(answer, "FIXME **one**<"), answer)
}
