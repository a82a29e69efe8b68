package framework

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/framework/golang"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/framework/python"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// djangoManage is the program that Django gives every project.
const djangoManage = "import sys\n\ndef main():\n    from django.core.management import execute_from_command_line\n    execute_from_command_line(sys.argv)\n"

// look finds what a repository of these files has; scripts is short for a
// package.json with them.
func look(t *testing.T, files map[string]string, only string) Found {
	t.Helper()
	found, err := Find(project.Here(), fixture.Files(t, files), "", only)
	assert.NilError(t, err)
	return found
}

// target writes a detection as "dir (leaf) framework: command", with what comes
// before it.
func target(d adapter.Detection) string {
	out := fmt.Sprintf("%s (%s) %s:", path.Join(".", d.Dir), d.Leaf, d.Framework)
	if len(d.Env) > 0 {
		out += " [" + strings.Join(d.Env, " ") + "]"
	}
	program := project.BareProgram(d.Program)
	switch {
	case d.Framework == Command.Name:
		out += " " + strings.Join(program, " ")
	case d.Framework == python.Pytest.Name:
		out += " " + strings.Join(append(slices.Clone(d.Args), d.Paths...), " ")
	case d.Framework == golang.Gotest.Name:
		out += " " + strings.Join(append(slices.Clone(d.Args), d.Packages...), " ")
	default:
		out += " " + strings.Join(d.Args, " ")
	}
	out = strings.TrimSpace(out)
	for _, b := range d.Before {
		out += " < " + strings.Join(b, " ")
	}
	for flag, set := range map[string]bool{" browser": d.Browser, " exit code": d.ExitOnly && !d.Browser} {
		if set {
			out += flag
		}
	}
	return out
}

