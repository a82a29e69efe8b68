package cli

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testsupport/contract"
)

// TestDismissedInAComment: who may write sets a finding aside in a comment; it is told
// with who, why and when, others are not heard, and it comes back when its code
// changes.
func TestDismissedInAComment(t *testing.T) {
	t.Parallel()
	s := newStory(t, "none")
	s.server.Permissions["alice"], s.server.Permissions["bob"] = "write", "read"
	s.origin.Git("checkout", "-q", "-b", "feature")
	work := func(one, two string) { s.origin.Write("lib.rb", "puts 1\n# FIXME "+one+"\n# FIXME "+two+"\n") }
	work("one", "two")
	s.push("first", exitOK)
	assert.Equal(t, len(s.last.Findings), 2)
	first, second := s.fingerprint("one"), s.fingerprint("two")
	assert.Assert(t, strings.Contains(s.comment(), "`"+first[:8]+"`"), "the comment shows how a finding is named:\n%s", s.comment())

	say := func(author, association, body string) {
		s.server.Comments = append(s.server.Comments, contract.Comment{ID: s.server.ID(), Author: author, Association: association, At: "2026-11-20T10:00:00Z", Body: body})
	}
	say("alice", "MEMBER", "/qa dismiss "+first[:8]+" known and [harmless](https://evil.example)")
	say("bob", "MEMBER", "/qa dismiss "+second[:8]+" trust me")
	say("mallory", "NONE", "/qa dismiss "+second[:8]+" trust me more")
	work("one", "two")
	s.origin.Write("other.rb", "puts 2\n")
	s.push("second", exitOK)
	status := map[string]qa.FindingStatus{}
	for _, f := range s.last.Findings {
		status[f.Fingerprint] = f.Status
		if f.Fingerprint == first {
			assert.DeepEqual(t, *f.Dismissal, qa.Dismissal{Reason: "known and [harmless](https://evil.example)", By: "alice", At: "2026-11-20T10:00:00Z"})
		}
	}
	assert.Equal(t, status[first], qa.StatusDismissed)
	assert.Assert(t, status[second] != qa.StatusDismissed)
	page := s.server.Comments[0].Body
	assert.Assert(t, strings.Contains(page, "by alice on 2026-11-20") && !strings.Contains(page, " [harmless]("), page)

	work("one, or more", "two")
	s.push("third", exitOK)
	for _, f := range s.last.Findings {
		assert.Assert(t, f.Status != qa.StatusDismissed, "%s is dismissed after its code changed", f.Message)
	}
}
