package runtime

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/runtime/environ"
)

// TestVersions provisions each version for real and asks the program that tests
// would get. Times are logged, cold and cached.
func TestVersions(t *testing.T) {
	e2e(t)
	for _, c := range []struct {
		name  string
		files map[string]string
		argv  []string
		want  string // beginning of what the program says
	}{
		{"node 18", map[string]string{"package.json": "{}", ".nvmrc": "18"}, []string{"node", "--version"}, "v18."},
		{"node 20", map[string]string{"package.json": `{"engines":{"node":"~20.19.0"}}`}, []string{"node", "--version"}, "v20."},
		{"node 22", map[string]string{"package.json": "{}", ".tool-versions": "nodejs 22.12.0\n"}, []string{"node", "--version"}, "v22.12.0"},
		{"node 24", map[string]string{"package.json": "{}", ".nvmrc": "lts/*"}, []string{"node", "--version"}, "v24."},
		{"npm of node 20", map[string]string{"package.json": `{"engines":{"node":"~20.19.0"}}`}, []string{"npm", "--version"}, "10."},
		{"pnpm 9 pinned", map[string]string{"package.json": `{"packageManager":"pnpm@9.15.0"}`}, []string{"pnpm", "--version"}, "9.15.0"},
		{"go 1.22", map[string]string{"go.mod": "module x\n\ngo 1.22\n"}, []string{"go", "env", "GOVERSION"}, "go1.22."},
		{"go 1.23.4", map[string]string{"go.mod": "module x\n\ngo 1.22\n\ntoolchain go1.23.4\n"}, []string{"go", "env", "GOVERSION"}, "go1.23.4"},
		{"go 1.24", map[string]string{"go.mod": "module x\n\ngo 1.24\n"}, []string{"go", "env", "GOVERSION"}, "go1.24."},
		{"go 1.25", map[string]string{"go.mod": "module x\n\ngo 1.25.1\n"}, []string{"go", "env", "GOVERSION"}, "go1.25.1"},
		{"go 1.26", map[string]string{"go.work": "go 1.26\n\nuse .\n", "go.mod": "module x\n\ngo 1.22\n"}, []string{"go", "env", "GOVERSION"}, "go1.26"},
		{"yarn 1", map[string]string{"package.json": "{}", "yarn.lock": "# yarn lockfile v1\n"}, []string{"yarn", "--version"}, "1.22."},
		{"python 3.8", map[string]string{"requirements.txt": "", ".python-version": "3.8"}, []string{"python", "--version"}, "Python 3.8."},
		{"python 3.9", map[string]string{"requirements.txt": "", ".python-version": "3.9"}, []string{"python", "--version"}, "Python 3.9."},
		{"a patch of python that was never made", map[string]string{"requirements.txt": "", "runtime.txt": "python-3.11.99"}, []string{"python", "--version"}, "Python 3.11."},
		{"python 3.10", map[string]string{"requirements.txt": "", ".python-version": "3.10"}, []string{"python", "--version"}, "Python 3.10."},
		{"python 3.11", map[string]string{"pyproject.toml": "[project]\nname='x'\nversion='1'\nrequires-python='>=3.11,<3.12'\n"}, []string{"python", "--version"}, "Python 3.11."},
		{"python 3.12", map[string]string{"pyproject.toml": "[project]\nname='x'\nversion='1'\nrequires-python='~=3.12.0'\n"}, []string{"python", "--version"}, "Python 3.12."},
		{"python 3.13", map[string]string{"Pipfile": "[requires]\npython_version='3.13'\n"}, []string{"python", "--version"}, "Python 3.13."},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := filepath.Join(t.TempDir(), "repo")
			put(t, root, c.files)
			for _, kind := range []string{"first", "again"} {
				start := time.Now()
				w := open(t, Options{Root: root, Driver: "image", Install: "never", Cache: sharedCache(t)})
				took := time.Since(start)
				if c.argv[0] == "python" { // without an installation there is no environment
					w.activateInterpreter()
				}
				got := run(t, w, c.argv...)
				t.Logf("%s: %.1fs %+v", kind, took.Seconds(), w.Tools())
				if !strings.HasPrefix(got, c.want) {
					t.Errorf("got %q, want %q", got, c.want)
				}
				if said := strings.Join(w.Prepared().Done, "\n"); strings.Contains(said, "could not be had") != strings.HasPrefix(c.name, "a patch") {
					t.Errorf("%q is said", said)
				}
			}
		})
	}
}

