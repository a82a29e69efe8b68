package runtime

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/runtime/user"
)

// What tests did to the project before anybody looked does not count as its
// original, neither in the copy of the checkout nor in that of a commit.
func TestRestoreAfterTampering(t *testing.T) {
	t.Parallel()
	root, base := repo(t)
	put(t, root, map[string]string{"sub/tool.sh": "#!/bin/sh\n", "sub/deep/x": "x\n"})
	if err := os.Chmod(filepath.Join(root, "sub", "tool.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("file", filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	w := open(t, Options{Root: root})
	b, err := w.At(t.Context(), base)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}()
	for _, c := range []struct {
		name    string
		w       *Workspace
		tamper  string
		touched []string
	}{
		{"head", w, `echo evil > file; rm -r sub/deep; chmod 644 sub/tool.sh; rm link; ln -s /etc/passwd link; mkdir -p new/dir; echo x > new/dir/conftest.py; ln -s new dirlink`,
			[]string{"dirlink", "file", "link", "new/dir/conftest.py", "sub/deep/x", "sub/tool.sh"}},
		{"a whole directory led elsewhere", w, `mv sub other; ln -s other sub`,
			[]string{"other/deep/x", "other/keep", "other/tool.sh", "sub", "sub/deep/x", "sub/keep", "sub/tool.sh"}},
		{"base", b, `echo evil > file; touch made; rm sub/keep`, []string{"file", "made", "sub/keep"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			before, err := c.w.Digest(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			run(t, c.w, "sh", "-c", c.tamper)
			if err := c.w.Write("file", []byte("mutant\n")); err != nil {
				t.Fatal(err)
			}
			touched, err := c.w.Restore(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			want := c.touched
			if c.name == "a whole directory led elsewhere" {
				want = append([]string{"file"}, want...)
			}
			if diff := cmp.Diff(want, touched); diff != "" {
				t.Errorf("touched (-want +got):\n%s", diff)
			}
			after, err := c.w.Digest(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("after restoring:\n%s", diff)
			}
			if _, err := os.Stat(filepath.Join(c.w.Dir(), "new")); !os.IsNotExist(err) {
				t.Errorf("a directory that was made stays: %v", err)
			}
			if again, err := c.w.Restore(t.Context()); err != nil || again != nil {
				t.Errorf("restored twice: %v, %v", again, err)
			}
		})
	}
}

// What only the setup made cannot be brought back, and that is said.
func TestRestoreWithoutOriginal(t *testing.T) {
	t.Parallel()
	root, _ := repo(t)
	w := open(t, Options{Root: root, Preparation: Preparation{Setup: [][]string{{"sh", "-c", "echo made > generated"}}}})
	run(t, w, "sh", "-c", "echo evil > generated")
	if _, err := w.Restore(t.Context()); err == nil || !strings.Contains(err.Error(), "generated was changed and has no original") {
		t.Errorf("err = %v", err)
	}
}

// A comparison with base would run with the packages of head: tests that change
// those could make a failure look old.
func TestChangedPackagesAreNotShared(t *testing.T) {
	t.Parallel()
	root, base := repo(t)
	put(t, root, map[string]string{"node_modules/lib/index.js": "1\n", "node_modules/lib/package.json": "{}"})
	w := open(t, Options{Root: root, Install: "never"})
	if err := user.OwnAll(w.box.Place.Home, &user.User{UID: os.Geteuid(), GID: os.Getegid()}); err != nil {
		t.Fatal(err)
	}
	w.box.User = nil // as where nobody can change users: nothing is frozen
	if err := w.tree.Readied(); err != nil {
		t.Fatal(err)
	}
	run(t, w, "sh", "-c", "mkdir node_modules/.cache && echo x > node_modules/.cache/x; echo x > node_modules/lib/notes.json")
	b, err := w.At(t.Context(), base)
	if err != nil {
		t.Fatalf("a cache of a tool is in the way: %v", err)
	}
	if _, err := os.Stat(filepath.Join(b.Dir(), "node_modules", "lib", "notes.json")); err == nil {
		t.Error("base has a file that a command added to a package")
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	run(t, w, "sh", "-c", "echo 2 > node_modules/lib/index.js")
	if _, err := w.At(t.Context(), base); err == nil || !strings.Contains(err.Error(), "node_modules/lib/index.js") {
		t.Errorf("err = %v", err)
	}
}

// TestRestoreLarge: what is put back never stands in memory, neither out of the
// checkout nor out of a commit. It counts what all of the process allocates.
func TestRestoreLarge(t *testing.T) {
	root, _ := repo(t)
	const size = 64 << 20
	for _, name := range []string{"large", "sub/large"} {
		put(t, root, map[string]string{name: ""})
		if err := os.Truncate(filepath.Join(root, name), size); err != nil {
			t.Fatal(err)
		}
	}
	git(t, root, "add", ".")
	git(t, root, "commit", "-qm", "large")
	head := git(t, root, "rev-parse", "HEAD")
	w := open(t, Options{Root: root})
	b, err := w.At(t.Context(), head)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = b.Close() }()
	for _, tree := range []*Workspace{w, b} {
		run(t, tree, "sh", "-c", "echo evil > large; rm sub/large")
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		touched, err := tree.Restore(t.Context())
		runtime.ReadMemStats(&after)
		if err != nil || len(touched) != 2 {
			t.Fatalf("%v, %v", touched, err)
		}
		for _, name := range touched {
			if info, err := os.Stat(filepath.Join(tree.Dir(), name)); err != nil || info.Size() != size {
				t.Errorf("%s: %v, %v", name, info, err)
			}
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > size/2 {
			t.Errorf("%d MiB allocated", used>>20)
		}
	}
}

// What is put back may have a name that is no text.
func TestRestoreOfAnyName(t *testing.T) {
	root, _ := repo(t)
	const name = "fixture\xff.json"
	if err := os.WriteFile(filepath.Join(root, name), []byte("theirs"), 0o600); err != nil {
		t.Skip("no such name here: ", err)
	}
	git(t, root, "add", ".")
	git(t, root, "commit", "-qm", "name")
	w := open(t, Options{Root: root})
	run(t, w, "sh", "-c", "for f in fixture*; do echo evil > $f; done")
	touched, err := w.Restore(t.Context())
	if err != nil || len(touched) != 1 || touched[0] != name {
		t.Errorf("%q, %v", touched, err)
	}
	if now, err := os.ReadFile(filepath.Join(w.Dir(), name)); err != nil || string(now) != "theirs" {
		t.Errorf("%q, %v", now, err)
	}
}