func TestFind(t *testing.T) {
	t.Parallel()
	type m = map[string]string
	pkg := func(scripts string) string { return `{"scripts":{` + scripts + `}}` }
	for name, c := range map[string]struct {
		files  m
		only   string
		want   []string
		checks []string
		notes  []string // parts of "what: why"
	}{
		"two runners are two targets": {
			files: m{"package.json": pkg(`"test":"node --test && jest"`)},
			want:  []string{". (node --test) nodetest:", ". (jest) jest:"},
		},
		"one runner four times": {
			files: m{"package.json": pkg(`"test":"TZ=UTC jest date && TZ=Asia/Tokyo jest date && jest && jest"`)},
			want:  []string{". (jest TZ=UTC) jest: [TZ=UTC] date", ". (jest TZ=Asia/Tokyo) jest: [TZ=Asia/Tokyo] date", ". (jest) jest:"},
		},
		"a task of deno.json with more than deno test": {
			files:  m{"deno.json": `{"tasks": {"test": "deno lint && deno test --doc src && deno test -A e2e && node own.js", "test:watch": "deno test --watch"}}`},
			want:   []string{". (deno) deno: --doc src", ". (deno 2) deno: -A e2e", ". (node own.js) command: node own.js exit code"},
			checks: []string{"test: deno lint"},
		},
		"tasks of deno.json that are called like tests": {
			files: m{"deno.jsonc": `{"tasks": {"test:unit": "deno test unit", "test:node": {"command": "node --test", "dependencies": ["build"]}, "build": "deno run -A build.ts", "start": "deno run x.ts"}}`},
			want:  []string{". (test:unit) deno: unit", ". (test:node) nodetest: < deno run -A build.ts"},
		},
		"deno.json beside package.json": {
			files: m{"package.json": pkg(`"test":"vitest run"`), "deno.json": `{"tasks": {"test": "deno test --no-check"}}`},
			want:  []string{". (vitest) vitest:", ". (deno) deno: --no-check"},
		},
		"another way in deno.json to run the tests": {
			files: m{"package.json": pkg(`"test":"vitest run"`), "deno.json": `{"tasks": {"test": "deno run -A npm:vitest"}}`},
			want:  []string{". (test) vitest:"}, notes: []string{". deno.json: its task test is not run, as package.json has test scripts: deno run -A npm:vitest"},
		},
		"deno by the script of package.json": {
			files: m{"package.json": pkg(`"test":"deno task unit"`), "deno.json": `{"tasks": {"unit": "deno test && mocha"}}`},
			want:  []string{". (deno) deno:", ". (mocha) mocha:"},
		},
		"leaves have the names of their variables": {
			files: m{"package.json": pkg(`"test":"A=1 TZ=UTC npm run a && A=1 TZ=UTC npm run b && A=1 npm run a && A=1 jest","a":"jest a","b":"jest b"`)},
			want:  []string{". (a TZ=UTC) jest: [A=1 TZ=UTC] a", ". (b TZ=UTC) jest: [A=1 TZ=UTC] b", ". (a) jest: [A=1] a", ". (test) jest: [A=1]"},
		},
		"leaves have the names of their scripts": {
			files: m{"package.json": pkg(`"test":"run-s test:*","test:a":"vitest run","test:b":"mocha b"`)},
			want:  []string{". (test:a) vitest:", ". (test:b) mocha: b"},
		},
		"checks, builds, tests": {
			files:  m{"package.json": pkg(`"test":"eslint . && npm run build && tsc --noEmit && ava --tap && rollup -c","build":"NODE_ENV=x tsup && cp a b > c"`)},
			want:   []string{". (test) ava: < env NODE_ENV=x tsup < sh -c cp a b > c"},
			checks: []string{"test: eslint .", "test: tsc --noEmit", "test: rollup -c"},
		},
		"no suite in test": {
			files:  m{"package.json": pkg(`"test":"eslint .","test:unit":"mocha","unit":"mocha lib"`)},
			want:   []string{". (test:unit) mocha:", ". (unit) mocha: lib"},
			checks: []string{"test: eslint ."},
		},
		"a configuration no script runs": {
			files: m{"package.json": pkg(`"test":"ava"`), "jest.config.js": "", "node_modules/.bin/ava": ""},
			want:  []string{". (test) ava:"}, notes: []string{". jest: jest.config.js, and no test script runs it"},
		},
		"a framework by its name": {
			files: m{"package.json": pkg(`"test":"ava && mocha"`), "jest.config.js": ""}, only: "jest", want: []string{". (jest) jest:"},
		},
		"a framework's leaf by its name": {
			files: m{"package.json": pkg(`"test":"ava && mocha lib"`)}, only: "mocha", want: []string{". (test) mocha: lib"},
		},
		"a browser": {
			files: m{"package.json": pkg(`"test":"mocha && karma start && vitest --browser.enabled"`)},
			want:  []string{". (mocha) mocha:", ". (karma) command: karma start browser", ". (vitest) vitest: --browser.enabled browser"},
		},
		"node's runner with patterns, behind c8 and piped": {
			files: m{"package.json": pkg(`"test":"c8 node --test --test-reporter=tap 'a b'*.js | tap-dot"`)},
			want:  []string{". (test) nodetest: a b*.js"},
		},
		"a root that delegates": {
			files: m{
				"package.json": `{"workspaces":["packages/*"],"scripts":{"test":"npm run build && turbo run test","build":"tsc -b"},"devDependencies":{"vitest":"3"}}`, "vitest.config.ts": "",
				"packages/a/package.json": pkg(`"pretest":"rollup -c","test":"node own.js"`), "packages/b/package.json": pkg(`"test":"vitest run"`),
			},
			want: []string{
				"packages/a (test) command: node own.js < sh -c cd ../.. && exec tsc -b < rollup -c exit code",
				"packages/b (test) vitest: < sh -c cd ../.. && exec tsc -b",
			},
		},
		"a root that delegates to nobody": {
			files: m{"package.json": pkg(`"test":"lerna run test"`), "packages/a/package.json": "{}"},
			want:  []string{". (command) command: npm test exit code"},
		},
		"a script of another name in the packages": {
			files: m{"package.json": pkg(`"test":"pnpm -r run verify"`), "packages/a/package.json": pkg(`"verify":"mocha"`)},
			want:  []string{"packages/a (verify) mocha:"},
		},
		"two packages of one name": {
			files: m{
				"package.json": pkg(`"test":"yarn workspaces foreach run test"`), "a/package.json": `{"name":"x","scripts":{"test":"mocha"}}`, "b/package.json": `{"name":"x","scripts":{"test":"ava"}}`,
			},
			want: []string{"a (test) mocha:", "b (test) ava:"},
		},
		"a part run from the root does not cover the packages": {
			files: m{"package.json": pkg(`"test":"jest unit"`), "a/package.json": pkg(`"test":"jest"`), "b/package.json": pkg(`"test":"jest"`)},
			want:  []string{". (test) jest: unit", "a (test) jest:", "b (test) jest:"},
		},
		"run in a folder, which has a script, too": {
			files: m{"package.json": pkg(`"test":"cd a && jest"`), "a/package.json": pkg(`"test":"jest"`), "a/jest.config.js": ""},
			want:  []string{"a (test) jest:"},
		},
		"jest's and vitest's patterns": {
			files: m{"package.json": pkg(`"test":"jest src/**/*.a.js && vitest run lib/*.js"`)},
			want:  []string{`. (jest) jest: src/(?:.*/)?[^/]*\.a\.js`, ". (vitest) vitest: lib/"},
		},
		"two languages": {
			files: m{"package.json": pkg(`"test":"mocha"`), "go.mod": "module x\n", "a_test.go": "", "requirements.txt": "pytest\n"},
			want:  []string{". (test) mocha:", ". (gotest) gotest: ./..."},
		},
		"two languages in one script": {
			files: m{"package.json": pkg(`"test":"mocha && go test -race -v ./a/... && python -m pytest -x -m 'not slow' tests"`), "go.mod": "module x\n", "a_test.go": "", "pytest.ini": "", "tests/test_a.py": ""},
			want:  []string{". (mocha) mocha:", ". (go) gotest: -race ./a/...", ". (pytest) pytest: -m not slow tests"},
		},
		"tox": {
			files: m{"tox.ini": "[tox]\nenvlist = py{312,313}, docs, types\n[testenv]\ncommands =\n  coverage run -m pytest -n auto --strict-markers {posargs}\n  coverage report\n[testenv:docs]\ncommands = sphinx-build a b\n[testenv:types]\ncommands = mypy src\n", "pyproject.toml": "[tool.pytest.ini_options]\n"},
			want:  []string{". (tox) pytest: [PYTHONHASHSEED=1] --strict-markers"}, checks: []string{"tox: coverage report", "docs: sphinx-build a b", "types: mypy src"},
		},
		"what tox runs after its tests": {
			files: m{"tox.ini": "[testenv]\ncommands = pytest\ncommands_post =\n  - python other.py\n  coverage report\n  python check.py\n", "pyproject.toml": "[tool.pytest.ini_options]\n", "check.py": "", "other.py": ""},
			want:  []string{". (pytest) pytest:", ". (python check.py) command: python3 check.py exit code"}, checks: []string{"tox: python other.py", "tox: coverage report"},
		},
		"tox for several interpreters": {
			files: m{"tox.ini": "[tox]\nenvlist = py{310,311}-{a,b}, py39-old, lint\n[testenv]\ncommands =\n  a: pytest a\n  b: pytest b\n  old: nosetests\n[testenv:py310-a]\ncommands = pytest more\n[testenv:lint]\ncommands = ruff check\n", "pyproject.toml": "", ".venv/pyvenv.cfg": "", ".venv/bin/python": "", ".venv/lib/python3.11/site-packages/x": ""},
			want:  []string{". (pytest) pytest: a", ". (pytest 2) pytest: b"}, checks: []string{"lint: ruff check"},
			notes: []string{"script tox: environments of tox for other interpreters than 3.11 are not run: py310-a, py310-b, py39-old"},
		},
		"Django by a program that names the command": {
			files: m{"tox.ini": "[testenv]\ncommands = coverage run --source x ./runtests.py --testrunner y\n", "runtests.py": "import sys\nfrom django.core.management import execute_from_command_line\n\nexecute_from_command_line(sys.argv[:1] + ['test'] + sys.argv[1:])\n"},
			want:  []string{". (tox) unittest: ./runtests.py --testrunner y"},
		},
		"Django by the runner of its settings": {
			files: m{"tox.ini": "[testenv]\ncommands = python runtests.py\n", "runtests.py": "import django\nfrom django.test.utils import get_runner\n\ndjango.setup()\nget_runner(settings)().run_tests(['tests'])\n"},
			want:  []string{". (tox) unittest: runtests.py"},
		},
		"Django by its own command": {
			files: m{"tox.ini": "[testenv]\ncommands = python -W error -m coverage run -m django test --settings x.y\n"},
			want:  []string{". (tox) unittest: [PYTHONWARNINGS=error] -m django test --settings x.y"},
		},
		"Django by manage.py": {
			files: m{"tox.ini": "[testenv]\ncommands = python manage.py test shop\n", "manage.py": djangoManage},
			want:  []string{". (tox) unittest: manage.py test shop"},
		},
		"Django by manage.py for something else": {
			files: m{"tox.ini": "[testenv]\ncommands = python manage.py loadtest\n", "manage.py": "from django.core.management import execute_from_command_line\nexecute_from_command_line()\n"},
			want:  []string{". (tox) command: python3 manage.py loadtest exit code"},
		},
		"a package of configuration, which has the runner and no tests": {
			files: m{"config/package.json": `{"devDependencies":{"vitest":"3"}}`, "config/base.ts": "", "web/package.json": `{"devDependencies":{"jest":"29"}}`, "web/__tests__/a.js": ""},
			want:  []string{"web (jest) jest:"},
		},
		"requirements in a folder": {
			files: m{"web/package.json": pkg(`"test":"vitest run"`), "api/requirements.txt": "Flask==3.0\npytest==8.3\n", "api/tests/test_app.py": ""},
			want:  []string{"api (pytest) pytest:", "web (test) vitest:"},
		},
		"requirements of unittest in a folder": {
			files: m{"web/package.json": pkg(`"test":"vitest run"`), "api/requirements.txt": "Flask==3.0\n", "api/test_app.py": "import unittest\n\nclass A(unittest.TestCase):\n  pass\n"},
			want:  []string{"api (unittest) unittest:", "web (test) vitest:"},
		},
		"requirements of other things in a folder": {
			files: m{"pyproject.toml": "[tool.pytest.ini_options]\n", "tests/test_a.py": "", "tests/requirements.txt": "pytest\n", "docs/requirements.txt": "pytest\nsphinx\n"},
			want:  []string{". (pytest) pytest:"},
		},
		"Django that says nothing else": {
			files: m{"manage.py": djangoManage, "requirements.txt": "Django==5.1\n", "shop/tests.py": "from django.test import TestCase\n"},
			want:  []string{". (unittest) unittest: manage.py test"},
		},
		"Django in a folder": {
			files: m{"web/package.json": `{"scripts": {"test": "vitest run"}}`, "api/manage.py": djangoManage, "api/shop/tests/test_views.py": "from django.test import TestCase\n"},
			want:  []string{"api (unittest) unittest: manage.py test", "web (test) vitest:"},
		},
		"Django beside a pytest that is only named": {
			files: m{"manage.py": djangoManage, "requirements.txt": "Django==5.1\npytest\n", "shop/tests.py": "from django.test import TestCase\n"},
			want:  []string{". (unittest) unittest: manage.py test"},
		},
		"Django by pytest": {
			files: m{"manage.py": djangoManage, "requirements.txt": "Django==5.1\npytest\npytest-django\n", "shop/test_views.py": "from django.test import TestCase\n"},
			want:  []string{". (pytest) pytest:"},
		},
		"Django by pytest that is configured": {
			files: m{"manage.py": djangoManage, "pytest.ini": "[pytest]\nDJANGO_SETTINGS_MODULE = shop.settings\n", "shop/test_views.py": "from django.test import TestCase\n"},
			want:  []string{". (pytest) pytest:"},
		},
		"Django without tests": {
			files: m{"manage.py": djangoManage, "shop/views.py": ""},
		},
		"manage.py of something else": {
			files: m{"manage.py": "from flask_script import Manager\n", "shop/tests.py": ""},
		},
		"nose2": {
			files: m{"tox.ini": "[testenv]\ncommands = coverage run -m nose2 -v\n"},
			want:  []string{". (tox) unittest: -m nose2 -v"},
		},
		"nose2 by its name": {
			files: m{"tox.ini": "[testenv]\ncommands = nose2 -s tests\n", "tests/test_a.py": "import unittest\n\nclass A(unittest.TestCase):\n  pass\n"},
			want:  []string{". (tox) unittest: -m nose2 -s tests"},
		},
		"unittest by tox": {
			files: m{"pyproject.toml": "[tool.tox]\nenv_list = [\"3.12\"]\n[tool.tox.env_run_base]\ncommands = [[\"python\", \"-m\", \"unittest\", \"discover\"]]\n"},
			want:  []string{". (tox) unittest:"},
		},
		"legacy tox in pyproject": {
			files: m{"pyproject.toml": "[tool.tox]\nlegacy_tox_ini = \"\"\"\n[testenv]\ncommands = py.test a\n\"\"\"\n"},
			want:  []string{". (tox) pytest: a"},
		},
		"nox": {
			files: m{"noxfile.py": "@nox.session\ndef tests(session):\n    session.run('pytest')\n@nox.session\ndef docs(session):\n    session.run('make', 'html')\n", "pyproject.toml": ""},
			want:  []string{". (tests) pytest:"}, checks: []string{"docs: make html"},
		},
		"hatch": {
			files: m{"pyproject.toml": "[tool.hatch.envs.default.scripts]\ntest = \"pytest {args:tests}\"\n"}, want: []string{". (test) pytest: tests"},
		},
		"a Makefile that runs more": {
			files: m{"pytest.ini": "", "tests/test_a.py": "", "Makefile": "test: unit\n\tpytest tests\nunit:\n\tpython -m unittest discover -s checks\n\truff check .\n"},
			want:  []string{". (pytest) pytest:"}, checks: []string{"unit: unittest discover -s checks", "unit: ruff check ."},
		},
		"a Makefile that runs more of the same": {
			files: m{"go.mod": "module x\n", "a_test.go": "", "Makefile": "test:\n\tgo test -v -tags more ./...\n"},
			want:  []string{". (gotest) gotest: -tags more ./..."},
		},
		"a Makefile that sets a variable for the same": {
			files: m{"pytest.ini": "", "test_a.py": "", "Makefile": "test:\n\tSHOP=1 pytest -q .\n"},
			want:  []string{". (test) pytest: [SHOP=1] ."},
		},
		"a Makefile that runs some of the same": {
			files: m{"go.mod": "module x\n", "a_test.go": "", "Makefile": "test:\n\tgo test -short ./...\n"},
			want:  []string{". (gotest) gotest: ./..."}, notes: []string{"make test: go test -short ./...: its target test runs it"},
		},
		"a Makefile that runs it with options": {
			files: m{"pytest.ini": "", "test_a.py": "", "Makefile": "test:\n\tpytest -W error\n"},
			want:  []string{". (pytest) pytest:"}, checks: []string{"test: pytest -W error"},
		},
		"a Makefile that only make reads": {
			files: m{"go.mod": "module x\n", "a_test.go": "", "Makefile": "test:\n\t$(GO) test $(shell go list ./...)\n"},
			want:  []string{". (gotest) gotest: ./..."}, notes: []string{"make test: only that tool can read"},
		},
		"a Makefile of which make alone reads more": {
			files: m{"go.mod": "module x\n", "a_test.go": "", "Makefile": "test: x.ok\n\tgo test $(shell go list ./... | grep -v y)\n%.ok: %.go\n\t./own\n"},
			want:  []string{". (gotest) gotest: ./..."}, checks: []string{"test: make test"},
		},
		"a Makefile beside a package.json of another language": {
			files: m{"package.json": pkg(`"test":"mocha"`), "pytest.ini": "", "test_a.py": "", "Makefile": "test:\n\tnpm test\n\tpytest\n\tpython3 own.py\n"},
			want:  []string{". (test) mocha:", ". (pytest) pytest:"}, checks: []string{"test: python3 own.py"},
		},
		"poe": {
			files: m{"pytest.ini": "", "test_a.py": "", "pyproject.toml": "[tool.poe.tasks]\nlint = \"ruff check\"\ntest = [\"lint\", \"unit\"]\nunit = {cmd = \"pytest\", help = \"x\"}\n"},
			want:  []string{". (pytest) pytest:"}, checks: []string{"lint: ruff check"},
		},
		"pdm": {
			files: m{"pytest.ini": "", "test_a.py": "", "pyproject.toml": "[tool.pdm.scripts]\nlint = \"ruff check\"\ntest = {composite = [\"lint\", \"pytest\"]}\n"},
			want:  []string{". (pytest) pytest:"}, checks: []string{"lint: ruff check"},
		},
		"a Taskfile": {
			files: m{"pytest.ini": "", "test_a.py": "", "Taskfile.yml": "tasks:\n  test:\n    deps: [lint]\n    cmds:\n      - task: own\n      - pytest {{.CLI_ARGS}}\n      - cmd: ./never\n        ignore_error: true\n  lint: ruff check\n  own:\n    - ./own-tests\n"},
			want:  []string{". (pytest) pytest:"}, checks: []string{"lint: ruff check", "own: ./own-tests", "test: ./never"},
		},
		"a Taskfile that only task reads": {
			files: m{"pytest.ini": "", "test_a.py": "", "Taskfile.yml": "tasks:\n  test:\n    cmds:\n      - ./x {{.NAME}}\n"},
			want:  []string{". (pytest) pytest:"}, checks: []string{"test: task test"},
		},
		"a Makefile that runs the same": {files: m{"go.mod": "module x\n", "a_test.go": "", "Makefile": "test:\n\tgo test -v ./...\n"}, want: []string{". (gotest) gotest: ./..."}},
		"itself":                        {files: m{"package.json": pkg(`"test":"npm test"`)}, notes: []string{`script test: script "test" runs itself`}},
		"byte order mark, odd values": {
			files: m{"package.json": "\xef\xbb\xbf" + `{"scripts":{"test":"mocha","x":1},"jest":3}`}, want: []string{". (test) mocha:"}, notes: []string{". jest: "},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := look(t, c.files, c.only)
			var got []string
			for _, d := range found.Detections {
				got = append(got, target(d))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("detections (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.checks, texts(found.Checks)); diff != "" {
				t.Errorf("checks (-want +got):\n%s", diff)
			}
			for _, want := range c.notes {
				if !slices.ContainsFunc(found.Notes, func(n Note) bool { return strings.Contains(n.What+": "+n.Why, want) }) {
					t.Errorf("no note %q in %q", want, found.Notes)
				}
			}
		})
	}
}

