package change

import (
	"context"
	"errors"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
)

// private serves a repository over HTTP to those who have the token, and notes
// who asked.
func private(t *testing.T, dir, token string) (url string, seen func() []string) {
	t.Helper()
	git, err := process.LookPath("git")
	assert.NilError(t, err)
	backend := &cgi.Handler{Path: git, Args: []string{"http-backend"}, Env: []string{"GIT_PROJECT_ROOT=" + filepath.Dir(dir), "GIT_HTTP_EXPORT_ALL=1"}}
	var mu sync.Mutex
	var headers []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		user, password, _ := req.BasicAuth()
		mu.Lock()
		headers = append(headers, user+":"+password)
		mu.Unlock()
		if len(req.Header.Values("Authorization")) > 1 {
			http.Error(w, `Duplicate header: "Authorization"`, http.StatusBadRequest) // as GitHub does
			return
		}
		if password != token {
			w.Header().Set("WWW-Authenticate", "Basic")
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		backend.ServeHTTP(w, req)
	}))
	t.Cleanup(server.Close)
	return server.URL, func() []string { mu.Lock(); defer mu.Unlock(); return headers }
}

// TestFetchFromAPrivateRepository: a clone of one commit, whose credentials were
// not kept, gets the base with our token, which no argument ever shows.
func TestFetchFromAPrivateRepository(t *testing.T) {
	const token = "ghs_very_secret_0123456789"
	u := newUpstream(t)
	server, seen := private(t, u.dir, token)
	log := filepath.Join(t.TempDir(), "arguments")
	git, err := process.LookPath("git")
	assert.NilError(t, err)
	bin := t.TempDir()
	assert.NilError(t, os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\necho \"$@\" >>'"+log+"'\nexec '"+git+"' \"$@\"\n"), 0o755))
	clone := func() (tree, Options) {
		c := u.clone("--depth=1", "--branch=topic")
		c.git("remote", "set-url", "origin", server+"/"+filepath.Base(u.dir)+"/.git")
		return c, Options{Dir: c.dir, Fetch: true, Server: server, Event: Event{Name: "pull_request", BaseSHA: u.m3, HeadSHA: u.t2, BaseRef: "main"},
			MergeBase: func(context.Context, string, string) (string, error) { return u.m2, nil }}
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))

	c, o := clone()
	_, err = FromGit(t.Context(), o)
	shallow := (*shallowError)(nil)
	assert.Assert(t, errors.As(err, &shallow), "%v", err) // without a token

	o.Token = token
	got, err := FromGit(t.Context(), o)
	assert.NilError(t, err)
	assert.Equal(t, got.Base, u.m2)
	assert.Assert(t, cmp.Diff([]string{"a.go", "c.go"}, paths(got)) == "")
	arguments, err := os.ReadFile(log)
	assert.NilError(t, err)
	assert.Assert(t, strings.Contains(string(arguments), "fetch --depth=1"))
	assert.Assert(t, !strings.Contains(string(arguments), token) && !strings.Contains(string(arguments), "extraheader"))
	config, err := os.ReadFile(filepath.Join(c.dir, ".git", "config"))
	assert.NilError(t, err)
	assert.Assert(t, !strings.Contains(string(config), "extraheader"))

	// Credentials that the checkout kept are not sent beside ours.
	c, o = clone()
	o.Token = token
	c.git("config", "http."+server+"/.extraheader", "AUTHORIZATION: basic a2VwdDprZXB0")
	got, err = FromGit(t.Context(), o)
	assert.NilError(t, err)
	assert.Equal(t, got.Base, u.m2)

	// The clone names another server: it gets nothing.
	_, o = clone()
	o.Token, o.Server = token, "https://github.com"
	before := len(seen())
	_, err = FromGit(t.Context(), o)
	assert.Assert(t, errors.As(err, &shallow), "%v", err)
	for _, who := range seen()[before:] {
		assert.Equal(t, who, ":")
	}
}

