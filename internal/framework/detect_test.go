package framework

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/javascript"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

func TestDetect(t *testing.T) {
	t.Parallel()
	vitestModule := `{"version":"3.2.4","bin":{"vitest":"./vitest.mjs"}}`
	for name, c := range map[string]struct {
		files map[string]string
		in    string
		want  []string // dir framework version
	}{
		"nothing": {files: map[string]string{"README.md": "", "index.js": ""}},
		"a dependency is evidence, jest is no default": {
			files: map[string]string{"package.json": `{"devDependencies":{"vitest":"^2.0.0"}}`},
			want:  []string{". vitest ^2.0.0"},
		},
		"package.json without tests":             {files: map[string]string{"package.json": `{"scripts":{"test":"echo \"Error: no test specified\" && exit 1"}}`}},
		"broken package.json":                    {files: map[string]string{"package.json": `{"scripts":`}},
		"package.json of another shape":          {files: map[string]string{"package.json": `["vitest"]`}},
		"broken go.mod is a module: go says why": {files: map[string]string{"go.mod": "module \"\n"}, want: []string{". gotest"}},
		"broken pyproject.toml":                  {files: map[string]string{"pyproject.toml": "[tool.pytest"}},
		"two frameworks: the test script decides": {
			files: map[string]string{
				"package.json":   `{"scripts":{"test":"npm run lint && npm run unit","lint":"eslint .","unit":"mocha lib"},"devDependencies":{"jest":"^29.0.0","mocha":"^10.0.0"}}`,
				"jest.config.js": "",
			},
			want: []string{". mocha ^10.0.0"},
		},
		"installed version": {
			files: map[string]string{"package.json": `{"scripts":{"test":"vitest"},"devDependencies":{"vitest":"^3"}}`, "node_modules/vitest/package.json": vitestModule},
			want:  []string{". vitest 3.2.4"},
		},
		"unknown test script": {
			files: map[string]string{"package.json": `{"scripts":{"test":"node all.js"}}`, "test/a.js": "import test from 'node:test'"},
			want:  []string{". command "},
		},
		"node's own runner": {
			files: map[string]string{"package.json": `{"scripts":{"test":"node --test"}}`},
			want:  []string{". nodetest "},
		},
		"node's own runner without a script": {
			files: map[string]string{
				"package.json": `{"scripts":{"test":"echo \"Error: no test specified\" && exit 1"}}`, "test/a.js": "const test = require('node:test')",
				"b/package.json": `{}`, "b/test/help.js": "export const one = 1",
			},
			want: []string{". nodetest "},
		},
		"vite config needs a test section and vitest": {
			files: map[string]string{
				"a/package.json": `{"devDependencies":{"vitest":"^3"}}`, "a/vite.config.ts": "export default {\n  test: {},\n}",
				"b/package.json": `{"devDependencies":{"vite":"^5"}}`, "b/vite.config.ts": "export default {}",
			},
			want: []string{"a vitest ^3"},
		},
		"workspaces: hoisted dependency is no target, members are": {
			files: map[string]string{
				"package.json":            `{"workspaces":["packages/*"],"scripts":{"test":"npm test --workspaces"},"devDependencies":{"vitest":"^3"}}`,
				"packages/a/package.json": `{"scripts":{"test":"vitest run"}}`,
				"packages/b/package.json": `{"scripts":{"test":"jest"},"devDependencies":{"jest":"^30"}}`,
				"packages/c/package.json": `{"name":"c"}`,
			},
			want: []string{"packages/a vitest ", "packages/b jest ^30"},
		},
		"workspaces run from the root": {
			files: map[string]string{
				"package.json":            `{"workspaces":["packages/*"],"scripts":{"test":"vitest run"},"devDependencies":{"vitest":"^3"}}`,
				"packages/a/package.json": `{"scripts":{"test":"vitest run"}}`,
			},
			want: []string{". vitest ^3"},
		},
		"dependencies, fixtures and examples are skipped": {
			files: map[string]string{
				"node_modules/x/package.json": `{"scripts":{"test":"jest"}}`, "vendor/y/go.mod": "module y\n",
				"testdata/repo/package.json": `{"scripts":{"test":"jest"}}`, "examples/a/package.json": `{"scripts":{"test":"jest"}}`,
				".hidden/package.json": `{"scripts":{"test":"jest"}}`,
			},
		},
		"create-react-app runs jest": {
			files: map[string]string{"package.json": `{"scripts":{"test":"react-scripts test"}}`},
			want:  []string{". jest "},
		},
		"pytest.ini":   {files: map[string]string{"pytest.ini": ""}, want: []string{". pytest"}},
		"pytest.toml":  {files: map[string]string{"pytest.toml": ""}, want: []string{". pytest"}},
		".pytest.toml": {files: map[string]string{".pytest.toml": ""}, want: []string{". pytest"}},
		"setup.cfg":    {files: map[string]string{"setup.cfg": "[tool:pytest]\naddopts = -q\n"}, want: []string{". pytest"}},
		"tox.ini":      {files: map[string]string{"tox.ini": "[testenv]\ncommands =\n  pytest {posargs}\n"}, want: []string{". pytest"}},
		"pyproject":    {files: map[string]string{"pyproject.toml": "[tool.pytest.ini_options]\n"}, want: []string{". pytest"}},
		"pytest 9":     {files: map[string]string{"pyproject.toml": "[tool.pytest]\ntestpaths = [\"tests\"]\n"}, want: []string{". pytest"}},
		"conftest":     {files: map[string]string{"conftest.py": ""}, want: []string{". pytest"}},
		"requirement":  {files: map[string]string{"requirements-dev.txt": "PyTest>=7 # tests\n"}, want: []string{". pytest"}},
		"not pytest":   {files: map[string]string{"requirements.txt": "pytest-of-another-name\nrequests\n", "setup.cfg": "[metadata]\nname = x\n"}},
		"poetry":       {files: map[string]string{"pyproject.toml": "[tool.poetry.group.dev.dependencies]\npytest = \"^8\"\n"}, want: []string{". pytest"}},
		"python below python": {
			files: map[string]string{
				"pyproject.toml": "[tool.pytest.ini_options]\n", "tests/conftest.py": "", "tests/deep/conftest.py": "",
			},
			want: []string{". pytest"},
		},
		"python below its testpaths": {
			files: map[string]string{
				"pyproject.toml": "[tool.pytest.ini_options]\ntestpaths = \"testing more\"\n", "testing/conftest.py": "", "testing/test_a.py": "", "more/deep/test_a.py": "", "more/deep/conftest.py": "",
			},
			want: []string{". pytest"},
		},
		"python packages side by side": {
			files: map[string]string{
				"pyproject.toml": "[tool.pytest.ini_options]\ntestpaths = [\"tests\"]\n", "libs/a/pyproject.toml": "[tool.pytest.ini_options]\n",
			},
			want: []string{". pytest", "libs/a pytest"},
		},
		"go module and tools without tests": {
			files: map[string]string{"go.mod": "module x\n", "tools/go.mod": "module x/tools\n", "sub/go.mod": "module x/sub\n", "sub/a_test.go": "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {}\n",
				"benchmarks/go.mod": "module x/benchmarks\n", "benchmarks/a_test.go": "package a\n\nimport \"testing\"\n\nfunc BenchmarkA(b *testing.B) {}\n"},
			want: []string{". gotest", "sub gotest"},
		},
		"go workspace is one run": {
			files: map[string]string{
				"go.work": "go 1.22\nuse (\n\t./a\n\t./b\n)\n", "a/go.mod": "module a\n", "a/a_test.go": "", "b/go.mod": "module b\n", "b/b_test.go": "",
			},
			want: []string{". gotest"},
		},
		"below a directory": {
			files: map[string]string{"go.mod": "module x\n", "web/package.json": `{"scripts":{"test":"mocha"}}`},
			in:    "web",
			want:  []string{"web mocha "},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found, err := Detect(fixture.Files(t, c.files), c.in)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range found {
				dir := d.Dir
				if dir == "" {
					dir = "."
				}
				line := dir + " " + d.Framework
				if d.Framework != "pytest" && d.Framework != "gotest" { // their version is this machine's
					line += " " + d.Version
				}
				got = append(got, line)
				if len(d.Evidence) == 0 {
					t.Errorf("%s without evidence", line)
				}
				if !d.Installed && d.Hint.Cause == "" {
					t.Errorf("%s is not installed and has no hint", line)
				}
				if !d.Coverage && d.CoverageHint == "" {
					t.Errorf("%s measures no coverage and has no hint", line)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("Detect (-want +got):\n%s", diff)
			}
		})
	}
}

