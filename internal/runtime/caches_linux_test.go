package runtime

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/org/qa-action/internal/rooted"
)

// emptyCache is a cache that the code's user can reach.
func emptyCache(t *testing.T) string {
	t.Helper()
	cache, err := os.MkdirTemp("", "qa-caches-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rooted.RemoveAll(cache) })
	if err := os.Chmod(cache, 0o755); err != nil {
		t.Fatal(err)
	}
	return cache
}

// Whatever a command leaves in its caches, no other tree and no later run reads it.
func TestCachesEndWithTheirTree(t *testing.T) {
	t.Parallel()
	root, base := repo(t)
	cache := emptyCache(t)
	o := Options{Root: root, Cache: cache, Install: "never"}
	plant := `for c in "$GOCACHE" "$GOMODCACHE" "$npm_config_cache" "$PIP_CACHE_DIR" "$UV_CACHE_DIR" "$YARN_CACHE_FOLDER"; do mkdir -p "$c" && echo evil > "$c/planted" || exit 1; done`
	look := `for c in "$GOCACHE" "$GOMODCACHE" "$npm_config_cache" "$PIP_CACHE_DIR" "$UV_CACHE_DIR" "$YARN_CACHE_FOLDER"; do test ! -e "$c/planted" || exit 1; done`
	w := open(t, o)
	run(t, w, "sh", "-c", plant)
	b, err := w.At(t.Context(), base)
	if err != nil {
		t.Fatal(err)
	}
	run(t, b, "sh", "-c", look)
	run(t, open(t, o), "sh", "-c", look)
	res, err := w.Run(t.Context(), Command{Argv: []string{"sh", "-c", `echo evil > "$0"`, filepath.Join(cache, "layers", "planted")}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(cache, "layers", "planted")); err == nil {
		t.Errorf("the code wrote to what outlives the run: exit code %d", res.ExitCode)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}

// Packages are read by both trees: head's tests cannot change them, and what they
// add beside them stays theirs.
func TestPackagesAreFrozen(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can run the code as another user")
	}
	root, base := repo(t)
	put(t, root, map[string]string{
		"node_modules/lib/node_modules/deep/index.js": "1\n", "node_modules/lib/node_modules/.hidden/index.js": "1\n",
		"node_modules/lib/index.js": "1\n", "node_modules/lib/package.json": "{}", "node_modules/@scope/one/index.js": "1\n", "node_modules/.bin/tool": "1\n",
		".venv/pyvenv.cfg": "", ".venv/lib/python3/site-packages/dep/__init__.py": "1\n", ".venv/lib/python3/site-packages/one.py": "1\n",
	})
	w := open(t, Options{Root: root, Install: "never"})
	attack := func(script string) {
		t.Helper()
		if res, err := w.Run(t.Context(), Command{Argv: []string{"sh", "-c", script}}); err != nil || res.ExitCode == 0 {
			t.Errorf("%s: exit code %d, %v", script, res.ExitCode, err)
		}
	}
	b, err := w.At(t.Context(), base)
	if err != nil {
		t.Fatal(err)
	}
	for _, script := range []string{
		"echo 2 > node_modules/lib/index.js", "rm node_modules/lib/index.js", "mv node_modules/lib node_modules/was", "chmod 777 node_modules/lib",
		"echo 2 > node_modules/@scope/new", "mkdir node_modules/lib/node_modules/planted", "echo 2 > node_modules/lib/node_modules/.hidden/index.js", "rm node_modules/.bin/tool", "ln -sf /tmp node_modules/.bin/other",
		"echo 2 > .venv/lib/python3/site-packages/dep/__init__.py", "mkdir .venv/lib/python3/site-packages/dep/__pycache__", "echo 2 > .venv/lib/python3/site-packages/two.py",
	} {
		attack(script)
	}
	run(t, w, "sh", "-c", "mkdir -p node_modules/.cache && echo x > node_modules/.cache/x && mkdir node_modules/more && echo 2 > node_modules/more/index.js")
	run(t, b, "sh", "-c", "test $(cat node_modules/lib/index.js) = 1 && test ! -e node_modules/more && test $(cat .venv/lib/python3/site-packages/dep/__init__.py) = 1")
	defer func() {
		run(t, w, "sh", "-c", "mv node_modules elsewhere && mkdir -p node_modules/lib && echo 2 > node_modules/lib/index.js")
		if _, err := b.Run(t.Context(), Command{Argv: []string{"true"}}); err == nil || !strings.Contains(err.Error(), "moved the installed packages of node_modules") {
			t.Errorf("base ran with packages that head's tests put there: %v", err)
		}
	}()
	second, err := w.At(t.Context(), base)
	if err != nil {
		t.Fatal(err)
	}
	run(t, second, "sh", "-c", "test $(cat node_modules/lib/index.js) = 1 && test ! -e node_modules/more")
}

// A node_modules that a build made in what it builds is the code's, which builds again.
func TestWhatABuildMadeIsNotFrozen(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can run the code as another user")
	}
	root, base := repo(t)
	put(t, root, map[string]string{
		"node_modules/lib/package.json": "{}", "out/node_modules/part/index.js": "1\n", "tool/node_modules/dep/package.json": "{}",
		"linked/package.json": "{}", "linked/node_modules/.keep": "", "dist/index.js": "1\n", "dist/node_modules/@x/.keep": "",
	})
	for at, to := range map[string]string{"dist/node_modules/self": "../..", "dist/node_modules/@x/self": "../../..", "linked/node_modules/sibling": "../../tool"} {
		if err := os.Symlink(to, filepath.Join(root, at)); err != nil {
			t.Fatal(err)
		}
	}
	w := open(t, Options{Root: root, Install: "never"})
	if _, err := w.At(t.Context(), base); err != nil {
		t.Fatal(err)
	}
	run(t, w, "sh", "-c", "rm -r dist out && mkdir -p dist/node_modules && ln -s ../.. dist/node_modules/self")
	for _, script := range []string{"rm -r node_modules/lib", "rm -r tool/node_modules/dep", "rm linked/node_modules/sibling"} {
		if res, err := w.Run(t.Context(), Command{Argv: []string{"sh", "-c", script}}); err != nil || res.ExitCode == 0 {
			t.Errorf("%s: exit code %d, %v", script, res.ExitCode, err)
		}
	}
}

// What a command leaves in directories that all have in common ends with it.
func TestNothingIsLeftInSharedDirectories(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can run the code as another user")
	}
	// Temporary files may lie in shared memory, which the code cannot have then.
	dir, err := os.MkdirTemp("/tmp", "qa-shared-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	root, _ := repoIn(t, dir)
	w := open(t, Options{Root: root, Install: "never", Scratch: dir})
	without(t, w, "no namespaces")
	name := filepath.Base(t.TempDir()) + filepath.Base(w.Dir()+w.box.Place.Home)
	run(t, w, "sh", "-c", "mkdir /dev/shm/"+name+" && echo x > /dev/shm/"+name+"/x && test -e /dev/shm/"+name)
	if _, err := os.Lstat(filepath.Join("/dev/shm", name)); err == nil {
		t.Error("a file in shared memory outlived its command")
	}
}

// A setup command that changes packages runs on base as well: it starts there from
// the packages of the checkout, and not from what it made of head's.
func TestSetupChangesPackagesOfItsOwnSide(t *testing.T) {
	t.Parallel()
	root, base := repo(t)
	put(t, root, map[string]string{
		".venv/pyvenv.cfg": "", ".venv/lib/python3/site-packages/dep/__init__.py": "1\n",
		"node_modules/lib/index.js": "1\n", "node_modules/lib/package.json": "{}",
	})
	w := open(t, Options{Root: root, Install: "never", Preparation: Preparation{Setup: [][]string{{"sh", "-c", "cat file >> .venv/lib/python3/site-packages/dep/__init__.py; mkdir -p made/node_modules/x && cat file > made/node_modules/x/index.js"}}}})
	b, err := w.At(t.Context(), base)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		w    *Workspace
		want string
	}{{w, "1\nhead\nhead\n1\n"}, {b, "1\nbase\nbase\n1\n"}} {
		if got := run(t, c.w, "cat", ".venv/lib/python3/site-packages/dep/__init__.py", "made/node_modules/x/index.js", "node_modules/lib/index.js"); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if why := b.Dependencies().Shared; why != "" {
		t.Errorf("base does not have its own: %s", why)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}

// Byte code that head's setup left in an environment is loaded in the place of the
// source, so base does not take it over.
func TestSetupPoisonsByteCode(t *testing.T) {
	t.Parallel()
	root, base := repo(t)
	put(t, root, map[string]string{".venv/pyvenv.cfg": "", ".venv/lib/python3/site-packages/dep/__init__.py": "1\n"})
	const left = ".venv/lib/python3/site-packages/dep/__pycache__/__init__.pyc"
	w := open(t, Options{Root: root, Install: "never", Preparation: Preparation{Setup: [][]string{{"sh", "-c", "grep -q base file || { mkdir -p " + filepath.Dir(left) + " && echo evil > " + left + "; }"}}}})
	b, err := w.At(t.Context(), base)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(b.Dir(), left)); err == nil {
		t.Error("base has what head's setup compiled")
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}

// Our own questions to Python are asked before the packages are frozen: nothing of
// the tree answers them.
func TestAskingPythonRunsNoCodeOfTheTree(t *testing.T) {
	t.Parallel()
	root, _ := repo(t)
	evil := "open('asked', 'w').close()\n"
	put(t, root, map[string]string{"pyproject.toml": "[project]\nname = 'x'\n", "json.py": evil, "site.py": evil, "importlib/__init__.py": evil})
	w := open(t, Options{Root: root, Install: "never"})
	if _, err := w.find("python3"); err != nil {
		t.Skip("no Python here")
	}
	w.installer.followEditable(t.Context())
	_ = w.PythonPackages(t.Context(), "python3")
	if _, err := os.Stat(filepath.Join(w.Dir(), "asked")); err == nil {
		t.Error("a file of the tree was run")
	}
}
