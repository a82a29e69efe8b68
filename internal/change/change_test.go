package change

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/org/qa-action/internal/qa"
)

func fromGit(t *testing.T, r tree, opts Options) qa.Change {
	t.Helper()
	opts.Dir = r.dir
	got, err := FromGit(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestFromGitSeesEveryWayToChangeAFile(t *testing.T) {
	t.Parallel()
	r := newTree(t)
	r.write("keep.go", "package a\n\nfunc A() {}\n")
	r.write("old name.py", "one = 1\ntwo = 2\nthree = 3\nfour = 4\n")
	r.write("gone.ts", "export {}\n")
	r.write("uncached.js", "a\nb\nc\n")
	r.write("image.png", "\x00\x01\x02")
	r.write("moved.rb", "1\n2\n3\n4\n5\n6\n")
	r.write(".gitignore", "ignored/\n")
	base := r.commit("base")
	r.git("checkout", "-q", "-b", "topic")

	r.write("keep.go", "package a\n\nfunc B() {}\nfunc A() {}\n")
	r.git("mv", "old name.py", "new \"näme\"\n.py")
	r.commit("committed")
	r.git("rm", "-q", "gone.ts")
	r.write("image.png", "\x00\x01\x03")
	r.git("rm", "-q", "--cached", "uncached.js")
	r.write("uncached.js", "a\nX\nc\n")
	r.remove("moved.rb")
	r.write("lib/moved.rb", "1\n2\n3\n4\n5\n6\n7\n")
	r.write("ignored/x.go", "package x\n")
	r.write("qa-report/x.go", "package x\n")
	r.write("new_test.go", "package a\n\nimport \"testing\"")
	before := r.git("status", "--porcelain")

	got := fromGit(t, r, Options{Ignore: []string{"qa-report"}})
	want := qa.Change{
		Base: base, Head: r.git("rev-parse", "HEAD"), BaseRef: "main", HeadRef: "topic", Dirty: true,
		Files: []qa.FileChange{
			{Path: "gone.ts", Status: qa.Deleted, Kind: qa.KindSource, Language: "typescript", Removed: 1},
			{Path: "image.png", Status: qa.Modified, Kind: qa.KindOther, Binary: true},
			{Path: "keep.go", Status: qa.Modified, Kind: qa.KindSource, Language: "go", Added: []qa.Range{{Start: 3, End: 3}}},
			{Path: "lib/moved.rb", OldPath: "moved.rb", Status: qa.Renamed, Kind: qa.KindSource, Language: "ruby", Added: []qa.Range{{Start: 7, End: 7}}},
			{Path: "new \"näme\"\n.py", OldPath: "old name.py", Status: qa.Renamed, Kind: qa.KindSource, Language: "python"},
			{Path: "new_test.go", Status: qa.Added, Kind: qa.KindTest, Language: "go", Added: []qa.Range{{Start: 1, End: 3}}},
			{Path: "uncached.js", Status: qa.Modified, Kind: qa.KindSource, Language: "javascript", Added: []qa.Range{{Start: 2, End: 2}}, Removed: 1},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if after := r.git("status", "--porcelain"); after != before {
		t.Errorf("the working copy was changed:\n%s\nbecame\n%s", before, after)
	}
}

func TestFromGitRefusals(t *testing.T) {
	t.Parallel()
	t.Run("not a repository", func(t *testing.T) {
		t.Parallel()
		_, err := FromGit(t.Context(), Options{Dir: t.TempDir()})
		if err == nil || !strings.Contains(err.Error(), "is not inside a git working copy; run in a clone") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("no commits", func(t *testing.T) {
		t.Parallel()
		_, err := FromGit(t.Context(), Options{Dir: newTree(t).dir})
		if err == nil || !strings.Contains(err.Error(), "has no commit yet; commit something first") {
			t.Errorf("got %v", err)
		}
	})
}