func TestGoTestsApart(t *testing.T) {
	t.Parallel()
	base := map[string]string{"go.mod": "module example.com/x\n", "a/a.go": "package a\n"}
	tests := "\nfunc TestB(*testing.T) {}\n"
	for test, want := range map[string]int{
		"package b\n\nimport _ \"example.com/x/a\"\n" + tests: 1, // covers another package
		"package b\n\nimport _ \"example.com/x/a\"\n":         0, // benchmarks only
		"package b\n\nimport _ \"testing\"\n" + tests:         0,
		"package b\n\nimport _ \"example.com/xa\"\n" + tests:  0,
		"package": 0,
	} {
		files := maps.Clone(base)
		files["b/b_test.go"] = test
		found, err := Detect(fixture.Files(t, files), "")
		if err != nil || len(found) != 1 || len(found[0].Sources) != want {
			t.Errorf("%q: %+v, %v", test, found, err)
		}
	}
}

func TestDetectRefuses(t *testing.T) {
	t.Parallel()
	dir := fixture.Files(t, map[string]string{"go.mod": "module x\n"})
	for in, want := range map[string]string{"..": "outside the repository", "/etc": "outside the repository", "nowhere": "not a directory", "go.mod": "not a directory"} {
		if _, err := Detect(dir, in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Detect(%q) = %v, want %q", in, err, want)
		}
	}
	if _, err := Detect(filepath.Join(dir, "none"), ""); err == nil {
		t.Error("a missing root is no error")
	}
}

