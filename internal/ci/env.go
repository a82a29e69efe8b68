package ci

import (
	"strings"

	"github.com/org/qa-action/internal/pattern"
)

// plainName is how variables are named that a project reads itself.
var plainName = pattern.New(`^[A-Z][A-Z0-9_]{1,60}$`)

// Families of variables that are not taken over: what finds programs and libraries,
// what loads code into a runtime or a runner, what steers package managers,
// compilers, coverage and git, the runner's own, and what changes how output looks
// that is read. A trailing * is a prefix.
var steering = []string{
	"PATH", "LD_*", "DYLD_*", "HOME", "SHELL", "BASH*", "ENV", "IFS", "USER", "LOGNAME", "TMP*", "TEMP*", "XDG_*", "PWD", "TERM", "COLUMNS", "LINES",
	"NODE_OPTIONS*", "NODE_PATH*", "NODE_EXTRA*", "NODE_V8*", "NODE_TLS*", "NODE_REPL*", "NODE_TEST*", "NODE_AUTH*", "NPM_*", "YARN_*", "PNPM_*", "COREPACK_*", "BUN_*", "DENO_*", "NX_*", "TURBO_*",
	"PYTHON*", "PYTEST*", "PIP*", "UV_*", "POETRY_*", "PDM_*", "HATCH_*", "TOX_*", "TOXENV", "NOX*", "VIRTUAL_ENV*", "CONDA*", "COV*", "COVERAGE*", "NYC_*", "SETUPTOOLS_*", "CIBW*",
	"GO*", "CGO_*", "RUST*", "CARGO*", "JAVA*", "JDK*", "MAVEN*", "MVN*", "GRADLE*", "CLASSPATH", "RUBY*", "GEM*", "BUNDLE*", "PERL*",
	"CC", "CXX", "CFLAGS*", "CPPFLAGS*", "CXXFLAGS*", "LDFLAGS*", "AR", "MAKEFLAGS*", "CMAKE*", "PKG_CONFIG*",
	"GIT*", "GH_*", "GITHUB*", "RUNNER*", "ACTIONS*", "INPUT_*", "STATE_*", "QA_*", "DOCKER*", "SSH*", "SSL*", "CURL*", "HTTP*", "NO_PROXY*", "ALL_PROXY*",
	"AWS*", "AZURE*", "GCP*", "GOOGLE*", "VITEST*", "JEST*", "MOCHA*", "AVA", "AVA_*", "TAP", "TAP_*", "CYPRESS*", "PLAYWRIGHT*", "FORCE_COLOR*", "NO_COLOR*", "CLICOLOR*", "COLOR", "FORCE_TTY*", "CI",
}

// harmlessAll are of those families and change nothing but what the tests see.
var harmlessAll = map[string]*pattern.Pattern{
	"PYTHONHASHSEED":            pattern.New(`^(?:random|\d{1,10})$`),
	"PYTHONUTF8":                pattern.New(`^[01]$`),
	"PYTHONIOENCODING":          pattern.New(`^[\w-]{1,20}(?::\w{1,20})?$`),
	"PYTHONDEVMODE":             pattern.New(`^[01]$`),
	"PYTHONWARNDEFAULTENCODING": pattern.New(`^[01]$`),
	"CGO_ENABLED":               pattern.New(`^[01]$`),
	"GODEBUG":                   pattern.New(`^[a-z0-9]+=[\w-]+(?:,[a-z0-9]+=[\w-]+)*$`),
}

// maxValue bounds a value that is taken over.
const maxValue = 500

// Harmless reports whether a variable of a workflow may be set for tests: it can then
// change what they see, as a time zone, a locale or a flag of the project's own does,
// and neither which programs and code are loaded nor how a runner counts. What is called
// a secret and stands in the workflow is none: an application does not start without one.
func Harmless(name, value string) bool {
	if len(value) > maxValue || strings.ContainsAny(value, "\x00\x01\n\r") {
		return false
	}
	if name == "TZ" || name == "LANG" || name == "LANGUAGE" || strings.HasPrefix(name, "LC_") {
		return !strings.ContainsAny(value, "/.") || !strings.HasPrefix(value, "/") && !strings.Contains(value, "..")
	}
	if form := harmlessAll[name]; form != nil {
		return form.MatchString(value)
	}
	if !plainName.MatchString(name) {
		return false
	}
	for _, pattern := range steering {
		prefix, ok := strings.CutSuffix(pattern, "*")
		if name == prefix || ok && strings.HasPrefix(name, prefix) {
			return false
		}
	}
	return true
}
