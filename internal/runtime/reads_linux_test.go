package runtime

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/runtime/tree"
)

// reads marks, runs a shell line and looks.
func reads(t *testing.T, w *Workspace, line string, extra ...string) tree.Reads {
	t.Helper()
	if err := w.MarkReads(t.Context(), extra...); err != nil {
		t.Fatal(err)
	}
	run(t, w, "sh", "-c", line)
	r, err := w.Reads(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !r.Known {
		t.Skipf("no access times here: %s", r.Why)
	}
	return r
}

func TestReads(t *testing.T) {
	t.Parallel()
	root, _ := repo(t)
	put(t, root, map[string]string{"a.txt": "a", "b.txt": "b", "deep/er/c.txt": "c", "d.txt": "d", ".gitignore": "node_modules\n.venv\ndist\n",
		"docs/guide.md": "g", "fixtures/node_modules/dep/own.js": "o"})
	git(t, root, "add", "--force", ".")
	git(t, root, "commit", "-q", "-m", "more")
	base := git(t, root, "rev-parse", "HEAD")
	put(t, root, map[string]string{"untracked.txt": "u", "dist/bundle.js": "x", "dist/other.js": "x",
		"node_modules/dep/package.json": "{}", "node_modules/dep/index.js": "1"})
	if err := os.Symlink("a.txt", filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(t.TempDir(), "outside")
	put(t, filepath.Dir(outside), map[string]string{"outside": "o"})
	if err := os.Symlink(outside, filepath.Join(root, "away")); err != nil {
		t.Fatal(err)
	}
	was, err := os.Stat(outside)
	if err != nil {
		t.Fatal(err)
	}
	w := open(t, Options{Root: root, Install: "never"})
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
		name, line string
		w          *Workspace
		want       tree.Reads
		touched    []string
	}{
		{"nothing", "true", w, tree.Reads{Watched: 12}, nil},
		{"a walk over the tree", "find . -type f | wc -l; ls -R; stat a.txt; test -e b.txt", w, tree.Reads{Watched: 12}, nil},
		{"head", "cat a.txt deep/er/c.txt untracked.txt dist/bundle.js fixtures/node_modules/dep/own.js node_modules/dep/package.json", w,
			tree.Reads{Watched: 12, Opened: []string{"a.txt", "deep/er/c.txt", "fixtures/node_modules/dep/own.js", "untracked.txt"},
				Built: []string{"dist/bundle.js"}, Extra: []string{"node_modules/dep/package.json"}}, nil},
		{"through a link", "cat link", w, tree.Reads{Watched: 12, Opened: []string{"a.txt", "link"}}, nil},
		{"again", "cat b.txt", w, tree.Reads{Watched: 12, Opened: []string{"b.txt"}}, nil},
		{"times set back", "cat b.txt; touch -r a.txt b.txt; touch -a -d 2001-01-01 d.txt", w, tree.Reads{Watched: 12, Opened: []string{"b.txt", "d.txt"}}, []string{"b.txt", "d.txt"}},
		{"removed, replaced, written, a directory led elsewhere", "rm a.txt; cp b.txt n; mv n b.txt; echo x >> d.txt; mv docs other; ln -s other docs", w,
			tree.Reads{Watched: 12, Opened: []string{"a.txt", "b.txt", "d.txt"}}, []string{"a.txt", "b.txt", "d.txt", "docs", "docs/guide.md", "other/guide.md"}},
		{"base", "cat a.txt node_modules/dep/package.json", b, tree.Reads{Watched: 9, Opened: []string{"a.txt"}, Unwatched: []string{"node_modules/dep/package.json"}}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := reads(t, c.w, c.line, "node_modules/dep/package.json", "node_modules/missing/package.json")
			c.want.Known = true
			if len(got.Opened)+len(got.Unopened) != got.Watched {
				t.Errorf("%d opened and %d not, of %d", len(got.Opened), len(got.Unopened), got.Watched)
			}
			got.Unopened = nil
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("reads (-want +got):\n%s", diff)
			}
			touched, err := c.w.Restore(t.Context())
			if diff := cmp.Diff(c.touched, touched); diff != "" || err != nil {
				t.Errorf("put back (-want +got):\n%s%v", diff, err)
			}
		})
	}
	if _, err := w.At(t.Context(), "HEAD"); err != nil {
		t.Errorf("watching a package counts as tampering: %v", err)
	}
	if now, err := os.Stat(outside); err != nil || !tree.Accessed(now).Equal(tree.Accessed(was)) || !now.ModTime().Equal(was.ModTime()) {
		t.Errorf("a file outside was touched: %v", err)
	}
	if err := w.MarkReads(t.Context(), "../../etc/passwd"); err == nil {
		t.Error("watched a file outside of the tree")
	}
	if err := w.MarkReads(t.Context(), "away"); err != nil {
		t.Error(err)
	}
	if now, err := os.Stat(outside); err != nil || !tree.Accessed(now).Equal(tree.Accessed(was)) {
		t.Errorf("a file outside was touched: %v", err)
	}
}