// TestFilters: packages that a filter leaves out are not run, and what a filter
// leaves open is left to the tool.
func TestFilters(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"turbo run test":                                      "a b c",
		"turbo run test --filter=@s/a":                        "a",
		"turbo run test --filter a --filter ./b":              "a b",
		"turbo run test -F ./pa* --filter='{b}'":              "itself",
		"turbo run test --filter=./packages/*":                "itself",
		"turbo run test --filter=!@s/c":                       "a b",
		"turbo run test --filter=a...":                        "itself",
		"turbo run test --filter=[HEAD^1]":                    "itself",
		"lerna run test --scope '@s/*'":                       "a b c",
		"lerna run test --scope=@s/a --ignore @s/c":           "a",
		"lerna run test --ignore=@s/b":                        "a c",
		"lerna run test --scope={a,b}":                        "itself",
		"lerna run test --scope=none":                         "itself",
		"pnpm --filter a test":                                "a",
		"pnpm --filter './**' test":                           "a b c",
		"pnpm -r --filter=!./b run test":                      "a c",
		"pnpm --filter ^a test":                               "itself",
		"pnpm --filter=$PKG test":                             "itself",
		"npm test --workspace=a -w c":                         "a c",
		"npm run test -w @s/b":                                "b",
		"yarn workspace @s/c test":                            "c",
		"yarn workspaces foreach -pA --exclude @s/b run test": "a c",
		"lerna run test --ignore b":                           "a b c",
		"yarn workspaces foreach --include @s/b run test":     "b",
		"bun --filter '*' test":                               "a b c",
		"nx run-many -t test --projects=a,c":                  "a c",
		"nx run-many -t test -p a b":                          "a b",
		"nx run-many -t lint test":                            "a b c",
		"nx run-many --target=test --exclude=@s/a":            "b c",
		"nx run-many -t test -p tag:x":                        "itself",
		"nx test b":                                           "b",
		"nx run c:test":                                       "c",
		"nx test other":                                       "b",
	} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			script, err := json.Marshal(line)
			assert.NilError(t, err)
			files := map[string]string{"package.json": `{"scripts":{"test":` + string(script) + `}}`, "b/project.json": `{"name":"other"}`}
			for _, name := range []string{"a", "b", "c"} {
				files[name+"/package.json"] = `{"name":"@s/` + name + `","scripts":{"test":"mocha"},"devDependencies":{"mocha":"1"}}`
			}
			var got []string
			for _, d := range look(t, files, "").Detections {
				if d.Dir == "" {
					got = append(got, "itself")
				} else if !slices.Contains(got, "itself") {
					got = append(got, d.Dir)
				}
			}
			if got := strings.Join(got, " "); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

