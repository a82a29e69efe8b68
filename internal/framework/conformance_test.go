package framework

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/fixture"
	"github.com/org/qa-action/internal/qa"
)

// Every adapter passes these; a new one needs a sample project of its name.

// sample gives the detection of an adapter's own project; command has none.
func sample(t *testing.T, name string) (Detection, string) {
	t.Helper()
	if name == "command" {
		d, err := Custom("", "make test REPORT={out}/junit.xml", []Declared{{Path: "{out}/junit.xml", Format: "junit"}}, []Declared{{Path: "build/*.info", Format: "lcov"}})
		if err != nil {
			t.Fatal(err)
		}
		return d, ""
	}
	repo := fixture.Sources(t, name)
	found, err := Detect(repo.Dir, "")
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 || found[0].Framework != name {
		t.Fatalf("project %s: found %+v, want %s alone", name, found, name)
	}
	return found[0], repo.Dir
}

func TestConformance(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/frameworks.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, err := For(name)
			if err != nil {
				t.Fatal(err)
			}
			if a.Name != name || a.Invocation == nil || a.IsTest == nil || a.TestPath == nil || len(a.Forbidden) == 0 || a.Reproduce == nil || a.Explain == nil || a.Shuffles == nil || a.detect == nil {
				t.Fatalf("adapter %q is not complete", a.Name)
			}
			if !strings.Contains(string(page), "| `"+name+"` |") {
				t.Error("no row in docs/frameworks.md")
			}
			d, dir := sample(t, name)
			checkInvocations(t, a, d)
			if kind, hint := a.Explain(1, ""); kind != "" || hint != "" {
				t.Errorf("silence is explained as %q: %q", kind, hint)
			}
			if dir == "" {
				return
			}
			checkTestFiles(t, a, dir)
		})
	}
}

func checkInvocations(t *testing.T, a Adapter, d Detection) {
	t.Helper()
	one := qa.Case{File: "src/a b.test.ts", Suite: "it's > a $(suite)", Name: "does `x` (now)"}
	for what, req := range map[string]Request{
		"all":      {},
		"coverage": {Coverage: true},
		"tests":    {Coverage: true, Tests: Select([]qa.Case{one})},
		"related":  {Related: []string{"src/a.ts"}},
		"shuffled": {Shuffle: true, Seed: 3, Parallel: 2},
	} {
		req.OutDir = "/out"
		before := len(d.Program)
		inv, err := a.Invocation(d, req)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		again, _ := a.Invocation(d, req)
		if diff := cmp.Diff(inv, again); diff != "" || len(d.Program) != before {
			t.Errorf("%s: two answers differ:\n%s", what, diff)
		}
		if len(inv.Argv) == 0 || len(inv.Tests) == 0 {
			t.Errorf("%s: no command or no report: %+v", what, inv)
		}
		if slices.ContainsFunc(inv.Argv, func(w string) bool { return w == "npx" || w == "sh" || w == "bash" }) {
			t.Errorf("%s: a shell or a downloader in %q", what, inv.Argv)
		}
		for _, r := range append(slices.Clone(inv.Tests), inv.Coverage...) {
			if r.Format == "" || !r.Stdout && filepath.IsAbs(r.Path) && !strings.HasPrefix(r.Path, "/out/") {
				t.Errorf("%s: report %+v is outside the output directory or of no format", what, r)
			}
		}
		if req.Coverage && len(inv.Coverage) == 0 && inv.CoverageHint == "" {
			t.Errorf("%s: no coverage and no hint", what)
		}
		if !req.Coverage && len(inv.Coverage) > 0 {
			t.Errorf("%s: coverage nobody asked for", what)
		}
	}
	if line := a.Reproduce(d, one); strings.Contains(line, "$(suite)") && !strings.Contains(line, `'\''`) {
		t.Errorf("not quoted for a shell: %s", line)
	}
}

