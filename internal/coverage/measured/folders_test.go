package measured

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/org/qa-action/internal/language"
)

// What is listed when it is asked for is what a walk of the whole tree finds.
func TestFoldersAreThoseOfAWalk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{
		"a.ts", "src/a.ts", "src/b.ts", "src/deep/er/c.ts", "src-2/a.ts", "src/node_modules/x/index.js", "node_modules/y.js", ".git/config",
		"src/.git", "lib/site-packages/z.py", "é/ü.ts", "go.mod", "empty/file", "Src/a.ts", "a b/c d.ts", "outer/node_modules_2/x.ts",
	} {
		abs := filepath.Join(dir, "root", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(abs), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(abs, []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"link.ts": "a.ts", "linked": "src", "src/up": "..", "gone.ts": "nowhere", "out": "../.."} {
		if err := os.Symlink(to, filepath.Join(dir, "root", filepath.FromSlash(name))); err != nil {
			t.Skipf("no links here: %v", err)
		}
	}
	root, err := os.OpenRoot(filepath.Join(dir, "root"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = root.Close() }()
	var want []string
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !d.IsDir():
			want = append(want, name)
		case d.Name() == ".git" || language.IsInstalled(d.Name()):
			return fs.SkipDir
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(want)
	asked := newDisk(root)
	for _, name := range append(slices.Clone(want), "", ".", "..", "/", "//", "src", "src/", "/a.ts", "./a.ts", "src/../a.ts", "src//a.ts", "../root/a.ts", "linked/a.ts",
		"src/up/a.ts", "out/root/a.ts", "node_modules/y.js", ".git/config", "src/node_modules/x/index.js", "nowhere/a.ts", "a.ts/b.ts", "src/deep", "src/deep/er/c.ts/", "SRC/a.ts") {
		if got := asked.has(name); got != slices.Contains(want, name) {
			t.Errorf("has %q: %v", name, got)
		}
	}
	asked.reader.Close()
	all := newDisk(root)
	defer all.reader.Close()
	var got []string
	all.each(func(dir, name string) { got = append(got, dir+name) })
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// A tree of too many files is an error, and no part of it is taken for all.
func TestTreeOfTooManyFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"a", "b", "c"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := NewTree(dir, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	tree.disk.files = maxTreeFiles - 2
	if !tree.has("a") || tree.Err() == nil {
		t.Errorf("%v, with more files than are looked at", tree.Err())
	}
}
