package change

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Many files read at once are what each is on its own.
func TestContentsAreThoseOfEachFile(t *testing.T) {
	t.Parallel()
	r := newTree(t)
	r.write("empty", "")
	r.write("with space/ü.txt", "a\nb missing\n")
	r.write("no end", "x")
	r.write("odd\nname", "y")
	sha := r.commit("one")
	r.write("later", "z")
	asked := []string{"gone", "empty", "with space/ü.txt", "with space", "no end", "odd\nname", "later", "../out"}
	got, err := Contents(t.Context(), r.dir, sha, asked)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range asked {
		want, err := Content(t.Context(), r.dir, sha, path)
		data, ok := got[path]
		switch {
		case path == "odd\nname":
			if ok || err != nil {
				t.Errorf("%q: %v, %v", path, ok, err)
			}
		case errors.Is(err, fs.ErrNotExist):
			if ok {
				t.Errorf("%q is not there, got %q", path, data)
			}
		case err != nil || !ok || string(data) != string(want):
			t.Errorf("%q is %q (%v), want %q (%v)", path, data, ok, want, err)
		}
	}
	if _, err := batch([]byte("abc blob 90\nshort\n"), []string{"a"}); err == nil {
		t.Error("a size beyond the output was believed")
	}
}

// A clone may lack a file that a commit has: that is no commit without it.
func TestAFileThatTheCloneLacks(t *testing.T) {
	t.Parallel()
	r := newTree(t)
	r.write("in/a", "first\n")
	was := r.commit("one")
	r.write("in/a", "second\n")
	r.commit("two")
	r.git("config", "uploadpack.allowFilter", "true")
	partial := filepath.Join(t.TempDir(), "partial")
	r.git("clone", "-q", "--filter=blob:none", "file://"+r.dir, partial)
	r.git("-C", partial, "remote", "set-url", "origin", "https://127.0.0.1:1/none")
	object := r.git("rev-parse", was+":in/a")
	if err := os.Remove(filepath.Join(r.dir, ".git", "objects", object[:2], object[2:])); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{partial, r.dir} {
		var explained interface{ NextStep() string }
		if _, err := Content(t.Context(), dir, was, "in/a"); errors.Is(err, fs.ErrNotExist) || !errors.As(err, &explained) || !strings.Contains(err.Error(), "git could not fetch it") {
			t.Errorf("%v", err)
		}
		for _, path := range []string{"in", "none"} {
			if _, err := Content(t.Context(), dir, was, path); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
}