func TestDetectStaysInside(t *testing.T) {
	t.Parallel()
	outside := fixture.Files(t, map[string]string{"pytest.ini": "", "package.json": `{"scripts":{"test":"jest"}}`})
	dir := fixture.Files(t, map[string]string{"README.md": ""})
	for link, to := range map[string]string{"pytest.ini": filepath.Join(outside, "pytest.ini"), "package.json": filepath.Join(outside, "package.json"), "sub": outside} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	found, err := Detect(dir, "")
	if err != nil || len(found) != 0 {
		t.Errorf("Detect followed links out of the repository: %+v, %v", found, err)
	}
}

// A runner without an adapter is a dependency as well: where none are installed,
// a report is not what it lacks.
func TestAnUnknownRunnerThatIsNotInstalledSaysSo(t *testing.T) {
	t.Parallel()
	for bin, want := range map[string]string{"": "run: npm install", "node_modules/.bin/uvu": "test-report"} {
		files := map[string]string{"package.json": `{"scripts":{"test":"uvu"},"devDependencies":{"uvu":"^0.5"}}`}
		if bin != "" {
			files[bin] = ""
		}
		found, err := Detect(fixture.Files(t, files), "")
		if err != nil || len(found) != 1 || !strings.Contains(found[0].Hint.String(), want) {
			t.Errorf("%+v, %v, want %q", found, err, want)
		}
	}
}

// borp is told our reporter beside what it would print.
func TestBorpIsToldItsReporter(t *testing.T) {
	t.Parallel()
	found, err := Detect(fixture.Files(t, map[string]string{
		"package.json":                   `{"scripts":{"test":"borp --coverage -X 'a/**' --reporter=tap 'test/*.js' -c 1"},"devDependencies":{"borp":"1"}}`,
		"node_modules/borp/package.json": `{"version":"1.0.0","bin":{"borp":"borp.js"}}`,
	}), "")
	if err != nil || len(found) != 1 {
		t.Fatalf("%+v, %v", found, err)
	}
	inv, err := javascript.Nodetest.Invocation(found[0], adapter.Request{OutDir: "/out"})
	want := "node node_modules/borp/borp.js --reporter=/out/trace/qa_nodetest.mjs --reporter=spec test/*.js -c 1"
	if got := strings.Join(inv.Argv, " "); err != nil || got != want {
		t.Errorf("%s, %v", got, err)
	}
}

func TestInstallHints(t *testing.T) {
	t.Parallel()
	js := `{"scripts":{"test":"mocha"},"devDependencies":{"mocha":"11"}}`
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"npm":          {map[string]string{"package.json": js, "package-lock.json": "{}"}, "run: npm ci"},
		"pnpm":         {map[string]string{"package.json": js, "pnpm-lock.yaml": ""}, "run: pnpm install --frozen-lockfile"},
		"yarn classic": {map[string]string{"package.json": js, "yarn.lock": ""}, "run: yarn install --frozen-lockfile"},
		"yarn":         {map[string]string{"package.json": js, "yarn.lock": "", ".yarnrc.yml": ""}, "run: yarn install --immutable"},
		"not listed":   {map[string]string{"package.json": `{"scripts":{"test":"mocha"}}`}, "package.json does not list it; run: npm install --save-dev mocha"},
		"no lockfile":  {map[string]string{"package.json": js}, "run: npm install"},
		"python extra": {map[string]string{"pyproject.toml": "[project.optional-dependencies]\ntest = [\"pytest\"]\n", ".venv/pyvenv.cfg": "", ".venv/bin/python": ""}, "pip install -e '.[test]'"},
		"python group": {map[string]string{"pyproject.toml": "[dependency-groups]\ndev = [\"pytest\"]\n", ".venv/pyvenv.cfg": "", ".venv/bin/python": ""}, "pip install --group dev"},
		"requirements": {map[string]string{"requirements/test.txt": "pytest\n", "setup.py": "", ".venv/pyvenv.cfg": "", ".venv/bin/python": ""}, "pip install -r requirements/test.txt"},
		"uv":           {map[string]string{"pytest.ini": "", "uv.lock": "", ".venv/pyvenv.cfg": "", ".venv/bin/python": ""}, "run: uv sync"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found, err := Detect(fixture.Files(t, c.files), "")
			if err != nil || len(found) == 0 {
				t.Fatalf("Detect = %v, %v", found, err)
			}
			if found[0].Installed || !strings.Contains(found[0].Hint.String(), c.want) {
				t.Errorf("hint %q, want %q", found[0].Hint, c.want)
			}
		})
	}
}
