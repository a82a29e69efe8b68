package runtime

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/provision"
)

func e2e(t *testing.T) {
	t.Helper()
	if os.Getenv("QA_E2E") == "" {
		t.Skip("set QA_E2E=1 to run real package managers")
	}
}

// sharedCache saves the suite from fetching every toolchain for every test.
func sharedCache(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(os.TempDir(), "qa-e2e-cache")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// inPlace is a project of two packages, one using the other by a link that its
// package manager makes. ask prints what the using package sees.
type inPlace struct {
	name    string
	files   map[string]string
	library string // the file that is mutated; it holds BASE
	dir     string
	ask     []string
	// install runs in the checkout, as a person would, to make a checkout that
	// was installed before us.
	install [][]string
}

var nodeFiles = map[string]string{
	"package.json":              `{"name":"root","private":true,"workspaces":["packages/*"]}`,
	"packages/lib/package.json": `{"name":"lib","version":"1.0.0","main":"index.js"}`,
	"packages/lib/index.js":     "module.exports = 'BASE'\n",
	"packages/app/package.json": `{"name":"app","version":"1.0.0","dependencies":{"lib":"1.0.0"}}`,
}

func nodeProject(manager string, more map[string]string) inPlace {
	p := inPlace{name: manager, files: map[string]string{}, library: "packages/lib/index.js", dir: "packages/app",
		ask: []string{"node", "-e", "console.log(require('lib'))"}, install: [][]string{{strings.Fields(manager)[0], "install"}}}
	for _, files := range []map[string]string{nodeFiles, more} {
		for name, data := range files {
			p.files[name] = data
		}
	}
	return p
}

var pyproject = `[project]
name = "lib"
version = "1.0.0"
requires-python = ">=3.9"
[build-system]
requires = ["setuptools>=68"]
build-backend = "setuptools.build_meta"
[tool.setuptools.packages.find]
where = ["src"]
`

func pythonProject(name string, files map[string]string, install ...[]string) inPlace {
	all := map[string]string{"src/lib/__init__.py": "VALUE = 'BASE'\n", "pyproject.toml": pyproject}
	for name, data := range files {
		all[name] = data
	}
	return inPlace{name: name, files: all, library: "src/lib/__init__.py",
		ask: []string{"python", "-c", "import lib; print(lib.VALUE)"}, install: install}
}

func inPlaceProjects() []inPlace {
	pinned := func(manager string) map[string]string {
		return map[string]string{"package.json": `{"name":"root","private":true,"workspaces":["packages/*"],"packageManager":"` + manager + `"}`}
	}
	local := func(files map[string]string, dependency string) map[string]string {
		files["packages/app/package.json"] = `{"name":"app","version":"1.0.0","dependencies":{"lib":"` + dependency + `"}}`
		return files
	}
	pnpm := local(pinned("pnpm@10.15.0"), "workspace:*")
	pnpm["pnpm-workspace.yaml"] = "packages:\n  - packages/*\n"
	berry := local(pinned("yarn@4.9.2"), "workspace:*")
	berry[".yarnrc.yml"] = "nodeLinker: node-modules\nenableTelemetry: false\n"
	venv := []string{"uv", "venv", ".venv"}
	return []inPlace{
		nodeProject("npm", nil),
		nodeProject("pnpm", pnpm),
		nodeProject("yarn 1", pinned("yarn@1.22.22")),
		nodeProject("yarn berry", berry),
		nodeProject("bun", local(pinned("bun@1.2.20"), "workspace:*")),
		pythonProject("pip editable", nil, venv, []string{"uv", "pip", "install", "-e", "."}),
		pythonProject("pip editable finder", map[string]string{"pyproject.toml": strings.Replace(pyproject,
			"[tool.setuptools.packages.find]\nwhere = [\"src\"]\n", "[tool.setuptools]\npackages = [\"lib\"]\npackage-dir = {lib = \"src/lib\"}\n", 1)},
			venv, []string{"uv", "pip", "install", "-e", "."}),
		pythonProject("uv", map[string]string{"uv.lock": ""}, []string{"uv", "sync"}),
		pythonProject("poetry", map[string]string{"poetry.lock": "", "pyproject.toml": strings.Replace(pyproject,
			"[build-system]\nrequires = [\"setuptools>=68\"]\nbuild-backend = \"setuptools.build_meta\"\n[tool.setuptools.packages.find]\nwhere = [\"src\"]\n",
			"[tool.poetry]\npackages = [{include = \"lib\", from = \"src\"}]\n[build-system]\nrequires = [\"poetry-core\"]\nbuild-backend = \"poetry.core.masonry.api\"\n", 1)},
			venv, []string{"uv", "pip", "install", "-e", "."}),
		pythonProject("pdm", map[string]string{"pdm.lock": ""}, venv, []string{"uv", "pip", "install", "-e", "."}),
		pythonProject("pipenv", map[string]string{"Pipfile": "[packages]\nlib = {path = '.', editable = true}\n", "Pipfile.lock": ""},
			venv, []string{"uv", "pip", "install", "-e", "."}),
	}
}

// TestInPlace proves for each package manager that a mutant in the copy is what
// the tests see, in the tree of the head and in that of the base, whether the
// dependencies were installed by us or lay in the checkout.
func TestInPlace(t *testing.T) {
	e2e(t)
	for _, p := range inPlaceProjects() {
		t.Run(p.name, func(t *testing.T) {
			root, err := os.MkdirTemp("", "qa-in-place-")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.RemoveAll(root) })
			put(t, root, p.files)
			put(t, root, map[string]string{".gitignore": "node_modules\n.venv\n*.egg-info\n"})
			p.lock(t, root)
			git(t, root, "init", "-q", "-b", "main")
			git(t, root, "add", ".")
			git(t, root, "-c", "user.name=dev", "-c", "user.email=dev@example.com", "commit", "-q", "-m", "base")
			base := git(t, root, "rev-parse", "HEAD")
			put(t, root, map[string]string{p.library: strings.ReplaceAll(p.files[p.library], "BASE", "HEAD")})

			w := open(t, Options{Root: root, Driver: "image", Cache: sharedCache(t), Log: testLog{t}})
			t.Run("installed by us", func(t *testing.T) { p.prove(t, w, base) })
			p.installInCheckout(t, root, w)
			before := git(t, root, "status", "--porcelain", "--ignored")
			for _, driver := range []string{"image", "host"} {
				t.Run("installed before us, "+driver, func(t *testing.T) {
					w := open(t, Options{Root: root, Driver: driver, Cache: sharedCache(t), Log: testLog{t}, Install: "auto",
						Env: append(os.Environ(), "PATH="+environ.Lookup(w.env, "PATH"))})
					p.prove(t, w, base)
				})
			}
			if after := git(t, root, "status", "--porcelain", "--ignored"); after != before {
				t.Errorf("the checkout changed:\n%s\n%s", before, after)
			}
		})
	}
}