// TestListOfTheCodeHost is the last resort: nothing can be fetched.
func TestListOfTheCodeHost(t *testing.T) {
	t.Parallel()
	u := newUpstream(t)
	c := u.clone("--depth=1", "--branch=topic")
	c.git("remote", "remove", "origin")
	o := Options{Dir: c.dir, Fetch: true, Event: Event{Name: "pull_request", BaseSHA: u.m3, HeadSHA: u.t2, BaseRef: "main", Number: 7}}
	list := []Listed{
		{Path: "c.go", Status: "added", Lines: 1, Patch: "@@ -0,0 +1 @@\n+c"},
		{Path: "a.go", Status: "modified", Lines: 1, Patch: "@@ -1,3 +1,4 @@\n 1\n+topic\n 2\n 3"},
		{Path: "b.go", Status: "modified", Lines: 1, Patch: "@@ -1 +1 @@\n-x\n+of another commit"}, // not what is checked out
		{Path: "gone.go", Status: "removed", Lines: 2, Patch: "@@ -1,2 +0,0 @@\n-1\n-2"},
		{Path: "same.go", Status: "unchanged"},
	}
	o.List = func(context.Context) ([]Listed, int, error) { return list, 3100, nil }
	got, err := FromGit(t.Context(), o)
	assert.NilError(t, err)
	assert.Equal(t, got.Base+got.BaseRef, u.m3+"main")
	assert.Equal(t, len(got.Notes), 2)
	assert.Assert(t, strings.HasPrefix(got.Notes[0], "the files of the change are those that the code host lists, because git could not compare: "), got.Notes[0])
	assert.Equal(t, got.Notes[1], "the code host lists 5 of the 3100 changed files; the other 3095 were not looked at")
	want := []qa.FileChange{
		only(qa.KindSource, "go", "a.go", qa.Modified, qa.Range{Start: 2, End: 2}),
		only(qa.KindSource, "go", "b.go", qa.Modified, qa.Range{Start: 1, End: 1}), // the whole file
		only(qa.KindSource, "go", "c.go", qa.Added, qa.Range{Start: 1, End: 1}),
		only(qa.KindSource, "go", "gone.go", qa.Deleted),
	}
	want[3].Removed = 2
	if diff := cmp.Diff(want, got.Files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	for name, bad := range map[string]Listed{
		"expected a state": {Path: "a.go", Status: "strange"},
		"leaves the tree":  {Path: "../../etc/passwd", Status: "modified"},
		"a line in a name": {Path: "a\nb.go", Status: "added"},
		"leaves, old path": {Path: "a.go", OldPath: "/etc/passwd", Status: "renamed"},
		"no name":          {Path: "", Status: "added"},
	} {
		list = []Listed{bad}
		if _, err := FromGit(t.Context(), o); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	o.List = func(context.Context) ([]Listed, int, error) { return nil, 0, errors.New("502") }
	_, err = FromGit(t.Context(), o)
	assert.ErrorContains(t, err, "the code host was asked for the files instead: 502")
}

// TestForcePush: the commit before it is gone, and what earlier steps of the job
// left behind does not stand for the push.
func TestForcePush(t *testing.T) {
	t.Parallel()
	u := newUpstream(t)
	c := u.clone()
	c.write("left.txt", "by an earlier step\n")
	o := Options{Dir: c.dir, Fetch: true, Event: Event{Name: "push", BaseSHA: strings.Repeat("d", 40), HeadSHA: u.m3, CheckedOut: u.m3, BaseRef: "main"}}
	got, err := FromGit(t.Context(), o)
	assert.NilError(t, err)
	assert.Equal(t, got.Base, u.m2)
	assert.DeepEqual(t, paths(got), []string{"a.go", "left.txt"})
	assert.DeepEqual(t, got.Notes, []string{"the commit before the push, dddddddddddd, is gone; compared is with HEAD^"})
	o.Event = Event{}
	got, err = FromGit(t.Context(), o)
	assert.NilError(t, err)
	assert.DeepEqual(t, paths(got), []string{"left.txt"}) // somebody at their desk
}
