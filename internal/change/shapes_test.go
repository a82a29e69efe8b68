package change

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Working copies of every shape give the same change.
func TestShapesOfWorkingCopies(t *testing.T) {
	t.Parallel()
	for name, shape := range map[string]func(t *testing.T, r tree) tree{
		"linked worktree": func(t *testing.T, r tree) tree {
			w := tree{t, filepath.Join(t.TempDir(), "linked")}
			r.git("worktree", "add", "-q", "-b", "work", w.dir, "topic")
			return w
		},
		"split index": func(_ *testing.T, r tree) tree {
			r.git("update-index", "--split-index")
			return r
		},
		"packed": func(_ *testing.T, r tree) tree {
			r.git("gc", "-q")
			return r
		},
		"quarantined name": func(t *testing.T, r tree) tree {
			odd := tree{t, filepath.Join(t.TempDir(), `a:b"c\d`)}
			if err := os.Rename(r.dir, odd.dir); err != nil {
				t.Fatal(err)
			}
			return odd
		},
		"reached by a link": func(t *testing.T, r tree) tree {
			link := filepath.Join(t.TempDir(), "link")
			if err := os.Symlink(filepath.Join(r.dir, "sub"), link); err != nil {
				t.Fatal(err)
			}
			return tree{t, link}
		},
		"no index": func(t *testing.T, r tree) tree {
			if err := os.Remove(filepath.Join(r.dir, ".git", "index")); err != nil {
				t.Fatal(err)
			}
			return r
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newTree(t)
			r.write("a.go", "1\n2\n")
			r.write("sub/b.go", "1\n")
			r.commit("base")
			r.git("checkout", "-q", "-b", "topic")
			r.write("a.go", "1\nx\n2\n")
			r.commit("head")
			c := shape(t, r)
			top, err := Root(t.Context(), c.dir)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(top, "new.go"), []byte("1\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{"a.go", "new.go"}, paths(fromGit(t, c, Options{}))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestOtherHash(t *testing.T) {
	t.Parallel()
	r := tree{t, t.TempDir()}
	r.git("init", "-q", "-b", "main", "--object-format=sha256")
	r.write("a.go", "1\n")
	r.commit("first")
	if got := fromGit(t, r, Options{}); len(got.Files) != 1 || len(got.Head) != 64 {
		t.Errorf("got %+v", got)
	}
	r.write("b.go", "1\n")
	r.commit("second")
	if got := fromGit(t, r, Options{}); len(got.Files) != 1 || got.Files[0].Path != "b.go" {
		t.Errorf("got %+v", got)
	}
}

func TestBareAndBrokenRepositories(t *testing.T) {
	t.Parallel()
	bare := tree{t, t.TempDir()}
	bare.git("init", "-q", "--bare")
	broken := t.TempDir()
	if err := os.Mkdir(filepath.Join(broken, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{bare.dir, broken} {
		_, err := FromGit(t.Context(), Options{Dir: dir})
		if err == nil || !strings.Contains(err.Error(), "is not inside a git working copy; run in a clone") {
			t.Errorf("error %v", err)
		}
	}
	if _, err := FromGit(t.Context(), Options{Dir: filepath.Join(broken, "missing")}); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("error %v", err)
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	r := newTree(t)
	r.write("a.go", "1\n")
	r.commit("first")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := FromGit(ctx, Options{Dir: r.dir}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestAncestorsAndContent(t *testing.T) {
	t.Parallel()
	u := newUpstream(t)
	got, err := Ancestors(t.Context(), u.dir, u.m3, 2)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{u.m3, u.m2}, got); diff != "" {
		t.Error(diff)
	}
	if _, err := Ancestors(t.Context(), u.dir, "--all", 2); err == nil {
		t.Error("an option was taken for a commit")
	}
	content, err := Content(t.Context(), u.dir, u.m1, "a.go")
	if err != nil || string(content) != "1\n2\n3\n" {
		t.Errorf("content %q, %v", content, err)
	}
	for _, path := range []string{"missing.go", "../a.go", "/etc/passwd", ""} {
		if _, err := Content(t.Context(), u.dir, u.m1, path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%q: error %v", path, err)
		}
	}
}
