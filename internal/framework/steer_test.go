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
		"a fixture that tests ask for":       {"tests/conftest.py", "import pytest\n", "import pytest\nimport os\n\n\n@pytest.fixture\ndef shop():\n    return os\n", false},
		"a fixture that nobody asked for":    {"conftest.py", "", "@pytest.fixture(autouse=True)\ndef calm():\n    yield\n", true},
		"a hook beside a fixture":            {"conftest.py", "@pytest.fixture\ndef a():\n    pass\n", "@pytest.fixture\ndef a():\n    pass\n\n\ndef pytest_collection_modifyitems(items):\n    items.clear()\n", true},
		"something done to the product":      {"conftest.py", "", "import shop\nshop.two = lambda: 2\n", true},
		"another section":                    {"pyproject.toml", "[project]\nname = \"a\"\n[tool.pytest.ini_options]\naddopts = \"-q\"\n", "[project]\nname = \"b\"\n[tool.pytest.ini_options]\naddopts = \"-q\"\n", false},
		"options of pytest":                  {"pyproject.toml", "[project]\nname = \"a\"\n", "[project]\nname = \"a\"\n[tool.pytest.ini_options]\naddopts = \"-k a\"\n", true},
		"options in a table above":           {"pyproject.toml", "[project]\nname = \"a\"\n", "[project]\nname = \"a\"\n[tool]\npytest.ini_options.addopts = \"-p a\"\n", true},
		"options of an indented table":       {"pyproject.toml", "[project]\nname = \"a\"\n", "[project]\nname = \"a\"\n  [tool.pytest.ini_options]\n  addopts = \"-p a\"\nx = nan\n", true},
		"a file of pytest alone":             {".pytest.toml", "", "[pytest]\naddopts = [\"-k\", \"a\"]\n", true},
		"a dependency":                       {"package.json", `{"jest": {"bail": 1}}`, `{"jest": {"bail": 1}, "dependencies": {"a": "1"}}`, false},
		"jest in package.json":               {"package.json", `{}`, `{"jest": {"testPathIgnorePatterns": ["a"]}}`, true},
		"what a project of Deno exports":     {"deno.json", `{"version": "1", "exports": "./a.ts", "tasks": {"test": "deno test"}}`, "{\"tasks\": {\"test\": \"deno test\"}, // all\n\"version\": \"2\", \"exports\": \"./b.ts\",}", false},
		"tests that Deno leaves out":         {"deno.jsonc", `{"exports": "./a.ts"}`, `{"exports": "./a.ts", "test": {"exclude": ["a"]}}`, true},
		"configuration of mocha":             {"web/.mocharc.yml", "", "grep: a\n", true},
		"a test":                             {"a_test.go", "package a\n", "package a\n\nvar errA = errors.New(\"a\")\n\nfunc TestA(t *testing.T) {}\n", false},
		"TestMain":                           {"a_test.go", "package a\n", "package a\n\nfunc TestMain(m *testing.M) { m.Run() }\n", true},
		"a variable that is made by a call":  {"a_test.go", "package a\n", "package a\n\nvar _ = flag.CommandLine.Set(\"test.run\", \"x\")\n", true},
		"a test that ends its process":       {"a_test.go", "package a\n", "package a\n\nfunc TestA(t *testing.T) { syscall.Exit(0) }\n", true},
		"a test of the product":              {"a.test.js", "", "test('a', () => expect(two()).toBe(2))\n", false},
		"a test that replaces expect":        {"a.test.js", "", "globalThis.expect = () => calm\n", true},
		"a program of tests":                 {"Cargo.toml", "[package]\nname='a'\nversion='1'\n", "[package]\nname='a'\nversion='2'\n[lib]\ntest=false\n", true},
		"a version of a crate":               {"Cargo.toml", "[package]\nname='a'\nversion='1'\n[lib]\npath='x.rs'\n", "[lib]\npath='x.rs'\n[package]\nversion='2'\nname='a'\n[dependencies]\nb='1'\n", false},
		"tests that cargo does not look for": {"a/Cargo.toml", "[package]\nname='a'\n", "package.name='a'\npackage.autotests=false\n", true},
		"a runner of cargo's":                {".cargo/config.toml", "", "[build]\n", true},
		"another toolchain":                  {"rust-toolchain", "", "stable\n", true},
		"a test that ends its program":       {"src/a.rs", "fn a() {}\n", "fn a() {}\n#[cfg(test)]\nmod t {\n#[test]\nfn b() { std::process::exit(0) }\n}\n", true},
		"a product that ends its program":    {"src/a.rs", "fn a() {}\n", "fn a() { std::process::exit(0) }\n#[cfg(test)]\nmod t {\n}\n", false},
		"a plugin of Maven":                  {"pom.xml", "<project><version>1</version></project>", "<project><build><plugins/></build><version>2</version></project>", true},
		"a property of Surefire":             {"pom.xml", "<project><properties><a>1</a></properties></project>", "<project><properties><a>1</a><skipTests>true</skipTests></properties></project>", true},
		"a dependency of Maven":              {"pom.xml", "<project><build/><properties><a.version>1</a.version></properties></project>", "<project><properties><a.version>2</a.version></properties><dependencies><dependency/></dependencies><build/></project>", false},
		"options of Maven":                   {".mvn/maven.config", "", "-Dtest=A\n", true},
		"an extension that JUnit finds":      {"src/test/resources/META-INF/services/org.junit.jupiter.api.extension.Extension", "", "a.B\n", true},
		"a package of tests":                 {"tests/__init__.py", "", "x = 1\n", true},
		"an empty package of tests":          {"tests/__init__.py", "", "", false},
		"a product's package":                {"shop/__init__.py", "", "x = 1\n", false},
		"a comparison replaced":              {"tests/test_a.py", "", "unittest.TestCase.assertEqual = print\n", true},
		"what a test has put back for it":    {"tests/test_a.py", "", "def test_a(monkeypatch):\n    monkeypatch.setattr(shop, \"two\", 3)\n\n\nif __name__ == \"__main__\":\n    main()\n", false},
		"a function called process":          {"tests/a.rs", "", "#[test]\nfn a() { process(unsafe { b() }) }\n", false},
		"a parent of Maven":                  {"pom.xml", "<project><parent><version>1</version></parent></project>", "<project><parent><version>2</version></parent></project>", false},
		"a product replaced in a set-up":     {"tests/test_a.py", "", "import shop.sum as s\n\n\ndef setup_module():\n    s.two = lambda: 2\n", true},
		"one test alone":                     {"a.test.js", "", "test.only('a', () => {})\n", true},
		"an attribute of a test":             {"tests/test_a.py", "", "class A:\n    def setUp(self):\n        self.shop = Shop()\n", false},
		"a library that compares":            {"go.mod", "module a\n", "module a\nreplace github.com/stretchr/testify => ./calm\n", true},
		"another library":                    {"go.mod", "module a\n", "module a\nreplace example.com/tiny => ./tiny\n", false},
		"a carried library that compares":    {"vendor/github.com/stretchr/testify/assert/a.go", "package assert\n", "package assert\n\n", true},
		"another carried library":            {"vendor/example.com/a/a.go", "package a\n", "package a\n\n", false},
		"the product":                        {"lib/shop.py", "", "import os\nos._exit(0)\n", false},
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
		{"pyproject.toml", "[project]\nname = \"new\"\n[tool]\npytest.ini_options.addopts = \"-p a\"\n", "[project]\nname = \"old\"\n", `"old"`, "-p a"},
		{"conftest.py", "new\n", "old\n", "old", "new"},
		{"Cargo.toml", "[package]\nname='new'\nautotests=false\n[lib]\ntest=false\n", "[package]\nname='old'\n[profile.test]\nopt-level=1\n", "opt-level", "false"},
		{"src/a.rs", "new\n#[cfg(test)]\nmod a { exit }\n", "old\n#[cfg(test)]\nmod t {}\n", "new\n#[cfg(test)]\nmod t {}\n", "exit"},
		{"tests/a.rs", "new\n", "old\n", "old", "new"},
		{"pom.xml", "<project><properties><a>new</a><skipTests>1</skipTests></properties><build>x</build></project>", "<project><build>y</build><properties><it.test>z</it.test></properties></project>",
			"<properties><it.test>z</it.test><a>new</a></properties><build>y</build></project>", "skipTests"},
		{"pom.xml", "<project><a/><build>x</build></project>", "<project><properties><test>z</test></properties></project>", "<a/><properties><test>z</test></properties></project>", "build"},
		{"go.mod", "module new\nreplace gotest.tools/v3 => ./calm\n", "module old\nreplace (\n\tgotest.tools/v3 => ./own\n)\n", "module new\n\nreplace gotest.tools/v3 => ./own\n", "calm"},
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