// Our own look at the tree is no read of the tests.
func TestOwnLookIsNoRead(t *testing.T) {
	t.Parallel()
	root, _ := repo(t)
	w := open(t, Options{Root: root})
	if err := w.MarkReads(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Digest(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r, err := w.Reads(t.Context()); err != nil || len(r.Opened) > 0 {
		t.Errorf("reads %+v, %v", r, err)
	}
}

func TestReadsWithoutMark(t *testing.T) {
	t.Parallel()
	root, _ := repo(t)
	if r, err := open(t, Options{Root: root}).Reads(t.Context()); err != nil || r.Known || r.Why == "" {
		t.Errorf("reads %+v, %v", r, err)
	}
}

// Python opens its byte code instead of a source that has some, so neither that of
// the checkout nor that of an earlier run may be there.
func TestReadsOfPython(t *testing.T) {
	t.Parallel()
	root, _ := repo(t)
	put(t, root, map[string]string{"price.py": "x = 1\n", "main.py": "import price\n", ".coverage": "x", ".coverage.host.1": "x", ".coveragerc": "[run]\n",
		"__pycache__/price.cpython-311.pyc": "stale", ".pytest_cache/v/lastfailed": "{}", "pkg/.nyc_output/x.json": "{}", "kept/__pycache__/data.bin": "fixture", "kept/__pycache__/price.cpython-311.pyc": "unchecked",
		".venv/pyvenv.cfg": "", ".venv/lib/python3/site-packages/dep/__pycache__/dep.pyc": "x"})
	git(t, root, "add", "--force", "price.py", "main.py", "kept")
	git(t, root, "commit", "-q", "-m", "python")
	w := open(t, Options{Root: root, Caches: []string{".pytest_cache"}})
	for name, there := range map[string]bool{".coverage": false, ".coverage.host.1": false, ".coveragerc": true, "__pycache__": false, ".pytest_cache": false,
		"pkg/.nyc_output": false, "kept/__pycache__/data.bin": true, "kept/__pycache__/price.cpython-311.pyc": false, ".venv/lib/python3/site-packages/dep/__pycache__/dep.pyc": true} {
		if _, err := os.Lstat(filepath.Join(w.Dir(), name)); (err == nil) != there {
			t.Errorf("%s in the copy: %v, want %v", name, err, there)
		}
	}
	if _, err := w.LookPath(t.Context(), "python3"); err != nil {
		t.Skip("no Python")
	}
	for range 2 {
		r := reads(t, w, "python3 main.py")
		if !slices.Contains(r.Opened, "price.py") || slices.Contains(r.Opened, "file") {
			t.Errorf("opened %q", r.Opened)
		}
	}
}

// withoutTimes names a directory on a file system that keeps no access times, to
// the test binary that runs again in mounts of its own.
const withoutTimes = "RUNTIME_TEST_WITHOUT_TIMES"

// Where no access times are kept nothing is said of what was opened: neither that
// it was, nor that it was not.
func TestReadsWithoutAccessTimes(t *testing.T) {
	t.Parallel()
	if dir := os.Getenv(withoutTimes); dir != "" {
		root, _ := repo(t)
		w := open(t, Options{Root: root, Install: "never", Scratch: dir})
		if err := w.MarkReads(t.Context()); err != nil {
			t.Fatal(err)
		}
		run(t, w, "cat", "file")
		r, err := w.Reads(t.Context())
		if err != nil || r.Known || r.Why == "" || len(r.Opened) > 0 {
			t.Errorf("%+v, %v", r, err)
		}
		return
	}
	if os.Geteuid() != 0 {
		t.Skip("only root can mount a file system")
	}
	dir, err := os.MkdirTemp("", "qa-noatime-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	res, err := process.Run(t.Context(), process.Command{
		Argv: []string{"unshare", "--mount", "sh", "-c", `mount -t tmpfs -o noatime,mode=755 tmpfs "$1" && exec "$0" -test.run '^TestReadsWithoutAccessTimes$' -test.v`, self, dir},
		Env:  append(os.Environ(), withoutTimes+"="+dir), Timeout: time.Minute,
	})
	if err == nil && res.ExitCode != 0 && strings.Contains(string(res.Stderr), "ermission denied") {
		t.Skipf("no mount is to be had here: %s", res.Stderr)
	}
	if err != nil || res.ExitCode != 0 || !strings.Contains(string(res.Stdout), "--- PASS: TestReadsWithoutAccessTimes") {
		t.Errorf("exit code %d, %v\n%s%s", res.ExitCode, err, res.Stdout, res.Stderr)
	}
}