// TestFollow: the user's own command leads to what a script would lead to; where
// it leads nowhere, it is run as it stands.
func TestFollow(t *testing.T) {
	t.Parallel()
	type m = map[string]string
	for name, c := range map[string]struct {
		line  string
		files m
		want  []string
	}{
		"make":             {"make test", m{"Makefile": "test: a\n\tgo test ./...\na:\n\tpython -m unittest\n", "go.mod": "module x\n", "a_test.go": ""}, []string{". (a) unittest:", ". (test) gotest: ./..."}},
		"just":             {"just test", m{"justfile": "test:\n    go test -race ./...\n", "go.mod": "module x\n"}, []string{". (test) gotest: -race ./..."}},
		"nox":              {"nox -s a", m{"noxfile.py": "@nox.session\ndef a(session):\n    session.run('python', '-m', 'unittest')\n"}, []string{". (a) unittest:"}},
		"packages":         {"npm test --workspaces", m{"package.json": `{"workspaces":["a","b"]}`, "a/package.json": `{"scripts":{"test":"node --test x"}}`, "b/package.json": `{"scripts":{"test":"node --test y"}}`}, []string{"a (test) nodetest: x", "b (test) nodetest: y"}},
		"a runner":         {"node --test", m{"package.json": "{}"}, []string{". (nodetest) nodetest:"}},
		"its options":      {"go test -race -run 'A|B' ./a ./b/...", m{"go.mod": "module x\n"}, []string{". (gotest) gotest: -race -run A|B ./a ./b/..."}},
		"own and a runner": {"node --test && ./own", m{"package.json": "{}"}, nil},
		"a program":        {"./own", m{"package.json": "{}"}, nil},
		"a pattern":        {"make test", m{"Makefile": "%:\n\tgo test ./...\n", "go.mod": "module x\n"}, nil},
		"no such file":     {"make test", m{"a.txt": ""}, nil},
		"partly itself":    {"concurrently make:test 'node --test'", m{"package.json": "{}"}, nil},
		"not here":         {"make test", m{"Makefile": "test:\n\tjest\n", "package.json": "{}"}, nil},
		"checks, no test":  {"make lint", m{"Makefile": "lint:\n\teslint .\n"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found, err := Follow(project.Here(), fixture.Files(t, c.files), "", c.line)
			assert.NilError(t, err)
			var got []string
			for _, d := range found.Detections {
				got = append(got, target(d))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("detections (-want +got):\n%s", diff)
			}
		})
	}
}

