package change

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/qa"
)

// upstream is a repository with a main branch of three commits and a topic
// branch of two that leaves main after its second.
//
//	m1 - m2 - m3      main
//	       \
//	        t1 - t2   topic
type upstream struct {
	tree
	m1, m2, m3, t1, t2 string
}

func newUpstream(t testing.TB) upstream {
	r := newTree(t)
	u := upstream{tree: r}
	r.write("a.go", "1\n2\n3\n")
	u.m1 = r.commit("m1")
	r.write("b.go", "b\n")
	u.m2 = r.commit("m2")
	r.git("checkout", "-q", "-b", "topic")
	r.write("a.go", "1\ntopic\n2\n3\n")
	u.t1 = r.commit("t1")
	r.write("c.go", "c\n")
	u.t2 = r.commit("t2")
	r.git("checkout", "-q", "main")
	r.write("a.go", "0\n1\n2\n3\n")
	u.m3 = r.commit("m3")
	r.git("config", "uploadpack.allowAnySHA1InWant", "true")
	return u
}

// clone makes a working copy of it.
func (u upstream) clone(args ...string) tree {
	u.t.Helper()
	c := tree{u.t, u.t.TempDir()}
	c.git(append(append([]string{"clone", "-q"}, args...), "file://"+u.dir, ".")...)
	return c
}

func paths(c qa.Change) []string {
	var out []string
	for _, f := range c.Files {
		out = append(out, f.Path)
	}
	return out
}

func TestBase(t *testing.T) {
	t.Parallel()
	u := newUpstream(t)
	merge := func(c tree) string {
		c.git("checkout", "-q", "--detach", "origin/main")
		c.git("merge", "-q", "--no-ff", "-m", "merge", u.t2)
		return c.git("rev-parse", "HEAD")
	}
	for name, tc := range map[string]struct {
		prepare func(c tree) Options
		base    string
		ref     string
		files   []string
	}{
		"upstream default branch": {func(c tree) Options { c.git("checkout", "-q", "topic"); return Options{} }, u.m2, "origin/HEAD", []string{"a.go", "c.go"}},
		"named branch":            {func(c tree) Options { c.git("checkout", "-q", "topic"); return Options{Base: "main"} }, u.m2, "main", []string{"a.go", "c.go"}},
		"branch of origin alone":  {func(c tree) Options { return Options{Base: "topic"} }, u.m2, "topic", []string{"a.go"}},
		"named commit":            {func(c tree) Options { return Options{Base: u.m1[:10]} }, u.m1, u.m1[:10], []string{"a.go", "b.go"}},
		"default branch itself":   {func(c tree) Options { return Options{} }, u.m2, "HEAD^", []string{"a.go"}},
		"edits on the default branch": {func(c tree) Options {
			c.write("new.go", "x\n")
			return Options{}
		}, u.m3, "HEAD", []string{"new.go"}},
		"unpushed commit": {func(c tree) Options {
			c.write("new.go", "x\n")
			c.commit("local")
			return Options{}
		}, u.m3, "origin/HEAD", []string{"new.go"}},
		"no upstream": {func(c tree) Options {
			c.git("checkout", "-q", "topic")
			c.git("remote", "remove", "origin")
			return Options{}
		}, u.m2, "main", []string{"a.go", "c.go"}},
		"no other branch": {func(c tree) Options {
			c.git("remote", "remove", "origin")
			return Options{}
		}, u.m2, "HEAD^", []string{"a.go"}},
		"push": {func(c tree) Options {
			return Options{Event: Event{Name: "push", BaseSHA: u.m1, HeadSHA: u.m3, CheckedOut: u.m3, BaseRef: "main"}}
		}, u.m1, "main", []string{"a.go", "b.go"}},
		"push of a new branch": {func(c tree) Options {
			c.git("checkout", "-q", "topic")
			return Options{Event: Event{Name: "push", BaseSHA: strings.Repeat("0", 40), HeadSHA: u.t2, CheckedOut: u.t2}}
		}, u.m2, "origin/HEAD", []string{"a.go", "c.go"}},
		"merge queue": {func(c tree) Options {
			m := merge(c)
			return Options{Event: Event{Name: "merge_group", BaseSHA: u.m3, HeadSHA: m, CheckedOut: m}}
		}, u.m3, u.m3[:12], []string{"a.go", "c.go"}},
		"pull request head": {func(c tree) Options {
			c.git("checkout", "-q", "--detach", u.t2)
			return Options{Event: Event{Name: "pull_request", BaseSHA: u.m3, HeadSHA: u.t2, BaseRef: "main"}}
		}, u.m2, "main", []string{"a.go", "c.go"}},
		"test merge": {func(c tree) Options {
			return Options{Event: Event{Name: "pull_request", BaseSHA: u.m2, HeadSHA: u.t2, CheckedOut: merge(c), BaseRef: "main"}}
		}, u.m3, "main", []string{"a.go", "c.go"}},
		// A merge that the event does not know is the user's own commit.
		"own merge commit": {func(c tree) Options {
			merge(c)
			return Options{Event: Event{Name: "pull_request", BaseSHA: u.m3, HeadSHA: u.t2, CheckedOut: u.t2, BaseRef: "main"}}
		}, u.m3, "main", []string{"a.go", "c.go"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := u.clone()
			c.git("branch", "-q", "topic", "origin/topic")
			if name == "branch of origin alone" {
				c.git("branch", "-q", "-D", "topic")
			}
			got := fromGit(t, c, tc.prepare(c))
			if got.Base != tc.base || got.BaseRef != tc.ref {
				t.Errorf("base %s (%s), want %s (%s)", got.Base, got.BaseRef, tc.base, tc.ref)
			}
			if diff := cmp.Diff(tc.files, paths(got)); diff != "" {
				t.Error(diff)
			}
			if name == "test merge" && (got.Head != u.t2 || got.Measured != c.git("rev-parse", "HEAD")) {
				t.Errorf("head %s, measured %s", got.Head, got.Measured)
			}
		})
	}
}

