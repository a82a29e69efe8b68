package runtime

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestLockfiles installs what a lockfile of each package manager pins: an old
// version of a package whose newest one would fit as well. Times are logged,
// without and with the manager's own download cache; toolchains are there.
func TestLockfiles(t *testing.T) {
	e2e(t)
	node := []string{"node", "-p", "require('ms/package.json').version"}
	python := []string{"python", "-c", "from importlib.metadata import version; print(version('iniconfig'))"}
	for _, c := range []struct {
		dir, command string
		ask          []string
		want         string
	}{
		{"npm", "npm ci", node, "2.0.0"},
		{"pnpm", "pnpm install --frozen-lockfile", node, "2.0.0"},
		{"yarn1", "yarn install --frozen-lockfile", node, "2.0.0"},
		{"berry", "yarn install --immutable", node, "2.0.0"},
		{"bun", "bun install --frozen-lockfile", node, "2.0.0"},
		{"uv", "uv sync --locked", python, "1.1.1"},
		{"poetry", "poetry sync", python, "1.1.1"},
		{"pdm", "pdm sync", python, "1.1.1"},
		{"pipenv", "pipenv sync", python, "1.1.1"},
		{"pip", "uv pip install -r", python, "1.1.1"},
	} {
		t.Run(c.dir, func(t *testing.T) {
			root := filepath.Join(t.TempDir(), "repo")
			if err := os.CopyFS(root, os.DirFS(filepath.Join("testdata", "lock", c.dir))); err != nil {
				t.Fatal(err)
			}
			// A manager that is itself a package of Python is fetched by uv.
			for _, name := range []string{"npm", "yarn", "uv", "pip"} {
				if err := os.RemoveAll(filepath.Join(sharedCache(t), "packages", name)); err != nil {
					t.Fatal(err)
				}
			}
			for _, kind := range []string{"cold", "cached"} {
				var log bytes.Buffer
				start := time.Now()
				w := open(t, Options{Root: root, Driver: "image", Cache: sharedCache(t), Log: &log})
				t.Logf("%s: %.1fs %+v", kind, time.Since(start).Seconds(), w.Tools())
				if !strings.Contains(log.String(), c.command) {
					t.Errorf("installed by\n%s\nwant %q", log.String(), c.command)
				}
				if got := strings.TrimSpace(run(t, w, c.ask...)); got != c.want {
					t.Errorf("version %q, want %q\n%s", got, c.want, log.String())
				}
			}
		})
	}
}

// A lockfile that does not fit its project ends the run, and is not repaired.
func TestLockfileThatDoesNotFit(t *testing.T) {
	e2e(t)
	for dir, change := range map[string][3]string{
		"npm":    {"package.json", "^2.0.0", "^1.0.0"},
		"pnpm":   {"package.json", "^2.0.0", "^1.0.0"},
		"yarn1":  {"package.json", "^2.0.0", "^1.0.0"},
		"berry":  {"package.json", "^2.0.0", "^1.0.0"},
		"bun":    {"package.json", "^2.0.0", "^1.0.0"},
		"uv":     {"pyproject.toml", ">=1.1.1", ">=2"},
		"poetry": {"pyproject.toml", ">=1.1.1", ">=2"},
	} {
		t.Run(dir, func(t *testing.T) {
			root := filepath.Join(t.TempDir(), "repo")
			if err := os.CopyFS(root, os.DirFS(filepath.Join("testdata", "lock", dir))); err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(filepath.Join(root, change[0]))
			if err != nil {
				t.Fatal(err)
			}
			put(t, root, map[string]string{change[0]: strings.Replace(string(data), change[1], change[2], 1)})
			_, err = Open(t.Context(), Options{Root: root, Driver: "image", Cache: sharedCache(t)})
			if err == nil || !strings.Contains(err.Error(), "installing the dependencies of") {
				t.Errorf("err = %v", err)
			}
			t.Log(err)
		})
	}
}

// A lock that uv calls outdated and that has what the project asks for is installed as it
// stands.
func TestLockfileInOtherWords(t *testing.T) {
	e2e(t)
	root := filepath.Join(t.TempDir(), "repo")
	if err := os.CopyFS(root, os.DirFS(filepath.Join("testdata", "lock", "uv"))); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(root, "pyproject.toml"))
	if err != nil {
		t.Fatal(err)
	}
	put(t, root, map[string]string{"pyproject.toml": strings.Replace(string(data), ">=1.1.1", ">=1.0", 1)})
	var log bytes.Buffer
	w := open(t, Options{Root: root, Driver: "image", Cache: sharedCache(t), Log: &log})
	if got := strings.TrimSpace(run(t, w, "python", "-c", "from importlib.metadata import version; print(version('iniconfig'))")); got != "1.1.1" {
		t.Errorf("version %q\n%s", got, log.String())
	}
	if done := strings.Join(w.Prepared().Done, "\n"); !strings.Contains(done, "installed as it stands") {
		t.Errorf("done: %s\n%s", done, log.String())
	}
}