// checkTestFiles: the project's tests are known, its sources are none, and a
// source's tests belong where the project has them.
func checkTestFiles(t *testing.T, a Adapter, dir string) {
	t.Helper()
	var tests, sources []string
	for _, f := range strings.Fields(strings.Join(tracked(t, dir), "\n")) {
		switch {
		case a.IsTest(f):
			tests = append(tests, f)
		case strings.HasPrefix(f, "src/") || strings.HasPrefix(f, "lib/") || strings.HasPrefix(f, "interval/"):
			sources = append(sources, f)
		}
	}
	if len(tests) == 0 || len(sources) == 0 {
		t.Fatalf("tests %q, sources %q", tests, sources)
	}
	for _, s := range sources {
		at := a.TestPath(s, tests)
		if !a.IsTest(at) {
			t.Errorf("TestPath(%s) = %s, which is no test", s, at)
		}
		stem := strings.TrimSuffix(filepath.Base(s), filepath.Ext(s))
		if slices.ContainsFunc(tests, func(test string) bool { return strings.Contains(filepath.Base(test), stem) }) && !slices.Contains(tests, at) {
			t.Errorf("TestPath(%s) = %s, want one of %q", s, at, tests)
		}
		fresh := a.TestPath(filepath.Dir(s)+"/brandnew"+filepath.Ext(s), tests)
		if filepath.Dir(fresh) != filepath.Dir(tests[0]) {
			t.Errorf("a new test is put at %s, the others are %q", fresh, tests)
		}
	}
}