func TestFirstCommit(t *testing.T) {
	t.Parallel()
	r := newTree(t)
	r.write("a.go", "package a\n")
	r.commit("first")
	got := fromGit(t, r, Options{})
	if got.Base != "" || len(got.Files) != 1 || got.Files[0].Status != qa.Added {
		t.Errorf("got %+v", got)
	}
}

// The default branch, checked out for pull_request_target, has no change: that
// must not look like a pull request without one.
func TestCheckoutWithoutThePullRequest(t *testing.T) {
	t.Parallel()
	u := newUpstream(t)
	c := u.clone()
	for _, checkedOut := range []string{u.m3, ""} {
		_, err := FromGit(t.Context(), Options{Dir: c.dir, Event: Event{Name: "pull_request_target", BaseSHA: u.m3, HeadSHA: u.t2, CheckedOut: checkedOut}})
		if wrong := new(refusal); !errors.As(err, &wrong) || !strings.Contains(err.Error(), "does not hold the pull request's head "+u.t2[:12]) {
			t.Errorf("error %v", err)
		}
	}
}

func TestUnknownAndUnrelatedBase(t *testing.T) {
	t.Parallel()
	r := newTree(t)
	r.write("a.go", "a\n")
	r.commit("a")
	r.git("checkout", "-q", "--orphan", "island")
	r.commit("b")
	for base, want := range map[string]string{
		"mian":            `base "mian" is not a branch, tag or commit of this clone; known are island, main; fetch it with: git fetch --no-tags origin mian`,
		"isl":             "known are island, main",
		"--upload-pack=x": "is not a branch",
		"a b; rm -rf":     `fetch it with: git fetch --no-tags origin 'a b; rm -rf'`,
		"main":            "have no commit in common; name the right base with --base",
	} {
		_, err := FromGit(t.Context(), Options{Dir: r.dir, Base: base})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", base, err, want)
		}
	}
}

