package gh

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gotest.tools/v3/assert"
)

func read(t *testing.T, env map[string]string) Event {
	t.Helper()
	e, err := ReadEvent(func(name string) string { return env[name] })
	assert.NilError(t, err)
	return e
}

// The payloads are GitHub's published examples (@octokit/webhooks-examples, MIT).
func TestPublishedPayloads(t *testing.T) {
	t.Parallel()
	const sha = "1111111111111111111111111111111111111111"
	for name, want := range map[string]Event{
		"pull_request": {Action: "synchronize", DefaultBranch: "master", Pull: &Pull{Number: 2, Before: "f95f852bd8fca8fcc58a9a2d6c842781e32a215e", HeadRepo: "Codertocat/Hello-World", DefaultBranch: "master", Title: "Update the README with new information.",
			Body: "This is a pretty simple change that we need to pull into master.", ChangedFiles: 1,
			Range: Range{BaseSHA: "f95f852bd8fca8fcc58a9a2d6c842781e32a215e", BaseRef: "master", HeadSHA: "ec26c3e57ca3a959ca5aad62de7213c562f8c821", HeadRef: "changes"}}},
		"merge_group": {Action: "checks_requested", DefaultBranch: "main", Group: &Range{BaseSHA: "380387fbc80638b734a49e1be1c4dfec1c01b33c", BaseRef: "main",
			HeadSHA: "2ffea6db159f6b6c47a24e778fb9ef40cf6b1c7d", HeadRef: "gh-readonly-queue/main/pr-104-929f8209d40f77f4abc622a499c93a83babdbe64"}},
		"push": {DefaultBranch: "master", Push: &Range{HeadSHA: "6113728f27ae82c7b1a177c8d03f9e96e0adf246", HeadRef: "refs/tags/simple-tag", BaseRef: "refs/tags/simple-tag"}},
		"workflow_run": {Action: "completed", DefaultBranch: "main", Run: &Run{ID: 1589141559, HeadSHA: "5779607b49aab1200488439f02372c57b4f75444", HeadBranch: "main",
			HeadRepo: "octo-org/octo-repo", HeadOwner: "octo-org"}},
		"workflow_dispatch": {DefaultBranch: "main"},
		"issue_comment": {Action: "created", DefaultBranch: "master", ChangesNothing: "the comment is on an issue, not on a pull request",
			Comment: &Comment{Author: "Codertocat", Association: "OWNER", Body: "You are totally right! I'll get this fixed right away."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := read(t, map[string]string{"GITHUB_EVENT_NAME": name, "GITHUB_SHA": sha, "GITHUB_REPOSITORY": "a/b",
				"GITHUB_EVENT_PATH": filepath.Join("testdata", "event", name+".json")})
			want.Name, want.SHA, want.Owner, want.Repo = name, sha, "a", "b"
			assert.Equal(t, cmp.Diff(want, got), "")
		})
	}
}

// TestNoFieldIsNeeded takes each field of each payload away in turn.
func TestNoFieldIsNeeded(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("testdata", "event", "*.json"))
	assert.NilError(t, err)
	assert.Equal(t, len(files), 6)
	for _, file := range files {
		raw, err := os.ReadFile(file)
		assert.NilError(t, err)
		var whole map[string]any
		assert.NilError(t, json.Unmarshal(raw, &whole))
		without(whole, func() {
			raw, err := json.Marshal(whole)
			assert.NilError(t, err)
			var p payload
			assert.NilError(t, json.Unmarshal(raw, &p))
			for _, name := range []string{strings.TrimSuffix(filepath.Base(file), ".json"), "workflow_run", "issue_comment", "push", "merge_group", "schedule"} {
				e := Event{Name: name}
				e.fill(p)
				_, _, _ = e.Head(), e.RunURL(), e.Repository()
			}
		})
	}
}

func without(m map[string]any, look func()) {
	for _, key := range []string{"action", "number", "repository", "pull_request", "merge_group", "workflow_run", "issue", "comment", "before", "after",
		"head", "base", "repo", "user", "owner", "head_repository", "sha", "ref"} {
		value, set := m[key]
		if !set {
			continue
		}
		delete(m, key)
		look()
		m[key] = nil
		look()
		m[key] = value
		if inner, ok := value.(map[string]any); ok {
			without(inner, look)
		}
	}
}