func tracked(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == ".git" {
			return filepath.SkipDir
		}
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			out = append(out, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestForNamesTheValidOnes(t *testing.T) {
	t.Parallel()
	if _, err := For("karma"); err == nil || !strings.Contains(err.Error(), `"karma", valid are command, gotest, jest, mocha, pytest, vitest`) {
		t.Errorf("For(karma) = %v", err)
	}
}

func TestForbidden(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		adapter   Adapter
		bad, good []string // bad: "id: code"
	}{
		"javascript": {Jest,
			[]string{
				"skip: it.skip('x', () => {})", "skip: xdescribe('x')", "skip: test.todo('x')", "only: describe.only('x')", "only: fit('x')",
				"ts-ignore: // @ts-ignore", "ts-ignore: /* c8 ignore next */", "any: const x = y as any", "any: function f(a: any)",
				"sleep: await new Promise((resolve) => setTimeout(resolve, 100))", "retry: jest.retryTimes(3)", "clock: Math.random()",
				"constant: expect(true).toBe(true)", "process: process.exit(0)",
			},
			[]string{"it('skips nothing', () => {})", "expect(company).toBe(1)", "jest.useFakeTimers()", "const only = 1", "submit('x')", "profit(1)", "setTimeout(callback, 10)", "expect(trueish).toBe(1)"},
		},
		"python": {Pytest,
			[]string{
				"skip: @pytest.mark.skip(reason='x')", "skip: pytest.skip('x')", "skip: @pytest.mark.skipif(True)", "xfail: @pytest.mark.xfail", "xfail: @unittest.expectedFailure",
				"type-ignore: # type: ignore", "type-ignore: # pragma: no cover", "sleep: time.sleep(1)", "constant: assert True", "swallow:     except Exception:", "process: os.system('x')",
			},
			[]string{"def test_skip_list():", "assert True is flag", "with pytest.raises(ValueError):", "except ValueError:", "assert executor(1)"},
		},
		"go": {Gotest,
			[]string{"skip: t.Skip()", "skip: b.SkipNow()", "build-tag: //go:build integration", "sleep: time.Sleep(time.Second)", "clock: time.Now()", "recover: recover()", "process: os.Exit(1)"},
			[]string{"t.Run(name, func(t *testing.T) {", "skipper.Next()", "r := recovery()", "httptest.NewServer(nil)"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			hits := func(code string) (ids []string) {
				for _, f := range c.adapter.Forbidden {
					if f.ID == "" || f.Why == "" {
						t.Errorf("construct without id or reason: %+v", f)
					}
					if regexp.MustCompile(f.Pattern).MatchString(code) {
						ids = append(ids, f.ID)
					}
				}
				return ids
			}
			for _, line := range c.bad {
				id, code, _ := strings.Cut(line, ": ")
				if !slices.Contains(hits(code), id) {
					t.Errorf("%q is not found to be %s, found %q", code, id, hits(code))
				}
			}
			for _, code := range c.good {
				if ids := hits(code); len(ids) > 0 {
					t.Errorf("%q is taken for %q", code, ids)
				}
			}
		})
	}
}

func TestExplain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		framework, tail, kind, hint string
		exit                        int
	}{
		{"vitest", "No test files found, exiting with code 1", KindNoTests, "include patterns", 1},
		{"vitest", " MISSING DEPENDENCY  Cannot find dependency '@vitest/coverage-v8'", KindMissing, "@vitest/coverage-v8", 1},
		{"vitest", "failed to load config from vitest.config.ts\nError: x", KindConfig, "", 1},
		{"vitest", `ERROR: Coverage for lines (50%) does not meet global threshold (80%)`, KindThreshold, "", 1},
		{"jest", "No tests found, exiting with code 1\nRun with `--passWithNoTests`", KindNoTests, "", 1},
		{"jest", "● Validation Error:\n\n  Preset ts-jest not found relative to rootDir .", KindMissing, "lockfile", 1},
		{"jest", "Error: Cannot find module '@babel/core'\nRequire stack:", KindMissing, "@babel/core", 1},
		{"jest", `Jest: "global" coverage threshold for lines (99%) not met: 50%`, KindThreshold, "", 1},
		{"jest", "Error: The module was compiled against a different Node.js version", KindMissing, "install dependencies anew", 1},
		{"jest", "npm error engine Unsupported engine", KindVersion, "Node.js", 1},
		{"mocha", "Error: No test files found: \"test\"", KindNoTests, "", 1},
		{"mocha", " Exception during run: SyntaxError[ @/x.js ]: Unexpected token 'const'", KindBuild, "", 1},
		{"mocha", "SyntaxError: Cannot use import statement outside a module", KindConfig, "module format", 1},
		{"mocha", `TypeError [ERR_UNKNOWN_FILE_EXTENSION]: Unknown file extension ".ts" for /x.ts`, KindConfig, "", 1},
		{"pytest", "no tests ran in 0.01s", KindNoTests, "testpaths", 5},
		{"pytest", "/usr/bin/python3: No module named pytest", KindMissing, "pytest is not installed", 1},
		{"pytest", "ERROR: usage: pytest\npytest: error: unrecognized arguments: --cov --cov-branch", KindMissing, "pytest-cov", 4},
		{"pytest", "pytest: error: unrecognized arguments: --timeout=5", KindMissing, "--timeout=5", 4},
		{"pytest", "E   ModuleNotFoundError: No module named 'yaml'", KindMissing, "yaml", 2},
		{"pytest", "ERROR: not found: /x/tests/test_a.py::test_b", KindConfig, "test_b", 4},
		{"gotest", "go: errors parsing go.mod:\ngo.mod:1: unknown directive: modul", KindConfig, "", 1},
		{"gotest", "go: go.mod requires go >= 1.99 (running go 1.26; GOTOOLCHAIN=local)", KindVersion, "1.99", 1},
		{"gotest", "a.go:3:8: no required module provides package example.com/x; to add it:", KindMissing, "go mod tidy", 1},
		{"gotest", "FAIL\texample.com/x [build failed]", KindBuild, "", 1},
		{"command", "No module named pytest", KindMissing, "", 1},
		{"jest", "PASS src/a.test.ts", "", "", 1},
	} {
		a, err := For(c.framework)
		if err != nil {
			t.Fatal(err)
		}
		kind, hint := a.Explain(c.exit, c.tail)
		if kind != c.kind || !strings.Contains(hint, c.hint) || kind != "" && hint == "" {
			t.Errorf("%s: %q is explained as %q: %q, want %q: …%s…", c.framework, c.tail, kind, hint, c.kind, c.hint)
		}
		if strings.Contains(hint, "$1") || strings.Contains(hint, "  ") {
			t.Errorf("%s: %q gives an unfinished hint %q", c.framework, c.tail, hint)
		}
	}
}
