package framework

import (
	"testing"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/golang"
	"github.com/org/qa-action/internal/framework/javascript"
	"github.com/org/qa-action/internal/framework/python"
)

func TestTestPath(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		adapter  adapter.Adapter
		source   string
		existing []string
		want     string
	}{
		{"vitest without tests", javascript.Vitest, "src/a.ts", nil, "src/a.test.ts"},
		{"jest without tests", javascript.Jest, "src/a.tsx", nil, "src/__tests__/a.test.tsx"},
		{"mocha without tests", javascript.Mocha, "lib/deep/a.js", nil, "test/a.test.js"},
		{"colocated", javascript.Jest, "src/x/a.ts", []string{"src/x/b.spec.ts", "src/y/c.spec.ts"}, "src/x/a.spec.ts"},
		{"__tests__ beside", javascript.Jest, "src/x/a.ts", []string{"src/x/__tests__/b.test.ts", "src/y/__tests__/c.test.ts"}, "src/x/__tests__/a.test.ts"},
		{"flat test folder", javascript.Mocha, "lib/x/a.js", []string{"test/b.js", "test/c.js"}, "test/a.js"},
		{"mirror", javascript.Vitest, "src/x/a.ts", []string{"test/y/b.test.ts", "test/c.test.ts"}, "test/x/a.test.ts"},
		{"mirror in unit", javascript.Vitest, "src/x/a.ts", []string{"tests/unit/y/b.test.ts", "tests/unit/c.test.ts", "tests/unit/d.test.ts"}, "tests/unit/x/a.test.ts"},
		{"an existing file", javascript.Vitest, "src/a.ts", []string{"test/a.spec.ts", "test/b.spec.ts"}, "test/a.spec.ts"},
		{"an existing file of a namesake is another's", javascript.Vitest, "packages/x/src/index.ts", []string{"packages/y/src/index.test.ts", "packages/x/src/b.test.ts"}, "packages/x/src/index.test.ts"},
		{"typescript with javascript tests", javascript.Mocha, "src/a.ts", []string{"test/b.js", "test/c.js"}, "test/a.js"},
		{"package of a monorepo keeps its habit", javascript.Jest, "packages/x/src/a.js", []string{"packages/x/test/b.test.js", "packages/y/src/__tests__/c.test.js", "packages/y/src/__tests__/d.test.js"}, "packages/x/test/a.test.js"},
		{"go", golang.Gotest, "a/b.go", nil, "a/b_test.go"},
		{"pytest without tests", python.Pytest, "pkg/a.py", nil, "tests/test_a.py"},
		{"pytest src layout without tests", python.Pytest, "libs/x/src/pkg/a.py", nil, "libs/x/tests/test_a.py"},
		{"pytest flat", python.Pytest, "src/pkg/_a.py", []string{"tests/test_b.py", "tests/test_c.py"}, "tests/test_a.py"},
		{"pytest suffix", python.Pytest, "pkg/a.py", []string{"pkg/b_test.py", "pkg/c_test.py"}, "pkg/a_test.py"},
		{"pytest in the package", python.Pytest, "pkg/x/a.py", []string{"pkg/x/tests/test_b.py"}, "pkg/x/tests/test_a.py"},
		{"pytest existing", python.Pytest, "pkg/x/a.py", []string{"tests/x/test_a.py", "tests/y/test_a.py"}, "tests/x/test_a.py"},
		{"folders of tests are named after packages", python.Pytest, "src/pkg/_json.py", []string{"tests/test_pkg/test_a.py", "tests/test_pkg/test_b.py"}, "tests/test_pkg/test_json.py"},
		{"and so are those within", python.Pytest, "src/pkg/io/json.py", []string{"tests/test_pkg/test_a.py", "tests/test_pkg/io_tests/test_b.py"}, "tests/test_pkg/io_tests/test_json.py"},
		{"a folder of another package", python.Pytest, "src/pkg/json.py", []string{"tests/test_other/test_a.py"}, "tests/pkg/test_json.py"},
		{"the same name before a likeness", python.Pytest, "src/pkg/json.py", []string{"tests/test_pkg/test_a.py", "tests/pkg/test_b.py"}, "tests/pkg/test_json.py"},
		{"a package", python.Pytest, "src/pkg/__init__.py", []string{"tests/test_b.py", "tests/test_c.py"}, "tests/test_pkg.py"},
		{"a program of a package", python.Pytest, "pkg/__main__.py", []string{"tests/test_b.py", "tests/test_pkg.py"}, "tests/test_main.py"},
		{"a file with an underscore", python.Pytest, "pkg/_json.py", []string{"tests/pkg/test__json.py", "tests/pkg/test_b.py"}, "tests/pkg/test__json.py"},
		{"command by language", Command, "a.py", nil, "tests/test_a.py"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := c.adapter.TestPath(c.source, c.existing); got != c.want {
				t.Errorf("TestPath(%s) = %s, want %s", c.source, got, c.want)
			}
		})
	}
}

func TestIsTest(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		adapter adapter.Adapter
		yes, no []string
	}{
		{javascript.Jest, []string{"a.test.ts", "src/a.spec.mjs", "src/__tests__/a.js", "src/__tests__/deep/a.tsx", "a_test.js"}, []string{"a.ts", "test.ts", "src/tests.ts", "src/__tests__/fixtures/a.js", "contest.js", "a.test.ts.snap", "a.test.json"}},
		{javascript.Mocha, []string{"test/a.js", "tests/deep/a.mjs", "lib/a.spec.cjs"}, []string{"lib/a.js", "test/support/env.js", "test/fixtures/a.js", "test/a.json", "latest/a.js"}},
		{python.Pytest, []string{"test_a.py", "tests/deep/test_a.py", "pkg/a_test.py"}, []string{"tests/conftest.py", "tests/__init__.py", "pkg/testing.py", "test_data.txt", "contest.py"}},
		{golang.Gotest, []string{"a_test.go"}, []string{"a.go", "test.go", "a_test.go.txt"}},
		{Command, []string{"src/test/java/ATest.java", "spec/a_spec.rb", "a_test.go"}, []string{"src/main/java/A.java", "README.md"}},
	} {
		for _, f := range c.yes {
			if !c.adapter.IsTest(f) {
				t.Errorf("%s: %s is no test", c.adapter.Name, f)
			}
		}
		for _, f := range c.no {
			if c.adapter.IsTest(f) {
				t.Errorf("%s: %s is a test", c.adapter.Name, f)
			}
		}
	}
}