// activateInterpreter puts the interpreter itself under the name python.
func (w *Workspace) activateInterpreter() {
	link := filepath.Join(w.box.Place.Home, "venv", "python")
	_ = os.Symlink(environ.Lookup(w.env, "UV_PYTHON"), link)
	w.env = environ.Merge(w.env, []string{"PATH=" + filepath.Dir(link) + ":" + environ.Lookup(w.env, "PATH")})
}

// A pinned hash that does not fit stops the run.
func TestPinnedHash(t *testing.T) {
	e2e(t)
	root := filepath.Join(t.TempDir(), "repo")
	put(t, root, map[string]string{"package.json": `{"packageManager":"pnpm@9.14.4+sha512.0000"}`})
	_, err := Open(t.Context(), Options{Root: root, Driver: "image", Install: "never", Cache: filepath.Join(sharedCache(t), "pinned")})
	if err == nil || !strings.Contains(err.Error(), "not the one that was pinned") {
		t.Errorf("err = %v", err)
	}
}

// Nothing on this machine, nothing on the index: the error names the cure.
func TestProvisionFailureNamesTheCure(t *testing.T) {
	e2e(t)
	root := filepath.Join(t.TempDir(), "repo")
	put(t, root, map[string]string{"requirements.txt": "", ".python-version": "3.4"})
	_, err := Open(t.Context(), Options{Root: root, Driver: "image", Cache: sharedCache(t)})
	if err == nil || !strings.Contains(err.Error(), "host folder") || !strings.Contains(err.Error(), `python "3.4"`) {
		t.Errorf("err = %v", err)
	}
}

// A machine has npm, not every manager that a lockfile may be of.
func TestMissingManager(t *testing.T) {
	e2e(t)
	root := filepath.Join(t.TempDir(), "repo")
	put(t, root, map[string]string{
		"package.json":   `{"packageManager":"pnpm@9.15.0","dependencies":{}}`,
		"pnpm-lock.yaml": "lockfileVersion: '9.0'\n\nsettings:\n  autoInstallPeers: true\n  excludeLinksFromLockfile: false\n\nimporters:\n\n  .: {}\n",
	})
	if _, err := process.LookPath("pnpm"); err == nil {
		t.Skip("pnpm is on PATH")
	}
	w := open(t, Options{Root: root, Driver: "host", Cache: sharedCache(t)})
	if got := run(t, w, "pnpm", "--version"); !strings.HasPrefix(got, "9.15.0") {
		t.Errorf("pnpm %s", got)
	}
	put(t, root, map[string]string{"package.json": `{"packageManager":"pnpm@0.0.9","dependencies":{}}`})
	_, err := Open(t.Context(), Options{Root: root, Driver: "host", Cache: sharedCache(t)})
	if err == nil || !strings.Contains(err.Error(), "corepack enable pnpm") {
		t.Errorf("err = %v", err)
	}
}

// Packages that this run installs on a machine are installed under a Node.js that the
// repository, or its package manager, asks for, on head and base.
func TestNodeThatFits(t *testing.T) {
	e2e(t)
	lock := "lockfileVersion: '9.0'\n\nsettings:\n  autoInstallPeers: true\n  excludeLinksFromLockfile: false\n\nimporters:\n\n  .: {}\n"
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string
		said  string
	}{
		{"engines", map[string]string{"package.json": `{"engines":{"node":"~22.12.0"},"dependencies":{}}`, "package-lock.json": `{"lockfileVersion":3,"packages":{}}`}, "v22.12.", "under Node.js 22.12.0, which package.json engines.node asks for"},
		{"its package manager", map[string]string{"package.json": `{"packageManager":"pnpm@11.3.0","dependencies":{}}`, "pnpm-lock.yaml": lock}, "v2", "asks for"},
	} {
		t.Run(c.name, func(t *testing.T) {
			root, _ := repo(t)
			put(t, root, c.files)
			git(t, root, "add", ".")
			git(t, root, "commit", "-q", "-m", "base")
			base := git(t, root, "rev-parse", "HEAD")
			here, _ := process.LookPath("node")
			w := open(t, Options{Root: root, Driver: "host", Cache: sharedCache(t)})
			if said := strings.Join(w.Prepared().Done, "\n"); here != "" && !strings.Contains(said, c.said) {
				t.Skipf("this machine's Node.js does: %s", said)
			}
			b, err := w.At(t.Context(), base)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = b.Close() }()
			for _, side := range []*Workspace{w, b} {
				if got := run(t, side, "node", "--version"); !strings.HasPrefix(got, c.want) || c.want == "v2" && got < "v22" {
					t.Errorf("node %s", got)
				}
			}
		})
	}
}
