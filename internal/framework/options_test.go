package framework

import (
	"slices"
	"strings"
	"testing"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// A test may be there only with an option that the project's own script gives.
func TestReproducingKeepsTheScriptsOptions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ option, file string }{
		"pytest": {"--doctest-modules", "shop/cart.py"}, "gotest": {"-tags=integration", "cart_test.go"},
		"cargo": {"--features=slow", "src/lib.rs"}, "maven": {"-Pslow", "src/test/java/ATest.java"}, "gradle": {"-Pslow=1", "src/test/java/ATest.java"},
	} {
		how, err := For(name)
		if err != nil {
			t.Fatal(err)
		}
		d := adapter.Detection{Framework: name}
		d.Program, d.Args = []string{name}, []string{c.option}
		line := how.Reproduce(d, qa.Case{File: c.file, Suite: "example.ATest", Name: "TestOne"})
		if !strings.Contains(line, c.option) || !strings.Contains(line, "TestOne") {
			t.Errorf("%s: %s", name, line)
		}
	}
}

// What is left of an option that is not handed on would be taken for files to run: the
// suite would be a smaller one.
func TestDroppedOptionsLeaveNoFilter(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{
		"jest --coverage --coverageReporters lcov text --reporters=default jest-junit --runInBand src": "--runInBand src",
		"jest src --reporters default jest-junit":                                                      "src",
		"jest --coverage true --silent false src":                                                      "src",
		"vitest run --coverage.reporter text --coverage.enabled src":                                   "src",
		"vitest run --outputFile.junit out.xml --coverage.thresholds.lines 90 --coverage.all src":      "src",
		"vitest run --coverage.reporter=text --coverage.thresholds.perFile --coverage.reporter src":    "",
	} {
		program, _, _ := strings.Cut(script, " ")
		found, err := Detect(fixture.Files(t, map[string]string{"package.json": `{"scripts":{"test":"` + script + `"},"devDependencies":{"` + program + `":"*"}}`, "src/a.test.js": "test('one', () => {})\n"}), "")
		if err != nil || len(found) != 1 || strings.Join(found[0].Args, " ") != want {
			t.Errorf("%s: %+v, %v", script, found, err)
		}
	}
}

// The program that checks types is named, or vitest starts its own.
func TestVitestCheckerIsReadOffOrLeft(t *testing.T) {
	t.Parallel()
	for config, want := range map[string]string{
		"typecheck: { enabled: true }":                                           "checks types with tsc",
		"typecheck: { enabled: true, checker: 'vue-tsc' }":                       "checks types with vue-tsc",
		"typecheck: { enabled: true, checker: own }":                             "",
		"typecheck: { enabled: true, checker }":                                  "",
		"typecheck: { checker: `vue-tsc` }":                                      "",
		"a: { typecheck: { checker: 'x' } }, b: { typecheck: { checker: 'y' } }": "",
	} {
		found, err := Detect(fixture.Files(t, map[string]string{
			"package.json": `{"scripts":{"test":"vitest run"},"devDependencies":{"vitest":"4.0.0"}}`, "src/a.test.js": "",
			"vitest.config.ts": "import { checker } from 'vite-plugin-checker'\nexport default { test: { " + config + " } }\n",
		}), "")
		if err != nil || len(found) != 1 || strings.Join(found[0].Plugins, " ") != want {
			t.Errorf("%s: %+v, %v", config, found, err)
		}
	}
}

// A suite that its script spreads over processes runs so, where the plugin is there.
func TestPytestIsSpreadAsItsScriptSays(t *testing.T) {
	t.Parallel()
	how, err := For("pytest")
	if err != nil {
		t.Fatal(err)
	}
	d := adapter.Detection{Framework: "pytest"}
	d.Program, d.Paths = []string{"python"}, []string{"tests"}
	d.Say([]string{"-n", "2", "--dist=loadfile", "tests"})
	one := adapter.Select([]qa.Case{{File: "tests/test_a.py", Name: "test_one"}})
	for name, c := range map[string]struct {
		plugins []string
		req     adapter.Request
		spread  bool
	}{
		"whole": {[]string{"pytest-xdist"}, adapter.Request{}, true}, "one test": {[]string{"pytest-xdist"}, adapter.Request{Tests: one}, false},
		"not installed": {nil, adapter.Request{}, false}, "as asked for": {[]string{"pytest-xdist"}, adapter.Request{Parallel: 3}, false},
	} {
		own := d
		own.Plugins = slices.Concat(d.Plugins, c.plugins)
		inv, err := how.Invocation(own, c.req)
		if line := strings.Join(inv.Argv, " "); err != nil || strings.Contains(line, " -n 2 --dist=loadfile") != c.spread {
			t.Errorf("%s: %s, %v", name, line, err)
		}
	}
}