type testLog struct{ t *testing.T }

func (l testLog) Write(p []byte) (int, error) {
	l.t.Logf("%s", strings.TrimRight(string(p), "\n"))
	return len(p), nil
}

// lock makes the lockfile of those managers that cannot install without.
func (p inPlace) lock(t *testing.T, root string) {
	t.Helper()
	uv := func(args ...string) {
		s := provision.New(sharedCache(t), os.Environ(), testLog{t}, process.LookPath)
		tool, err := s.UV(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		p.must(t, root, tool.Bin, append([]string{"uv"}, args...))
	}
	for name, command := range map[string][]string{"uv.lock": {"lock"}, "poetry.lock": {"tool", "run", "poetry", "lock"},
		"pdm.lock": {"tool", "run", "--from", "pdm[locked]", "pdm", "lock"}, "Pipfile.lock": {"tool", "run", "pipenv", "lock"}} {
		if data, ok := p.files[name]; ok && data == "" {
			if err := os.Remove(filepath.Join(root, name)); err != nil {
				t.Fatal(err)
			}
			uv(command...)
			if err := os.RemoveAll(filepath.Join(root, ".venv")); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func (p inPlace) must(t *testing.T, dir, path string, argv []string) {
	t.Helper()
	env := environ.Merge(os.Environ(), []string{"PATH=" + path + ":" + os.Getenv("PATH"), "CI=", "YARN_ENABLE_IMMUTABLE_INSTALLS=false",
		"GIT_CONFIG_GLOBAL=/dev/null", "PIPENV_IGNORE_VIRTUALENVS=1"})
	program := argv[0]
	for _, d := range filepath.SplitList(path) {
		if _, err := os.Stat(filepath.Join(d, argv[0])); err == nil {
			program = filepath.Join(d, argv[0])
			break
		}
	}
	res, err := process.Run(t.Context(), process.Command{Argv: append([]string{program}, argv[1:]...), Dir: dir, Env: env, Timeout: 5 * time.Minute})
	if err != nil || res.ExitCode != 0 {
		t.Fatalf("%v: exit %d, %v\n%s%s", argv, res.ExitCode, err, res.Stdout, res.Stderr)
	}
}

func (p inPlace) installInCheckout(t *testing.T, root string, w *Workspace) {
	t.Helper()
	var bins []string
	for _, tool := range w.Tools() {
		if tool.Name != "python" {
			bins = append([]string{tool.Bin}, bins...)
		}
	}
	for _, argv := range p.install {
		p.must(t, root, strings.Join(bins, ":"), argv)
	}
}

// prove sees HEAD, then a mutant, in w; then the same for the base.
func (p inPlace) prove(t *testing.T, w *Workspace, base string) {
	t.Helper()
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
		w    *Workspace
		want string
	}{{w, "HEAD"}, {b, "BASE"}} {
		p.expect(t, c.w, c.want)
		mutant := strings.ReplaceAll(p.files[p.library], "BASE", c.want+" MUTANT")
		if err := c.w.Write(p.library, []byte(mutant)); err != nil {
			t.Fatal(err)
		}
		p.expect(t, c.w, c.want+" MUTANT")
		if _, err := c.w.Restore(t.Context()); err != nil {
			t.Fatal(err)
		}
		p.expect(t, c.w, c.want)
	}
}

func (p inPlace) expect(t *testing.T, w *Workspace, want string) {
	t.Helper()
	// Python trusts a cached module of the same second and size.
	res, err := w.Run(t.Context(), Command{Argv: p.ask, Dir: p.dir, Timeout: time.Minute, Env: []string{"PYTHONDONTWRITEBYTECODE=1"}})
	if err != nil || res.ExitCode != 0 || strings.TrimSpace(string(res.Stdout)) != want {
		t.Errorf("%v sees %q, want %q (exit %d, %v)\n%s", p.ask, res.Stdout, want, res.ExitCode, err, res.Stderr)
	}
}

// TestInPlaceGo is the same for go.work and replace lines.
func TestInPlaceGo(t *testing.T) {
	e2e(t)
	root, err := os.MkdirTemp("", "qa-in-place-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	for name, files := range map[string]map[string]string{
		"go.work":          {"go.work": "go 1.24\n\nuse (\n\t./app\n\t./lib\n)\n", "app/go.mod": "module example.com/app\n\ngo 1.24\n"},
		"replace":          {"app/go.mod": "module example.com/app\n\ngo 1.24\n\nrequire example.com/lib v0.0.0\n\nreplace example.com/lib => ../lib\n"},
		"absolute replace": {"app/go.mod": "module example.com/app\n\ngo 1.24\n\nrequire example.com/lib v0.0.0\n\nreplace example.com/lib => " + root + "/absolute replace/lib\n"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(root, name)
			put(t, dir, files)
			put(t, dir, map[string]string{"lib/go.mod": "module example.com/lib\n\ngo 1.24\n", "lib/lib.go": "package lib\n\nconst Value = \"BASE\"\n",
				"app/main.go": "package main\n\nimport \"example.com/lib\"\n\nfunc main() { print(lib.Value) }\n"})
			w := open(t, Options{Root: dir, Driver: "host", Cache: sharedCache(t)})
			if err := w.Write("lib/lib.go", []byte("package lib\n\nconst Value = \"MUTANT\"\n")); err != nil {
				t.Fatal(err)
			}
			res, err := w.Run(t.Context(), Command{Argv: []string{"go", "run", "."}, Dir: "app", Timeout: 5 * time.Minute})
			if err != nil || string(res.Stderr) != "MUTANT" {
				t.Errorf("got %q, %v", res.Stderr, err)
			}
		})
	}
}
