package framework_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// Shapes that the sample projects get by small changes.

// lines gives the line count of a file in a coverage report, and fails without.
func lines(t *testing.T, o outcome, file string) qa.Count {
	t.Helper()
	fc := o.coverage.File(file)
	if fc == nil {
		t.Fatalf("no coverage of %s\n%s", file, o.tail)
	}
	return *fc.LineCount
}

func TestJestModulesWithoutConfiguredSources(t *testing.T) {
	needsTools(t)
	t.Parallel()
	repo := fixture.New(t, "jest")
	repo.Remove("src")
	repo.Write("package.json", `{"type":"module","scripts":{"test":"cross-env NODE_OPTIONS=--experimental-vm-modules jest"},"devDependencies":{"jest":"^30"},
		"jest":{"transform":{},"coverageThreshold":{"global":{"lines":100}}}}`)
	repo.Write("src/sum.js", "export const sum = (a, b) => a + b\n")
	repo.Write("src/never.js", "export function never(a) {\n  return a\n}\n")
	repo.Write("test/sum.test.js", "import { sum } from '../src/sum.js'\ntest('sum', () => {\n  expect(sum(1, 2)).toBe(3)\n})\n")
	d := detect(t, repo.Dir, "", "jest")
	o := run(t, repo.Dir, d, adapter.Request{Coverage: true})
	if o.exit != 0 || o.tally.Passed != 1 {
		t.Fatalf("exit code %d, %+v\n%s", o.exit, o.tally, o.tail)
	}
	if n := lines(t, o, "src/never.js"); n.Covered != 0 || n.Total != 1 {
		t.Errorf("a file without tests counts %+v", n)
	}
	if o.suite.Cases[0].Line != 2 {
		t.Errorf("line of the test is %d, want 2", o.suite.Cases[0].Line)
	}
	if len(o.coverage.Files) != 2 {
		t.Errorf("%d files are measured, want the two sources", len(o.coverage.Files))
	}
}

func TestVitestWithoutConfiguration(t *testing.T) {
	needsTools(t)
	t.Parallel()
	repo := fixture.New(t, "vitest")
	repo.Remove("vitest.config.ts")
	repo.Write("src/never.ts", "export function never(a: number) {\n  return a\n}\n")
	o := run(t, repo.Dir, detect(t, repo.Dir, "", "vitest"), adapter.Request{Coverage: true})
	if o.exit != 0 || o.tally.Passed != 11 {
		t.Fatalf("exit code %d, %+v\n%s", o.exit, o.tally, o.tail)
	}
	if n := lines(t, o, "src/never.ts"); n.Covered != 0 || n.Total == 0 {
		t.Errorf("a file without tests counts %+v", n)
	}
	if len(o.coverage.Files) != 3 {
		t.Errorf("%d files are measured, want three", len(o.coverage.Files))
	}
}

func TestCoverageToolMissing(t *testing.T) {
	needsTools(t)
	t.Parallel()
	for name, c := range map[string]struct {
		remove []string
		hint   string
		passed int
	}{
		"vitest": {[]string{"node_modules/@vitest/coverage-v8"}, "run: npm ci", 11},
		"mocha":  {[]string{"node_modules/c8"}, "run: npm ci", 7},
		"pytest": {[]string{".venv/lib/python3*/site-packages/pytest_cov*", ".venv/lib/python3*/site-packages/coverage*"}, ".venv/bin/pip install -e '.[test]'", 9},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			repo := fixture.New(t, name)
			remove(t, repo, c.remove...)
			d := detect(t, repo.Dir, "", name)
			if d.Coverage || !strings.Contains(d.CoverageHint, c.hint) {
				t.Errorf("coverage %v, hint %q, want %q", d.Coverage, d.CoverageHint, c.hint)
			}
			if o := run(t, repo.Dir, d, adapter.Request{Coverage: true}); o.exit != 0 || o.tally.Passed != c.passed || o.coverage != nil {
				t.Errorf("exit code %d, %+v\n%s", o.exit, o.tally, o.tail)
			}
		})
	}
}