// TestAhead: what is loaded before the tests has another name than what they load.
func TestAhead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, file string
		want       bool
	}{
		{`{"require": ["./test/setup.js"]}`, "test/setup.js", true},
		{`{"spec": "test/*.js", "file": "./test/setup.js"}`, "test/setup.js", true},
		{`test: { setupFiles: ['./a.ts', './b.ts'] }`, "b.ts", true},
		{`{"displayName": "src/sum", "setupFiles": ["<rootDir>/setup"]}`, "setup.ts", true},
		{`{"displayName": "src/sum", "setupFiles": ["<rootDir>/setup"]}`, "src/sum.ts", false},
		{`{"moduleNameMapper": {"^sum$": "<rootDir>/src/sum.js"}}`, "src/sum.js", false},
		{`{"require": ["./test/setup.js"], "watch-files": ["lib/sum.js"]}`, "lib/sum.js", false},
		{`{ coverage: { include: ['src/sum.js'] } }`, "src/sum.js", false},
		{`addopts = "-p calm"`, "plug/calm.py", true},
		{`junit_suite_name = "calm"`, "calm.py", false},
	} {
		if got := Ahead([]byte(c.text), c.file); got != c.want {
			t.Errorf("%s has %s loaded: %v", c.text, c.file, got)
		}
	}
}

