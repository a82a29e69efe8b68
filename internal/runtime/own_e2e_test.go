package runtime

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestBaseHasItsOwnPython installs base from its lock file where head asks for
// another version of a package, on the image and on a machine whose checkout has a
// virtual environment.
func TestBaseHasItsOwnPython(t *testing.T) {
	e2e(t)
	ask := []string{"python", "-c", "from importlib.metadata import version; print(version('iniconfig'))"}
	for _, driver := range []string{"image", "host"} {
		t.Run(driver, func(t *testing.T) {
			root, _ := repo(t)
			if err := os.CopyFS(root, os.DirFS(filepath.Join("testdata", "lock", "uv"))); err != nil {
				t.Fatal(err)
			}
			git(t, root, "add", ".")
			git(t, root, "commit", "-q", "-m", "locked")
			base := git(t, root, "rev-parse", "HEAD")
			git(t, root, "rm", "-q", "uv.lock", "pyproject.toml")
			put(t, root, map[string]string{"requirements.txt": "iniconfig==2.0.0\n"})
			git(t, root, "add", ".")
			git(t, root, "commit", "-q", "-m", "updated")
			if driver == "host" {
				shell(t, root, "python3 -m venv .venv && .venv/bin/pip install -q -r requirements.txt")
			}
			var log bytes.Buffer
			w := open(t, Options{Root: root, Driver: driver, Log: &log, Cache: reachableCache(t)})
			if err := w.Against(t.Context(), base); err != nil || w.Unfit() != "" {
				t.Errorf("unfit %q, %v", w.Unfit(), err)
			}
			if got := strings.TrimSpace(run(t, w, ask...)); got != "2.0.0" {
				t.Errorf("head runs with iniconfig %q\n%s", got, log.String())
			}
			for _, want := range []string{"uv sync --locked", "as kept from an earlier run"} {
				log.Reset()
				b := at(t, w, base)
				if got := strings.TrimSpace(run(t, b, ask...)); got != "1.1.1" {
					t.Errorf("base runs with iniconfig %q", got)
				}
				if !strings.Contains(log.String(), want) || !b.Dependencies().Own {
					t.Errorf("%+v; log has no %q:\n%s", b.Dependencies(), want, log.String())
				}
				if got := run(t, b, "python", "-c", "import sys; print(sys.prefix)"); !strings.HasPrefix(got, b.box.Place.Home) {
					t.Errorf("base runs in %q, expected one below %s", got, b.box.Place.Home)
				}
			}
		})
	}
}

func shell(t *testing.T, dir, line string) {
	t.Helper()
	c := exec.CommandContext(t.Context(), "sh", "-c", line)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
}