func remove(t *testing.T, repo *fixture.Repo, patterns ...string) {
	t.Helper()
	for _, p := range patterns {
		found, err := filepath.Glob(filepath.Join(repo.Dir, p))
		if err != nil || len(found) == 0 {
			t.Fatalf("nothing at %s, %v", p, err)
		}
		for _, f := range found {
			rel, err := filepath.Rel(repo.Dir, f)
			if err != nil {
				t.Fatal(err)
			}
			repo.Remove(rel)
		}
	}
}

func TestPytestUnderCoverage(t *testing.T) {
	needsTools(t)
	t.Parallel()
	repo := fixture.New(t, "pytest")
	remove(t, repo, ".venv/lib/python3*/site-packages/pytest_cov*")
	repo.Apply("uncovered")
	d := detect(t, repo.Dir, "", "pytest")
	if d.CoverageTool != "coverage" {
		t.Fatalf("coverage tool %q", d.CoverageTool)
	}
	o := run(t, repo.Dir, d, adapter.Request{Coverage: true})
	count, _ := patch(repo, o.coverage)
	if o.exit != 0 || o.tally.Passed != 9 || (count != qa.Count{Covered: 1, Total: 8}) {
		t.Errorf("exit code %d, %+v, patch %+v\n%s", o.exit, o.tally, count, o.tail)
	}
	repo.Apply("failing")
	if o := run(t, repo.Dir, d, adapter.Request{Coverage: true}); o.exit != 1 || o.tally.Failed != 1 || o.coverage == nil {
		t.Errorf("failing: exit code %d, %+v\n%s", o.exit, o.tally, o.tail)
	}
}

func TestPytestOwnOptions(t *testing.T) {
	needsTools(t)
	t.Parallel()
	repo := fixture.New(t, "pytest")
	repo.Write("pyproject.toml", "[tool.pytest.ini_options]\npythonpath = [\"src\"]\naddopts = \"-x -q --strict-config -p no:cacheprovider --cov=textkit --cov-report=term --cov-fail-under=100\"\n")
	repo.Write("src/textkit/never.py", "def never():\n    return 1\n")
	repo.Apply("failing")
	repo.Write("tests/test_zz.py", "def test_last():\n    pass\n")
	d := detect(t, repo.Dir, "", "pytest")
	o := run(t, repo.Dir, d, adapter.Request{Coverage: true})
	if o.exit != 1 || o.tally.Tests != 10 || o.tally.Failed != 1 || o.coverage == nil {
		t.Errorf("exit code %d, %+v\n%s", o.exit, o.tally, o.tail)
	}
	if o := run(t, repo.Dir, d, adapter.Request{}); o.tally.Tests != 10 || o.coverage != nil {
		t.Errorf("without coverage: %+v\n%s", o.tally, o.tail)
	}
}

func TestGoWorkspace(t *testing.T) {
	needsTools(t)
	t.Parallel()
	repo := fixture.Sources(t, "gotest")
	repo.Remove("cmd")
	repo.Write("go.work", "go 1.22\n\nuse (\n\t.\n\t./more\n)\n")
	repo.Write("more/go.mod", "module example.com/more\n\ngo 1.22\n")
	repo.Write("more/deep/deep.go", "package deep\n\nfunc Deep(a int) int {\n\treturn a + 1\n}\n")
	repo.Write("more/check/check_test.go", "package check\n\nimport (\n\t\"testing\"\n\n\t\"example.com/more/deep\"\n)\n\nfunc TestDeep(t *testing.T) {\n\tif deep.Deep(1) != 2 {\n\t\tt.Fatal()\n\t}\n}\n")
	repo.Write("apart/go.mod", "module example.com/apart\n\ngo 1.22\n")
	repo.Write("apart/apart_test.go", "package apart\n\nimport \"testing\"\n\nfunc TestApart(t *testing.T) {}\n")
	found, err := framework.Detect(repo.Dir, "")
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 2 || found[1].Dir != "apart" {
		t.Fatalf("found %+v, want the workspace and the module apart from it", found)
	}
	o := run(t, repo.Dir, found[0], adapter.Request{Coverage: true})
	if o.exit != 0 || o.tally.Passed != 6 {
		t.Fatalf("exit code %d, %+v\n%s", o.exit, o.tally, o.tail)
	}
	// Tests in a package of their own cover what they call.
	if n := lines(t, o, "more/deep/deep.go"); n.Covered == 0 {
		t.Errorf("deep.go counts %+v", n)
	}
	if n := lines(t, o, "clock/clock.go"); n.Covered != 0 || n.Total == 0 {
		t.Errorf("a package without tests counts %+v", n)
	}
	if o := run(t, repo.Dir, found[1], adapter.Request{Coverage: true}); o.exit != 0 || o.tally.Passed != 1 {
		t.Errorf("apart: exit code %d, %+v\n%s", o.exit, o.tally, o.tail)
	}
}

