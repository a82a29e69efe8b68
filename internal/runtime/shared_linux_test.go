package runtime

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Packages that the code cannot change are not copied: they are the files of the
// checkout by a second name, which stay as they are whatever commands do. A command of
// the preparation that may change them gets files of its own.
func TestPackagesOfTheCheckoutAreShared(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can run the code as another user")
	}
	root, _ := repo(t)
	put(t, root, map[string]string{
		"node_modules/lib/index.js": "1\n", "node_modules/lib/open.js": "1\n", "node_modules/.cache/x": "1\n", "node_modules/.bin/tool": "1\n", "node_modules/own/index.js": "1\n",
		"node_modules/lib/mine.js": "1\n", "node_modules/lib/kept.js": "1\n",
		".venv/pyvenv.cfg": "home = " + root + "\n", ".venv/lib/python3/site-packages/dep.py": "1\n", ".venv/lib/python3/site-packages/here.pth": root + "\n",
	})
	git(t, root, "add", "-f", "node_modules/own/index.js")
	git(t, root, "commit", "-q", "-m", "own")
	at := func(top, name string) string { return filepath.Join(top, name) }
	for name, change := range map[string]func(path string) error{
		"node_modules/lib/open.js": func(path string) error { return os.Chmod(path, 0o666) },
		"node_modules/lib/mine.js": func(path string) error { return os.Chown(path, 1001, 1001) },
		"node_modules/lib/kept.js": func(path string) error { return os.Chmod(path, 0o600) },
	} {
		if err := change(at(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	state := func(name string) (s struct {
		links     any
		uid, gid  uint32
		mode      uint32
		content   string
		unchanged syscall.Timespec
	},
	) {
		t.Helper()
		var st syscall.Stat_t
		raw, err := os.ReadFile(at(root, name))
		if err == nil {
			err = syscall.Stat(at(root, name), &st)
		}
		if err != nil {
			t.Fatal(err)
		}
		s.links, s.uid, s.gid, s.mode, s.content, s.unchanged = st.Nlink, st.Uid, st.Gid, st.Mode, string(raw), st.Mtim
		return s
	}
	names := []string{"node_modules/lib/index.js", "node_modules/lib/open.js", "node_modules/.cache/x", "node_modules/.bin/tool", "node_modules/own/index.js", "node_modules/lib/mine.js", "node_modules/lib/kept.js",
		".venv/pyvenv.cfg", ".venv/lib/python3/site-packages/dep.py", ".venv/lib/python3/site-packages/here.pth"}
	before := map[string]any{}
	for _, name := range names {
		before[name] = state(name)
	}
	asBefore := func() {
		t.Helper()
		for _, name := range names {
			if now := state(name); now != before[name] {
				t.Errorf("%s of the checkout is %+v, was %+v", name, now, before[name])
			}
		}
	}
	w, err := Open(t.Context(), Options{Root: root, Install: "never", Driver: "host"})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		ours, err := os.Stat(at(root, name))
		if err != nil {
			t.Fatal(err)
		}
		copied, err := os.Stat(at(w.Dir(), name))
		if err != nil {
			t.Fatal(err)
		}
		if shared, want := os.SameFile(ours, copied), name == "node_modules/lib/index.js" || name == "node_modules/.bin/tool" || name == ".venv/lib/python3/site-packages/dep.py"; shared != want {
			t.Errorf("%s is shared: %t", name, shared)
		}
	}
	run(t, w, "sh", "-c", "cat node_modules/*/*.js && ! echo 2 > node_modules/lib/index.js && ! chmod 777 node_modules/lib/index.js && ! truncate -s 0 node_modules/lib/index.js && ! touch node_modules/lib/index.js && echo 2 > node_modules/own/index.js")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	asBefore()
	w, err = Open(t.Context(), Options{Root: root, Install: "never", Driver: "host", Preparation: Preparation{Setup: [][]string{{"sh", "-c", "echo 2 > node_modules/lib/index.js && echo 2 > node_modules/own/index.js && echo 2 > .venv/lib/python3/site-packages/dep.py"}}}})
	if err != nil {
		t.Fatal(err)
	}
	if got := run(t, w, "cat", "node_modules/lib/index.js", ".venv/lib/python3/site-packages/dep.py"); got != "2\n2\n" {
		t.Errorf("after the setup command: %q", got)
	}
	asBefore()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	asBefore()
}
