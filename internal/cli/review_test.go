package cli

import (
	"fmt"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// shown makes the server list the diff of the pull request as it is now.
func (s *story) shown() {
	s.t.Helper()
	s.server.Patches = map[string]string{}
	for _, path := range strings.Fields(s.origin.Git("diff", "--name-only", s.base, s.head)) {
		_, hunks, _ := strings.Cut(s.origin.Git("diff", s.base, s.head, "--", path), "\n@@")
		s.server.Patches[path] = "@@" + strings.TrimSuffix(hunks, "\n")
	}
}

// TestReviewComments: findings stand at the lines of the head, although main moved
// them in what was measured; the mechanical fix can be committed from there, and is
// what ends the comment.
func TestReviewComments(t *testing.T) {
	t.Parallel()
	s := newStory(t, "none")
	s.env["INPUT_REVIEW-COMMENTS"], s.env["INPUT_PERSPECTIVES"] = "true", "bug,test-coverage"
	s.origin.Write("lib.test.js", "// first\n")
	s.origin.Write("lib.rb", strings.Repeat("puts 1\n", 9))
	s.base = s.commit("base2")
	s.origin.Git("checkout", "-q", "-b", "feature")
	s.origin.Write("lib.rb", strings.Repeat("puts 1\n", 9)+"puts 2\n# FIXME ten\n")
	s.origin.Write("lib.test.js", "// first\ndescribe('x', () => {\n  it.only('y', () => { expect(1).toBe(1) })\n})\n")
	s.head = s.commit("work")
	s.shown()
	s.origin.Git("checkout", "-q", "main")
	s.origin.Write("lib.rb", "# one\n# two\n"+strings.Repeat("puts 1\n", 9))
	s.origin.Write("lib.test.js", "// nought\n// first\n")
	s.base = s.commit("base3")
	s.origin.Git("checkout", "-q", "feature")

	s.origin.Write("notes.txt", "as a commit must have something\n")
	s.push("head", exitInconclusive) // nothing here runs lib.test.js
	assert.Equal(t, s.server.Reviews, 1)
	said := map[string]string{}
	for _, r := range s.server.Remarks {
		_, said[fmt.Sprint(r.Path, ":", r.Line)], _ = strings.Cut(r.Body, "\n")
	}
	assert.Equal(t, len(said), 2, "%v", said)
	assert.Assert(t, strings.Contains(said["lib.rb:11"], "FIXME ten"), "%v", said)
	focused := said["lib.test.js:3"]
	assert.Assert(t, strings.HasSuffix(focused, "\n```suggestion\n  it('y', () => { expect(1).toBe(1) })\n```\n"), focused)

	// The suggestion is committed; the other finding is still there.
	s.origin.Write("lib.test.js", "// first\ndescribe('x', () => {\n  it('y', () => { expect(1).toBe(1) })\n})\n")
	s.push("fixed", exitInconclusive)
	assert.Equal(t, fmt.Sprint(len(s.server.Remarks), s.server.Reviews, s.server.Remarks[0].Path), "1 1lib.rb")
}

// TestNoReviewCommentsByDefault: comments at lines are asked for.
func TestNoReviewCommentsByDefault(t *testing.T) {
	t.Parallel()
	s := newStory(t, "none")
	s.origin.Git("checkout", "-q", "-b", "feature")
	s.origin.Write("lib.rb", "puts 1\n# FIXME one\n")
	s.push("head", exitOK)
	assert.Equal(t, len(s.last.Findings), 1)
	for _, request := range s.server.Requests {
		assert.Assert(t, !strings.Contains(request, "/reviews"), request)
	}
}