func TestStartFailuresAreExplained(t *testing.T) {
	needsTools(t)
	t.Parallel()
	for name, c := range map[string]struct {
		project string
		change  func(*fixture.Repo)
		kind    diagnosis.Kind
	}{
		"vitest without tests": {"vitest", func(r *fixture.Repo) { r.Remove("src/cart.test.ts"); r.Remove("src/money.test.ts") }, diagnosis.NoTests},
		"vitest configuration": {"vitest", func(r *fixture.Repo) { r.Write("vitest.config.ts", "export default {") }, diagnosis.Config},
		"jest without tests":   {"jest", func(r *fixture.Repo) { r.Remove("src/__tests__") }, diagnosis.NoTests},
		"jest preset": {"jest", func(r *fixture.Repo) {
			r.Write("package.json", `{"scripts":{"test":"jest"},"jest":{"preset":"ts-jest"}}`)
		}, diagnosis.Missing},
		"mocha without tests":  {"mocha", func(r *fixture.Repo) { r.Remove("test"); r.Write(".mocharc.json", "{}") }, diagnosis.NoTests},
		"mocha broken file":    {"mocha", func(r *fixture.Repo) { r.Apply("broken") }, diagnosis.Build},
		"mocha module":         {"mocha", func(r *fixture.Repo) { r.Write("test/setup.js", "import 'not-there'\n") }, diagnosis.Missing},
		"pytest without tests": {"pytest", func(r *fixture.Repo) { r.Remove("tests"); r.Write("tests/x.txt", "") }, diagnosis.NoTests},
		"pytest plugin":        {"pytest", func(r *fixture.Repo) { r.Write("pytest.ini", "[pytest]\naddopts = --not-there\n") }, diagnosis.Missing},
		"go.mod":               {"gotest", func(r *fixture.Repo) { r.Write("go.mod", "modul x\n") }, diagnosis.Config},
		"go version":           {"gotest", func(r *fixture.Repo) { r.Write("go.mod", "module example.com/when\n\ngo 1.99\n") }, diagnosis.Version},
		"jest not installed":   {"jest", func(r *fixture.Repo) { r.Remove("node_modules") }, diagnosis.Missing},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			repo := fixture.New(t, c.project)
			c.change(repo)
			o := run(t, repo.Dir, detect(t, repo.Dir, "", c.project), adapter.Request{})
			a, err := framework.For(c.project)
			if err != nil {
				t.Fatal(err)
			}
			d := a.Explain(o.exit, o.tail)
			if d.Kind != c.kind || d.Cause == "" || o.exit == 0 {
				t.Errorf("exit code %d is explained as %q: %q, want %q\n%s", o.exit, d.Kind, d, c.kind, o.tail)
			}
		})
	}
}

// mocha runs tests in its own process, and with one worker jest does: one that reads its
// command line meets the words of the script there, and none of ours.
func TestScriptTestsReadTheirCommandLine(t *testing.T) {
	needsTools(t)
	t.Parallel()
	for _, c := range []struct{ framework, needs, script, want string }{
		{"jest", "^30", "jest", "[]"},
		{"jest", "^30", "jest --bail --no-cache", `["--bail","--no-cache"]`},
		{"mocha", "^11", "mocha", "[]"},
		{"mocha", "^11", "mocha --bail --exit", `["--bail","--exit"]`},
	} {
		repo := fixture.New(t, c.framework)
		for _, name := range []string{"src", "test", ".mocharc.json"} {
			repo.Remove(name)
		}
		repo.Write("package.json", `{"scripts":{"test":"`+c.script+`"},"devDependencies":{"`+c.framework+`":"`+c.needs+`"}}`)
		repo.Write("test/line.test.js", "const assert = require('node:assert')\nit('line', () => {\n  assert.equal(JSON.stringify(process.argv.slice(2)), '"+c.want+"')\n"+
			"  assert.match(process.argv[1], /"+c.framework+"(\\.js)?$/)\n})\n")
		d := detect(t, repo.Dir, "", c.framework)
		whole := run(t, repo.Dir, d, adapter.Request{Coverage: true})
		assert.Equal(t, whole.tally, qa.Tally{Tests: 1, Passed: 1}, c.script+whole.tail)
		one := run(t, repo.Dir, d, adapter.Request{Tests: adapter.Select(whole.suite.Cases)})
		assert.Equal(t, one.tally, whole.tally, c.script+one.tail)
	}
}

