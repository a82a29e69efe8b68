package publish

import (
	"io"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/gh"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testsupport/contract"
)

// TestCommentAfterOurOwnCommit: what we delivered moved the head, and does not
// make our report stale; a report of somebody else cannot claim that.
func TestCommentAfterOurOwnCommit(t *testing.T) {
	t.Parallel()
	server := contract.New(t)
	server.Git.Put("feature", server.Head, map[string]string{"a/a_test.go": "package a\n"})
	client, err := gh.New(gh.Options{URL: server.URL, Token: contract.Token, Owner: "octo-org", Repo: "shop", Spacing: 1})
	assert.NilError(t, err)
	p := &Publisher{Log: io.Discard, Client: client, Event: gh.Event{Owner: "octo-org", Repo: "shop", ServerURL: "https://github.com", Pull: &gh.Pull{Number: 7}}}
	r := &qa.Report{
		Change: qa.Change{Head: server.Head, Number: 7}, Patch: "diff --git a/a/b_test.go b/a/b_test.go\nnew file mode 100644\n--- /dev/null\n+++ b/a/b_test.go\n@@ -0,0 +1,1 @@\n+package a\n",
		Generated: []qa.GeneratedTest{{Name: "TestB", Path: "a/b_test.go", Layer: qa.L1, Lane: "hardening", Kept: true}},
	}
	d := &qa.Delivery{Way: "commit"}
	assert.NilError(t, p.HandOver(t.Context(), r, d, "."))
	r.Manifest.Delivery = d
	assert.ErrorContains(t, p.fresh(t.Context(), r), "newer head")
	p.Own = r
	assert.NilError(t, p.fresh(t.Context(), r))
	server.Head = strings.Repeat("d", 40)
	assert.ErrorContains(t, p.fresh(t.Context(), r), "newer head")
}
