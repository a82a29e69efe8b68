package framework

import (
	"regexp"
	"slices"
	"strings"
)

// cause is one classic way a test run fails to start. Pattern is matched
// against what the runner printed last; $1 in the hint is its first group.
type cause struct {
	exit    int // 0: any but zero is fine too
	pattern string
	kind    string
	hint    string
}

// explain makes an adapter's Explain of its causes, most specific first.
func explain(causes []cause) func(int, string) (string, string) {
	compiled := make([]*regexp.Regexp, len(causes))
	for i, c := range causes {
		compiled[i] = regexp.MustCompile(c.pattern)
	}
	return func(exit int, tail string) (kind, hint string) {
		for i, c := range causes {
			if c.exit != 0 && c.exit != exit {
				continue
			}
			m := compiled[i].FindStringSubmatch(tail)
			if m == nil {
				continue
			}
			group := ""
			if len(m) > 1 {
				group = m[1]
			}
			return c.kind, strings.ReplaceAll(c.hint, "$1", group)
		}
		return "", ""
	}
}

var threshold = cause{0, `does not meet .*threshold|coverage threshold for .* not met|Required test coverage of .* not reached|Coverage failure: total of`, KindThreshold, "the tests passed; the repository's own coverage threshold was not reached"}

var (
	explainNode   = explain(nodeCauses)
	explainVitest = explain(append(slices.Clip(nodeCauses),
		// With its JSON reporter alone, vitest says nothing more than this.
		cause{1, `^\s*JSON report written to [^\n]*\s*$`, KindNoTests, "vitest found no tests: look at the include patterns of its configuration and at working-directory"}))
)

var nodeCauses = []cause{
	threshold,
	{0, `Cannot find (?:dependency|package) ['"](@vitest/coverage-[\w-]+)`, KindMissing, "$1 is not installed: install it as a development dependency"},
	{0, `(?i)No test files found|No tests found, exiting|Error: No test files found|No spec files found`, KindNoTests, "the runner found no tests: look at the include patterns of its configuration and at working-directory"},
	{0, `(?i)Unsupported engine|requires Node(?:\.js)? (?:version )?(\S+)|engine "node" is incompatible|crypto\.hash is not a function|styleText'|does not provide an export named '\w+'[\s\S]*node:`, KindVersion, "the Node.js version does not fit: use the one that package.json engines or .nvmrc names"},
	{0, `ERR_DLOPEN_FAILED|was compiled against a different Node\.js version|Cannot find module ['"]?@?(?:rollup/rollup-|rolldown/binding-|esbuild/|unrs/resolver-binding-)`, KindMissing, "native dependencies were installed for another platform or Node.js version: install dependencies anew"},
	{0, `Preset (\S+) not found|Transformer "?(\S+?)"? not found|Module (\S+) in the (?:transform|setupFiles\w*|preset) option was not found|Test environment (\S+) cannot be found`, KindMissing, "part of the test configuration is not installed: install dependencies from the lockfile"},
	{0, `Cannot find (?:module|package) ['"]([^'"]+)['"]`, KindMissing, "module $1 is not found: install dependencies from the lockfile (setup-command) and build what tests import"},
	{0, `failed to load config from|Failed to load config|Validation Error|Multiple configs found|Error reading .*\.mocharc|Unable to read/parse|Unknown option|Unrecognized (?:CLI Parameter|option)|CACError`, KindConfig, "the runner's configuration or an option is not valid for its version"},
	{0, `Cannot use import statement outside a module|Unexpected token 'export'|ERR_REQUIRE_ESM|must use import to load ES Module|Unknown file extension "(\.tsx?)"`, KindConfig, "a file is loaded in the wrong module format: the runner needs a transform, or the repository's test script an option"},
	{0, `SyntaxError|Transform failed|error TS\d+`, KindBuild, "a file does not parse or compile"},
}

var explainPython = explain([]cause{
	threshold,
	{5, ``, KindNoTests, "pytest collected no tests: look at testpaths and python_files"},
	{0, `No module named ['"]?pytest\b`, KindMissing, "pytest is not installed for this Python: install the test dependencies (setup-command)"},
	{0, `unrecognized arguments: (--cov\S*)`, KindMissing, "$1 needs pytest-cov, which is not installed"},
	{0, `unrecognized arguments: (\S+)`, KindMissing, "the option $1 belongs to a pytest plugin that is not installed: install the test dependencies"},
	{0, `(?:ModuleNotFoundError|ImportError): No module named ['"]([\w.]+)['"]`, KindMissing, "module $1 is not found: install the project and its test dependencies (setup-command)"},
	{0, `requires a different Python|Requires-Python|requires-python|requires pytest-([\d.]+)`, KindVersion, "the Python or pytest version does not fit the project"},
	{4, `not found: (\S+)`, KindConfig, "$1 does not exist"},
	{0, `(?:pytest|pyproject\.toml|pytest\.ini|setup\.cfg|tox\.ini).*(?:unexpected line|Invalid statement|Expected|Unknown config option)|usage error|ERROR: usage:`, KindConfig, "pytest's configuration is not valid"},
	{0, `ImportError while loading conftest '([^']+)'`, KindConfig, "$1 cannot be imported"},
	{0, `SyntaxError|IndentationError`, KindBuild, "a file does not parse"},
})

var explainGo = explain([]cause{
	{0, `go\.mod requires go >= ([\d.]+)|module requires Go ([\d.]+)|toolchain not available`, KindVersion, "the Go toolchain is too old: install Go $1 or later"},
	{0, `no required module provides package ([^\s;]+)|missing go\.sum entry|cannot find module providing package ([^\s;]+)|updates to go\.mod needed`, KindMissing, "go.mod or go.sum is incomplete: run go mod tidy"},
	{0, `inconsistent vendoring`, KindMissing, "vendor and go.mod disagree: run go mod vendor"},
	{0, `dial tcp|i/o timeout|module lookup disabled|GOFLAGS=-mod=vendor|proxy.*(?:404|410|403)`, KindMissing, "modules cannot be downloaded here: run go mod download before (setup-command)"},
	{0, `errors parsing go\.(?:mod|work)|cannot load module .* listed in go\.work|go\.mod file not found`, KindConfig, "go.mod or go.work is not valid"},
	{0, `matched no packages|no packages to test|\[no test files\]`, KindNoTests, "no package has tests"},
	{0, `cgo: C compiler|gcc.*not found`, KindMissing, "cgo needs a C compiler, or CGO_ENABLED=0"},
	{0, `\[build failed\]|\[setup failed\]|syntax error|undefined: `, KindBuild, "a package does not build"},
})