func TestBrokenManifests(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{`{"scripts":`: "unexpected end", `["x"]`: "cannot unmarshal", "": "unexpected end", "{" + strings.Repeat(" ", folder.MaxConfig): "more than"} {
		found := look(t, map[string]string{"package.json": text, "go.mod": "module x\n", "a_test.go": ""}, "")
		if len(found.Detections) != 1 || len(found.Broken) != 1 || found.Broken[0].What != "package.json" || !strings.Contains(found.Broken[0].Why, want) {
			t.Errorf("%.20q: %+v, want %s", text, found, want)
		}
	}
}

func TestFilesThatDetectionRead(t *testing.T) {
	t.Parallel()
	found := look(t, map[string]string{
		"package.json": `{"scripts":{"test":"make t && tsc"}}`, "Makefile": "t:\n\tjest\n", "jest.config.js": "", "tsconfig.json": "{}", "README.md": "", "a/package.json": `{}`, "src/a.js": "",
	}, "")
	if diff := cmp.Diff([]string{"Makefile", "a/package.json", "jest.config.js", "package.json", "tsconfig.json"}, found.Read); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
}

// TestEvidenceHasItsLine: what a script of several lines says is shown with the line in
// which it begins.
func TestEvidenceHasItsLine(t *testing.T) {
	t.Parallel()
	type m map[string]string
	pkg := func(scripts string) string { return `{"scripts":{` + scripts + `}}` }
	for name, c := range map[string]struct {
		files m
		want  string
	}{
		"make":                  {m{"package.json": pkg(`"test":"make check"`), "Makefile": "A = b \\\n  c\n\nlint:\n\teslint .\n\ncheck: \\\n  lint\n\tmocha\n"}, `Makefile:7: "check" runs mocha`},
		"just":                  {m{"package.json": pkg(`"test":"just check"`), "justfile": "lint:\n  eslint .\n\ncheck:\n  mocha\n"}, `justfile:4: "check" runs mocha`},
		"tox":                   {m{"tox.ini": "[tox]\nenvlist = py\n\n[testenv]\ndeps = pytest\ncommands = pytest tests\n"}, `tox.ini:4: `},
		"an environment of tox": {m{"tox.ini": "[tox]\nenvlist = unit\n\n[testenv]\ndeps = pytest\n\n[testenv:unit]\ncommands = pytest tests\n"}, `tox.ini:7: `},
		"nox":                   {m{"noxfile.py": "import nox\n\n@nox.session\ndef tests(session):\n    session.run('pytest')\n", "pyproject.toml": ""}, `noxfile.py:4: `},
		"no line":               {m{"package.json": pkg(`"test":"mocha"`)}, `package.json: script "test" runs mocha`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := look(t, c.files, "")
			if len(found.Detections) != 1 || !slices.ContainsFunc(found.Detections[0].Evidence, func(e string) bool { return strings.HasPrefix(e, c.want) }) {
				t.Errorf("%+v", found.Detections)
			}
		})
	}
}
