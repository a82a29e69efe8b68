package runtime

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/rooted"
)

// npmRepo makes a checkout whose package lib is 1.0.0 in the first commit and 2.0.0
// in the second, each from an archive in the tree, with a lock. installed is the
// version that lies in its node_modules; empty is none.
func npmRepo(t *testing.T, installed string) (root, base string) {
	t.Helper()
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("no npm")
	}
	root, _ = repo(t)
	step := func(version string) {
		put(t, root, map[string]string{
			"package.json": `{"name":"shop","private":true,"scripts":{"test":"node t.js"},"dependencies":{"lib":"file:lib-` + version + `.tgz"}}`,
			"t.js":         "console.log(require('lib').version)\n", ".gitignore": "node_modules\n"})
		npm(t, root, "install", "--package-lock-only", "--offline")
		git(t, root, "add", ".")
		git(t, root, "commit", "-q", "-m", "lib "+version)
	}
	for _, version := range []string{"1.0.0", "2.0.0"} {
		lib := filepath.Join(t.TempDir(), "lib")
		put(t, lib, map[string]string{"package.json": `{"name":"lib","version":"` + version + `"}`, "index.js": "exports.version='" + version + "'\n"})
		npm(t, root, "pack", lib, "--offline")
	}
	step("1.0.0")
	base = git(t, root, "rev-parse", "HEAD")
	if installed == "1.0.0" {
		npm(t, root, "ci", "--offline")
	}
	step("2.0.0")
	if installed == "2.0.0" {
		npm(t, root, "ci", "--offline")
	}
	return root, base
}

func npm(t *testing.T, dir string, args ...string) {
	t.Helper()
	res, err := process.Run(t.Context(), process.Command{Argv: append([]string{"npm", "--no-audit", "--no-fund"}, args...), Dir: dir, Env: os.Environ()})
	if err != nil || res.ExitCode != 0 {
		t.Fatalf("npm %v: %v\n%s%s", args, err, res.Stdout, res.Stderr)
	}
}

// reachableCache is a cache of the test's own that the code's user can enter.
func reachableCache(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "qa-cache-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rooted.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func at(t *testing.T, w *Workspace, commit string) *Workspace {
	t.Helper()
	b, err := w.At(t.Context(), commit)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// A dependency update that breaks a test must not be seen on base, too.
func TestBaseHasItsOwnDependencies(t *testing.T) {
	t.Parallel()
	root, base := npmRepo(t, "2.0.0")
	var log bytes.Buffer
	w := open(t, Options{Root: root, Log: &log, Cache: reachableCache(t)})
	if got := run(t, w, "node", "t.js"); got != "2.0.0\n" {
		t.Errorf("head runs with lib %q", got)
	}
	for _, want := range []string{"npm ci", "as kept from an earlier run"} {
		log.Reset()
		b := at(t, w, base)
		if got := run(t, b, "node", "t.js"); got != "1.0.0\n" {
			t.Errorf("base runs with lib %q", got)
		}
		if deps := b.Dependencies(); !deps.Own || deps.Shared != "" {
			t.Errorf("dependencies of base: %+v", deps)
		}
		if !strings.Contains(log.String(), want) {
			t.Errorf("log has no %q:\n%s", want, log.String())
		}
		if info, err := os.Lstat(filepath.Join(b.Dir(), "node_modules", "lib")); err != nil || !info.IsDir() {
			t.Errorf("lib of base is a link: %v", err)
		}
		if out, err := b.Run(t.Context(), Command{Argv: []string{"sh", "-c", "echo x >> node_modules/lib/index.js; rm -rf " + w.box.Place.Installed()}}); err != nil {
			t.Errorf("%+v, %v", out, err)
		}
		if touched, err := b.Restore(t.Context()); err != nil || touched != nil {
			t.Errorf("put back %q, %v", touched, err)
		}
	}
	if deps := w.Dependencies(); !deps.Own {
		t.Errorf("dependencies of head: %+v", deps)
	}
}

// Where base cannot have its own, it runs with head's and says so.
func TestBaseSaysWhySharesDependencies(t *testing.T) {
	t.Parallel()
	root, base := npmRepo(t, "2.0.0")
	git(t, root, "checkout", "-q", base)
	git(t, root, "rm", "-q", "package-lock.json")
	git(t, root, "commit", "-q", "-m", "no lock")
	loose := git(t, root, "rev-parse", "HEAD")
	git(t, root, "checkout", "-q", base)
	git(t, root, "rm", "-q", "lib-1.0.0.tgz")
	git(t, root, "commit", "-q", "-m", "what the lock names is gone")
	gone := git(t, root, "rev-parse", "HEAD")
	git(t, root, "checkout", "-q", "main")
	w := open(t, Options{Root: root, Cache: reachableCache(t)})
	never := open(t, Options{Root: root, Install: "never"})
	for _, c := range []struct {
		name, commit, why string
		w                 *Workspace
	}{
		{"no lock", loose, "no lock file of base pins them (package.json)", w},
		{"the installer fails", gone, "npm ci", w},
		{"not allowed", base, "install: never", never},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := at(t, c.w, c.commit)
			deps := b.Dependencies()
			if deps.Own || !strings.Contains(deps.Shared, c.why) || !strings.Contains(deps.Shared, "package") {
				t.Errorf("dependencies of base: %+v, want %q", deps, c.why)
			}
			if got := run(t, b, "node", "t.js"); got != "2.0.0\n" {
				t.Errorf("base runs with lib %q", got)
			}
		})
	}
	same := at(t, w, "main~0")
	if deps := same.Dependencies(); deps.Own || deps.Shared != "" {
		t.Errorf("dependencies of a base that needs the same: %+v", deps)
	}
}

// Setup commands make what tests need on either side.
func TestBaseIsSetUp(t *testing.T) {
	t.Parallel()
	root, base := repo(t)
	w := open(t, Options{Root: root, Preparation: Preparation{Setup: [][]string{{"sh", "-c", "cat file > built"}}}})
	b := at(t, w, base)
	if got := run(t, b, "cat", "built"); got != "base\n" {
		t.Errorf("built on base: %q", got)
	}
	w = open(t, Options{Root: root, Preparation: Preparation{Setup: [][]string{{"grep", "-q", "head", "file"}}}})
	if deps := at(t, w, base).Dependencies(); !strings.Contains(deps.Shared, "setup-command") {
		t.Errorf("dependencies of base: %+v", deps)
	}
}

// A machine has one Node.js: where base asks for another, what it says of base is
// not what base was.
func TestBaseAsksForAnotherToolchain(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("no Node.js")
	}
	root, _ := repo(t)
	commit := func(version string) string {
		put(t, root, map[string]string{"package.json": "{}", ".nvmrc": version + "\n"})
		git(t, root, "add", ".")
		git(t, root, "commit", "-q", "-m", version)
		return git(t, root, "rev-parse", "HEAD")
	}
	old, wide := commit("4"), commit(">=4")
	commit("lts/*")
	w := open(t, Options{Root: root})
	if deps := at(t, w, old).Dependencies(); deps.Own || !strings.Contains(deps.Shared, `base asks for "4" (.nvmrc), and the machine has node v`) {
		t.Errorf("dependencies of base: %+v", deps)
	}
	if deps := at(t, w, wide).Dependencies(); deps.Own || deps.Shared != "" {
		t.Errorf("dependencies of a base that the machine's Node.js suits: %+v", deps)
	}
}