// What checks types beside the tests of vitest notes nothing in the packages, which two
// trees share, and its exit code is that of the run.
func TestVitestChecksTypesOutsideOfPackages(t *testing.T) {
	needsTools(t)
	t.Parallel()
	for name, c := range map[string]struct{ script, config, checker string }{
		"script":        {"vitest run --typecheck", "", "tsc"},
		"named":         {"vitest run --typecheck --typecheck.checker=own-tsc", "", "own-tsc"},
		"configuration": {"vitest run", "typecheck: { enabled: true, checker: 'own-tsc' },", "own-tsc"},
	} {
		repo := fixture.New(t, "vitest")
		repo.Write("package.json", `{"type":"module","scripts":{"test":"`+c.script+`"},"devDependencies":{"vitest":"^4"}}`)
		repo.Write("vitest.config.ts", "import { defineConfig } from 'vitest/config'\nexport default defineConfig({ test: { "+c.config+" include: ['src/**/*.test.ts'] } })\n")
		repo.Write("src/types.test-d.ts", "import { test } from 'vitest'\ntest('types', () => {})\n")
		repo.Write("tsconfig.json", "{}\n")
		repo.Write("node_modules/typescript/package.json", `{"name":"typescript","version":"6.0.0","main":"x.js"}`)
		repo.Write("node_modules/typescript/x.js", "")
		bin := "node_modules/.bin/" + c.checker
		repo.Write(bin, "#!/bin/sh\necho \"$@\" >notes\nexit $(cat code)\n")
		assert.NilError(t, os.Chmod(filepath.Join(repo.Dir, bin), 0o755))
		d := detect(t, repo.Dir, "", "vitest")
		for _, code := range []string{"0", "2"} {
			repo.Write("code", code)
			o := run(t, repo.Dir, d, adapter.Request{})
			assert.Equal(t, o.exit == 0, code == "0", name+o.tail)
			assert.Assert(t, o.tally.Passed > 0 && o.tally.Failed == 0, name+o.tail)
			notes, err := os.ReadFile(filepath.Join(repo.Dir, "notes"))
			assert.NilError(t, err, name+o.tail)
			assert.Assert(t, strings.Contains(string(notes), "--tsBuildInfoFile ") && !strings.Contains(string(notes), "node_modules"), name+string(notes)+strings.Join(d.Plugins, ";"))
		}
	}
}

// Tests of pytest run in its process: one that reads its command line meets the words of
// the script there, and none of ours.
func TestPytestTestsReadTheirCommandLine(t *testing.T) {
	needsTools(t)
	t.Parallel()
	for name, c := range map[string]struct {
		tox, want string
		without   string // of the packages
	}{
		"no script": {"", "[]", ""}, "coverage": {"", "[]", ".venv/lib/python3*/site-packages/pytest_cov*"},
		"tox": {"[testenv]\ncommands = pytest -x --strict-markers tests\n", "['-x', '--strict-markers', 'tests']", ""},
	} {
		repo := fixture.New(t, "pytest")
		if c.without != "" {
			remove(t, repo, c.without)
		}
		if c.tox != "" {
			repo.Write("tox.ini", c.tox)
		}
		repo.Write("tests/test_line.py", "import sys\n\ndef test_line():\n    assert sys.argv[1:] == "+c.want+"\n")
		d := detect(t, repo.Dir, "", "pytest")
		whole := run(t, repo.Dir, d, adapter.Request{Coverage: true})
		assert.Equal(t, whole.tally, qa.Tally{Tests: 10, Passed: 10}, name+whole.tail)
		one := run(t, repo.Dir, d, adapter.Request{Tests: adapter.Select(whole.suite.Cases)})
		assert.Equal(t, one.tally, whole.tally, name+one.tail)
	}
}