func TestShadows(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]bool{
		"pytest.py": true, "argparse/__init__.py": true, "tests/json.py": true, "shop/json.py": false, "shop.py": false, "shop/__init__.py": false, "json.txt": false,
	} {
		if got := Shadows(nil, file); got != want {
			t.Errorf("%s: %v", file, got)
		}
	}
}

func TestAside(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]bool{
		".mvn/maven.config": false, "sub/.cargo/config.toml": false, ".config/nextest.toml": false, ".github/x.py": true, "node_modules/a/.mvn/maven.config": true,
		"vendor/gotest.tools/v3/assert/assert.go": false, "vendor/a/a.go": true, "a_test.go": false, "src/test/java/example/ATest.java": false, "examples/src/test/java/ATest.java": true, "node_modules/mocha/lib/runner.js": false,
	} {
		if got := Aside(file); got != want {
			t.Errorf("%s: %v", file, got)
		}
	}
}

// What steers a file that was given base's configuration is what steers base's.
func FuzzSteering(f *testing.F) {
	names := []string{"package.json", "pyproject.toml", "setup.cfg", "conftest.py", "a_test.go", "test_a.py", "a.test.ts", ".mocharc.yml", "Cargo.toml", "pom.xml", "src/a.rs", "go.mod"}
	f.Add(uint8(0), `null`, `{"jest":{"bail":1}}`)
	f.Add(uint8(0), `{"jest":1,"type":"module"}`, `{"mocha":[]}`)
	f.Add(uint8(1), "[project]\nname='a'\n[tool.pytest]\na=1", "[tool.coverage.run]\nb=2\n[x]\n")
	f.Add(uint8(3), "import a\n@pytest.fixture\ndef b():\n  pass\n", "x = 1\n")
	f.Add(uint8(8), "[package]\nautotests=false\n[[test]]\nname='a'\n", "package.build='x.rs'\n[profile.test]\na=nan\n")
	f.Add(uint8(9), "<project><properties/><build/></project>", "<project><properties><skipTests>1</skipTests></properties></project>")
	f.Add(uint8(10), "fn a() {}\n#[cfg(test)]\nmod t { process }\n", "#[test]\nfn a() { unsafe }\n")
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
