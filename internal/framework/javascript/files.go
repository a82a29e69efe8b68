package javascript

import (
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/framework/adapter"
)

// Test files of the JavaScript family.

var (
	jsTest   = pattern.New(`[._-](?:test|spec)\.[cm]?[jt]sx?$`)
	jsFolder = pattern.New(`(?:^|/)__tests__/[^.][^/]*(?:/[^/]+)*\.[cm]?[jt]sx?$`)
	// mochaFolder is mocha's default place.
	mochaFolder = pattern.New(`(?:^|/)tests?/(?:[^/]+/)*[^/]+\.[cm]?[jt]sx?$`)
	jsAside     = pattern.New(`(?:^|/)(?:fixtures?|__fixtures__|__mocks__|support|helpers|node_modules)/`)
)

// typeTest are tests of types, which only a compiler reads; toolConfig is read by
// tools alone.
var (
	typeTest   = pattern.New(`\.(?:tst|test-d|typetest)\.[cm]?tsx?$`)
	toolConfig = pattern.New(`(?:^|/)[^/]+\.config\.[cm]?[jt]s$`)
)

func aside(file string) bool { return typeTest.MatchString(file) || toolConfig.MatchString(file) }

func IsTest(file string) bool {
	return (jsTest.MatchString(file) || jsFolder.MatchString(file)) && !jsAside.MatchString(file)
}

func IsMochaTest(file string) bool {
	return IsTest(file) || mochaFolder.MatchString(file) && !jsAside.MatchString(file)
}

// Flags keeps the options of a script's arguments and drops the positional
// ones, which limit a run to files. A word after an option that has no "=" may
// be its value and stays.
func Flags(args []string) []string {
	var out []string
	for i, a := range args {
		option := strings.HasPrefix(a, "-")
		value := i > 0 && strings.HasPrefix(args[i-1], "-") && !strings.Contains(args[i-1], "=") && !valueless[args[i-1]]
		if option || value {
			out = append(out, a)
		}
	}
	return out
}

// valueless are common options that are followed by no value.
var valueless = map[string]bool{
	"--runInBand": true, "-i": true, "--globals": true, "--no-cache": true, "--detectOpenHandles": true, "--forceExit": true, "--logHeapUsage": true,
	"--exit": true, "--recursive": true, "--parallel": true, "--check-leaks": true, "--allow-uncaught": true, "--typecheck": true, "--no-file-parallelism": true,
	"--no-isolate": true, "--dom": true, "--inline-diffs": true, "--full-trace": true, "--colors": true, "--color": true, "--no-threads": true,
	"--allowOnly": true, "--runTestsByPath": true, "--clearCache": true, "--isolate": true, "--no-color": true, "--errorOnDeprecated": true,
}

// jsTestPath gives the adapter's TestPath with the habits of a project that has
// no tests yet: the folder beside the source, or "", and the suffix.
func jsTestPath(folder, suffix string) func(string, []string) string {
	return func(source string, existing []string) string {
		ext := path.Ext(source)
		stem := strings.TrimSuffix(path.Base(source), ext)
		named := func(test string) bool {
			base := strings.TrimSuffix(path.Base(test), path.Ext(test))
			return base == stem || slices.Contains([]string{".test", ".spec", "-test", "-spec", "_test", "_spec"}, strings.TrimPrefix(base, stem))
		}
		if own := adapter.Nearest(source, existing, named); own != "" {
			return own
		}
		// A file that stands for its folder is tested under the folder's name.
		if dir := path.Dir(source); stem == "index" && path.Dir(dir) != "." {
			stem = path.Base(dir)
			own := adapter.Nearest(dir+ext, existing, named)
			if stem = "index"; own != "" {
				return own
			}
		}
		near := adapter.Neighbours(source, existing)
		if len(near) == 0 {
			return path.Join(path.Dir(source), folder, stem+suffix+ext)
		}
		suffix := adapter.Majority(near, func(test string) string {
			if m := jsTest.FindString(path.Base(test)); m != "" {
				return strings.TrimSuffix(m, path.Ext(m))
			}
			return ""
		})
		// A project may keep TypeScript sources and JavaScript tests.
		if testExt := adapter.Majority(near, path.Ext); strings.HasPrefix(testExt, ".j") || strings.HasPrefix(testExt, ".m") || strings.HasPrefix(testExt, ".c") {
			if ext != ".jsx" && ext != ".tsx" {
				ext = testExt
			}
		}
		return path.Join(adapter.Place(source, near), stem+suffix+ext)
	}
}

// nodeCauses are how a run by Node.js fails to start, whatever runs in it.
var nodeCauses = []diagnosis.Cause{
	diagnosis.ThresholdMissed,
	{Pattern: `Cannot find (?:dependency|package) ['"](@vitest/coverage-[\w-]+)`, Kind: diagnosis.Missing, Says: "$1 is not installed", Cure: "install it as a development dependency"},
	{Pattern: `(?i)No test files found|No tests found, exiting|Error: No test files found|No spec files found`, Kind: diagnosis.NoTests, Says: "the runner found no tests", Cure: "look at the include patterns of its configuration and at working-directory"},
	{Pattern: `(?i)Unsupported engine|requires Node(?:\.js)? (?:version )?(\S+)|engine "node" is incompatible|crypto\.hash is not a function|styleText'|does not provide an export named '\w+'[\s\S]*node:`, Kind: diagnosis.Version, Says: "the Node.js version does not fit", Cure: "use the one that package.json engines or .nvmrc names"},
	{Pattern: `ERR_DLOPEN_FAILED|was compiled against a different Node\.js version|Cannot find module ['"]?@?(?:rollup/rollup-|rolldown/binding-|esbuild/|unrs/resolver-binding-)`, Kind: diagnosis.Missing, Says: "native dependencies were installed for another platform or Node.js version", Cure: "install dependencies anew"},
	{Pattern: `Preset (\S+) not found|Transformer "?(\S+?)"? not found|Module (\S+) in the (?:transform|setupFiles\w*|preset) option was not found|Test environment (\S+) cannot be found`, Kind: diagnosis.Missing, Says: "part of the test configuration is not installed", Cure: "install dependencies from the lockfile"},
	{Pattern: `Cannot find (?:module|package) ['"]([^'"]+)['"]`, Kind: diagnosis.Missing, Says: "module $1 is not found", Cure: "install dependencies from the lockfile (setup-command) and build what tests import"},
	{Pattern: `failed to load config from|Failed to load config|Validation Error|Multiple configs found|Error reading .*\.mocharc|Unable to read/parse|Unknown option|Unrecognized (?:CLI Parameter|option)|CACError`, Kind: diagnosis.Config, Says: "the runner's configuration or an option is not valid for its version"},
	{Pattern: `Cannot use import statement outside a module|Unexpected token 'export'|ERR_REQUIRE_ESM|must use import to load ES Module|Unknown file extension "(\.tsx?)"`, Kind: diagnosis.Config, Says: "a file is loaded in the wrong module format", Cure: "the runner needs a transform, or the repository's test script an option"},
	{Pattern: `SyntaxError|Transform failed|error TS\d+`, Kind: diagnosis.Build, Says: "a file does not parse or compile"},
}