func TestBadPayloads(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"": "not the JSON", "[]": "not the JSON", `{"pull_request": 7}`: "not the JSON"} {
		path := filepath.Join(t.TempDir(), "event.json")
		assert.NilError(t, os.WriteFile(path, []byte(text), 0o600))
		_, err := ReadEvent(func(name string) string {
			return map[string]string{"GITHUB_EVENT_PATH": path, "GITHUB_EVENT_NAME": "pull_request"}[name]
		})
		assert.ErrorContains(t, err, want)
	}
	e := read(t, map[string]string{"GITHUB_EVENT_PATH": filepath.Join(t.TempDir(), "none.json"), "GITHUB_EVENT_NAME": "pull_request"})
	assert.Assert(t, e.Pull == nil)
}

func TestHeadIsNeverTheTestMerge(t *testing.T) {
	t.Parallel()
	e := read(t, map[string]string{"GITHUB_EVENT_NAME": "pull_request", "GITHUB_SHA": "1111111111111111111111111111111111111111",
		"GITHUB_EVENT_PATH": filepath.Join("testdata", "event", "pull_request.json")})
	assert.Equal(t, e.Head(), "ec26c3e57ca3a959ca5aad62de7213c562f8c821")
	assert.Assert(t, !e.Privileged())
	for _, name := range []string{"pull_request_target", "workflow_run", "issue_comment"} {
		assert.Assert(t, Event{Name: name}.Privileged(), name)
	}
}

func TestParseCommand(t *testing.T) {
	t.Parallel()
	modes := []string{"auto", "discovery", "testing", "full"}
	for body, want := range map[string]*Command{
		"/qa": {},
		"  /qa testing  cover the  cart \r\n rest": {Mode: "testing", Task: "cover the cart"},
		"/qa Full":                        {Mode: "full"},
		"/qa scan the parser":             {Task: "scan the parser"},
		"/qa run":                         {},
		"/qa dismiss 3f2a9c0d why":        {},
		"/qa retry testing":               {Mode: "testing"},
		"/qa mode discovery":              {Mode: "discovery"},
		"/qa explain 3f2a9c0d":            {Explain: "3f2a9c0d"},
		"/qa Explain SCOUT-ISSUE-1 \nx":   {Explain: "SCOUT-ISSUE-1"},
		"/qa explain the parser to me":    {Task: "explain the parser to me"},
		"/qa mode of the cart":            {Task: "mode of the cart"},
		"/qa " + strings.Repeat("é", 900): {Task: strings.Repeat("é", 500)},
		"/qaa testing":                    nil,
		"please run /qa":                  nil,
		"":                                nil,
		"> /qa full":                      nil,
	} {
		got, ok := ParseCommand(body, modes)
		assert.Equal(t, ok, want != nil, body)
		if want != nil {
			assert.Equal(t, got, *want)
		}
	}
}

func TestParseDismissal(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"/qa dismiss 3f2a9c0d a public  test key\nmore": "3f2a9c0d: a public test key",
		"/qa DISMISS 3f2a9c0d11aa42b7 known":            "3f2a9c0d11aa42b7: known",
		"/qa dismiss":                                   "error",
		"/qa dismiss 3f2a9c0d":                          "error",
		"/qa dismiss SCOUT-ISSUE-1 no digits":           "error",
		"/qa dismiss 3f2a too short":                    "error",
		"/qa dismiss 3f2a9c0d11aa42b7ff too long":       "error",
		"/qa dismissal of 3f2a9c0d":                     "",
		"/qa":                                           "",
		"why /qa dismiss 3f2a9c0d x":                    "",
		"> /qa dismiss 3f2a9c0d x":                      "",
	} {
		d, ok, err := parseDismissal(body)
		got := ""
		switch {
		case err != nil:
			got = "error"
		case ok:
			got = d.Print + ": " + d.Reason
		}
		assert.Equal(t, got, want, body)
	}
	d, _, err := parseDismissal("/qa dismiss 3f2a9c0d " + strings.Repeat("é", 900) + "\x1b[31m")
	assert.NilError(t, err)
	assert.Assert(t, len([]rune(d.Reason)) <= maxReason)
}

func FuzzPayload(f *testing.F) {
	f.Add([]byte(`{"pull_request":{"head":{"repo":null}}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var p payload
		if json.Unmarshal(raw, &p) != nil {
			return
		}
		for _, name := range []string{"pull_request", "merge_group", "push", "workflow_run", "issue_comment"} {
			e := Event{Name: name}
			e.fill(p)
			if sha := e.Head(); e.Pull != nil && sha != "" && commit(e.Pull.HeadSHA) != e.Pull.HeadSHA {
				t.Errorf("head %q is no commit", sha)
			}
		}
	})
}
