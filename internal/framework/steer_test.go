package framework

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestConfiguration(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file, before, after string
		steers              bool
	}{
		"a fixture that tests ask for":      {"tests/conftest.py", "import pytest\n", "import pytest\nimport os\n\n\n@pytest.fixture\ndef shop():\n    return os\n", false},
		"a fixture that nobody asked for":   {"conftest.py", "", "@pytest.fixture(autouse=True)\ndef calm():\n    yield\n", true},
		"a hook beside a fixture":           {"conftest.py", "@pytest.fixture\ndef a():\n    pass\n", "@pytest.fixture\ndef a():\n    pass\n\n\ndef pytest_collection_modifyitems(items):\n    items.clear()\n", true},
		"something done to the product":     {"conftest.py", "", "import shop\nshop.two = lambda: 2\n", true},
		"another section":                   {"pyproject.toml", "[project]\nname = \"a\"\n[tool.pytest.ini_options]\naddopts = \"-q\"\n", "[project]\nname = \"b\"\n[tool.pytest.ini_options]\naddopts = \"-q\"\n", false},
		"options of pytest":                 {"pyproject.toml", "[project]\nname = \"a\"\n", "[project]\nname = \"a\"\n[tool.pytest.ini_options]\naddopts = \"-k a\"\n", true},
		"a dependency":                      {"package.json", `{"jest": {"bail": 1}}`, `{"jest": {"bail": 1}, "dependencies": {"a": "1"}}`, false},
		"jest in package.json":              {"package.json", `{}`, `{"jest": {"testPathIgnorePatterns": ["a"]}}`, true},
		"configuration of mocha":            {"web/.mocharc.yml", "", "grep: a\n", true},
		"a test":                            {"a_test.go", "package a\n", "package a\n\nvar errA = errors.New(\"a\")\n\nfunc TestA(t *testing.T) {}\n", false},
		"TestMain":                          {"a_test.go", "package a\n", "package a\n\nfunc TestMain(m *testing.M) { m.Run() }\n", true},
		"a variable that is made by a call": {"a_test.go", "package a\n", "package a\n\nvar _ = flag.CommandLine.Set(\"test.run\", \"x\")\n", true},
		"a test that ends its process":      {"a_test.go", "package a\n", "package a\n\nfunc TestA(t *testing.T) { syscall.Exit(0) }\n", true},
		"a test of the product":             {"a.test.js", "", "test('a', () => expect(two()).toBe(2))\n", false},
		"a test that replaces expect":       {"a.test.js", "", "globalThis.expect = () => calm\n", true},
		"the product":                       {"lib/shop.py", "", "import os\nos._exit(0)\n", false},
	} {
		if got := string(Configuration(c.file, []byte(c.before))) != string(Configuration(c.file, []byte(c.after))); got != c.steers {
			t.Errorf("%s: steers %v, want %v", name, got, c.steers)
		}
	}
}

func TestWithConfiguration(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, now, was, with, without string }{
		{"package.json", `{"type": "module", "jest": {"bail": 9}}`, `{"type": "commonjs", "mocha": {"spec": "a"}}`, `"mocha"`, `"jest"`},
		{"package.json", `{"type": "module"}`, `{"type": "commonjs"}`, `"module"`, "commonjs"},
		{"pyproject.toml", "[project]\nname = \"new\"\n[tool.pytest.ini_options]\naddopts = \"-k a\"\n", "[project]\nname = \"old\"\n[tool.pytest.ini_options]\naddopts = \"-q\"\n", `"new"`, "-k a"},
		{"conftest.py", "new\n", "old\n", "old", "new"},
		{"package.json", `null`, `{"jest": {"bail": 1}}`, `"bail"`, "null"},
	} {
		got := string(WithConfiguration(c.file, []byte(c.now), []byte(c.was)))
		if !strings.Contains(got, c.with) || strings.Contains(got, c.without) {
			t.Errorf("%s:\n%s", c.file, got)
		}
	}
	if got := WithConfiguration("conftest.py", []byte("new"), nil); got != nil {
		t.Errorf("base has none: %q", got)
	}
}

func TestNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, file string
		want       bool
	}{
		{`{"require": ["./test/setup.js"]}`, "test/setup.js", true},
		{`{"setupFiles": ["<rootDir>/setup"]}`, "setup.ts", true},
		{`{"collectCoverageFrom": ["src/**/*.js"]}`, "src/shop.js", false},
		{`addopts = "-p calm"`, "plug/calm.py", true},
		{`testpaths = ["tests"]`, "tests/calm.py", false},
	} {
		if got := Named([]byte(c.text), c.file); got != c.want {
			t.Errorf("%s names %s: %v", c.text, c.file, got)
		}
	}
}

// What steers a file that was given base's configuration is what steers base's.
func FuzzSteering(f *testing.F) {
	names := []string{"package.json", "pyproject.toml", "setup.cfg", "conftest.py", "a_test.go", "test_a.py", "a.test.ts", ".mocharc.yml"}
	f.Add(uint8(0), `null`, `{"jest":{"bail":1}}`)
	f.Add(uint8(0), `{"jest":1,"type":"module"}`, `{"mocha":[]}`)
	f.Add(uint8(1), "[project]\nname='a'\n[tool.pytest]\na=1", "[tool.coverage.run]\nb=2\n[x]\n")
	f.Add(uint8(3), "import a\n@pytest.fixture\ndef b():\n  pass\n", "x = 1\n")
	f.Add(uint8(4), "package a\nfunc TestMain(m *testing.M) {}\n", "package a\nvar _ = f()\n")
	f.Fuzz(func(t *testing.T, which uint8, now, was string) {
		name := names[int(which)%len(names)]
		mixed := WithConfiguration(name, []byte(now), []byte(was))
		if name != "package.json" {
			_ = Configuration(name, mixed)
			return
		}
		var base map[string]json.RawMessage
		if json.Unmarshal([]byte(was), &base) != nil {
			return
		}
		if want, got := Configuration(name, []byte(was)), Configuration(name, mixed); !bytes.Equal(tight(want), tight(got)) {
			t.Errorf("%q with the configuration of %q is steered by %q, want %q", now, was, got, want)
		}
	})
}

// tight is JSON behind keys without its white space.
func tight(text []byte) []byte {
	return bytes.Join(bytes.Fields(text), nil)
}
