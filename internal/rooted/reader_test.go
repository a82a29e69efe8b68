package rooted

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"testing"
)

// A reader says of every file what the root says.
func TestReaderReadsAsTheRootDoes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{"out": "outside", "in/a": "a", "in/b": "b", "in/deep/c": "c", "in/two": "two", "top": "top"} {
		abs := filepath.Join(dir, "root", filepath.FromSlash(name))
		if name == "out" {
			abs = filepath.Join(dir, "out")
		}
		if err := os.MkdirAll(filepath.Dir(abs), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(abs, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"in/up": "../top", "in/beside": "a", "in/away": "../../out", "in/none": "missing", "linked": "in", "leaves": "..", "in/deep/loop": "loop", "in/abs": filepath.Join(dir, "out")} {
		if err := os.Symlink(to, filepath.Join(dir, "root", filepath.FromSlash(name))); err != nil {
			t.Skipf("no links here: %v", err)
		}
	}
	root, err := os.OpenRoot(filepath.Join(dir, "root"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = root.Close() }()
	r := NewReader(root)
	defer r.Close()
	names := []string{
		"in/a", "in/b", "in/deep/c", "in/two", "top", "in/up", "in/beside", "in/away", "in/abs", "in/none", "in/missing", "missing/a", "top/a",
		"linked/a", "linked/deep/c", "leaves/out", "../out", "in/../top", "in/../../out", "in//a", "/top", "in/deep", "in/deep/loop", ".", "", "in/a/", "in/./a",
	}
	for range 2 {
		for _, name := range names {
			want, wantErr := Read(root, name, 4)
			got, gotErr := r.Read(name, 4)
			if string(got) != string(want) || (gotErr == nil) != (wantErr == nil) {
				t.Errorf("%q: %q, %v; the root has %q, %v", name, got, gotErr, want, wantErr)
			}
			if got, gotErr = r.Lend(name, 4); string(got) != string(want) || (gotErr == nil) != (wantErr == nil) {
				t.Errorf("%q: %q, %v is lent; the root has %q, %v", name, got, gotErr, want, wantErr)
			}
			there, err := root.Stat(filepath.FromSlash(name))
			if want := err == nil && there.Mode().IsRegular(); r.Holds(name) != want {
				t.Errorf("%q is there: %v, want %v", name, !want, want)
			}
		}
	}
	if _, err := r.Read("in/two", 2); err == nil {
		t.Error("a file over the limit was read")
	}
}

// A folder is listed with the kinds that its entries have.
func TestReaderListsFolders(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "in"), 0o755), os.Mkdir(filepath.Join(dir, "in", "folder"), 0o755), os.WriteFile(filepath.Join(dir, "in", "file"), nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	want := map[string]fs.FileMode{"folder": fs.ModeDir, "file": 0}
	if os.Symlink("file", filepath.Join(dir, "in", "link")) == nil {
		want["link"] = fs.ModeSymlink
	}
	for i := range 3000 { // more than a page has
		name := fmt.Sprintf("%040d", i)
		if err := os.WriteFile(filepath.Join(dir, "in", name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		want[name] = 0
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = root.Close() }()
	r := NewReader(root)
	defer r.Close()
	got := map[string]fs.FileMode{}
	if err := r.Entries("in", func(name []byte, kind fs.FileMode) { got[string(name)] = kind }); err != nil || !maps.Equal(got, want) {
		t.Errorf("%d entries of %d, %v; the kinds: %v %v %v", len(got), len(want), err, got["folder"], got["file"], got["link"])
	}
	for _, name := range []string{"in/file", "in/none", "none", ".."} {
		if err := r.Entries(name, func([]byte, fs.FileMode) {}); err == nil {
			t.Errorf("%s was listed", name)
		}
	}
}