func TestShallowClones(t *testing.T) {
	t.Parallel()
	u := newUpstream(t)
	// The test merge as the forge makes it, checked out at depth 1.
	u.git("checkout", "-q", "--detach", u.m3)
	u.git("merge", "-q", "--no-ff", "-m", "merge", u.t2)
	merged := u.git("rev-parse", "HEAD")
	u.git("update-ref", "refs/pull/1/merge", merged)
	u.git("checkout", "-q", "main")
	shallow := func(ref string) tree {
		c := tree{t, t.TempDir()}
		c.git("init", "-q", "-b", "work")
		c.git("remote", "add", "origin", "file://"+u.dir)
		c.git("fetch", "-q", "--depth=1", "--no-tags", "origin", ref)
		c.git("checkout", "-q", "--detach", "FETCH_HEAD")
		return c
	}
	event := Event{Name: "pull_request", BaseSHA: u.m3, HeadSHA: u.t2, CheckedOut: merged, BaseRef: "main"}
	t.Run("test merge fetches one commit", func(t *testing.T) {
		c := shallow("refs/pull/1/merge")
		got := fromGit(t, c, Options{Event: event, Fetch: true})
		if got.Base != u.m3 || got.Head != u.t2 || got.Measured != merged {
			t.Errorf("base %s, head %s, measured %s", got.Base, got.Head, got.Measured)
		}
		want := []qa.FileChange{
			{Path: "a.go", Status: qa.Modified, Kind: qa.KindSource, Language: "go", Added: []qa.Range{{Start: 3, End: 3}}},
			{Path: "c.go", Status: qa.Added, Kind: qa.KindSource, Language: "go", Added: []qa.Range{{Start: 1, End: 1}}},
		}
		if diff := cmp.Diff(want, got.Files); diff != "" {
			t.Error(diff)
		}
		if n := strings.Count(c.git("rev-list", "--all", "HEAD", u.m3), "\n") + 1; n != 2 {
			t.Errorf("the clone has %d commits, want 2", n)
		}
		// Lines measured on the merge are shown on the head of the request.
		m, err := MapLines(t.Context(), Options{Dir: c.dir, Fetch: true}, got.Head, got.Measured)
		if err != nil {
			t.Fatal(err)
		}
		if path, line, ok := toBase(m, "a.go", 3); !ok || path != "a.go" || line != 2 {
			t.Errorf("line 3 of the merge is %s:%d %t on head", path, line, ok)
		}
		if _, _, ok := toBase(m, "a.go", 1); ok {
			t.Error("a line that only the base branch has is found on head")
		}
	})
	t.Run("refused without fetching", func(t *testing.T) {
		c := shallow("refs/pull/1/merge")
		_, err := FromGit(t.Context(), Options{Dir: c.dir, Event: event})
		want := "this clone is shallow and lacks commit " + u.m3[:12] + "; run: git fetch --depth=1 --no-tags origin " + u.m3
		if refused := new(shallowError); !errors.As(err, &refused) || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v", err)
		}
	})
	head := event
	head.CheckedOut = u.t2
	t.Run("the forge knows the merge base", func(t *testing.T) {
		c := shallow("topic")
		asked := ""
		got := fromGit(t, c, Options{Event: head, Fetch: true, MergeBase: func(_ context.Context, base, h string) (string, error) {
			asked = base + h
			return u.m2, nil
		}})
		if got.Base != u.m2 || asked != u.m3+u.t2 || len(got.Files) != 2 {
			t.Errorf("base %s, asked %s, files %v", got.Base, asked, paths(got))
		}
	})
	t.Run("history is fetched", func(t *testing.T) {
		c := shallow("topic")
		if got := fromGit(t, c, Options{Event: head, Fetch: true}); got.Base != u.m2 {
			t.Errorf("base %s", got.Base)
		}
	})
	t.Run("fetching fails", func(t *testing.T) {
		c := shallow("topic")
		c.git("remote", "set-url", "origin", "file:///nowhere")
		_, err := FromGit(t.Context(), Options{Dir: c.dir, Event: head, Fetch: true})
		if refused := new(shallowError); !errors.As(err, &refused) || refused.cause == nil || !strings.Contains(err.Error(), "getting it here failed") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("the forge does not answer", func(t *testing.T) {
		c := shallow("topic")
		down := errors.New("503")
		_, err := FromGit(t.Context(), Options{Dir: c.dir, Event: head, MergeBase: func(context.Context, string, string) (string, error) { return "", down }})
		if !errors.Is(err, down) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("depth one of the default branch", func(t *testing.T) {
		c := u.clone("--depth=1")
		_, err := FromGit(t.Context(), Options{Dir: c.dir})
		if refused := new(shallowError); !errors.As(err, &refused) || !strings.Contains(err.Error(), "git fetch --depth=1 --no-tags origin "+u.m2) {
			t.Errorf("error %v", err)
		}
		if got := fromGit(t, c, Options{Fetch: true}); got.Base != u.m2 {
			t.Errorf("base %s", got.Base)
		}
	})
}
