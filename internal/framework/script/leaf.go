package script

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework/script/interpreter"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/wording"
)

// class says what a command of a test script is for.
type class string

const (
	Suite       class = "suite"       // tests of a framework in the table
	Unknown     class = "unknown"     // tests of anything else
	Browser     class = "browser"     // tests that need a browser
	Check       class = "check"       // linters, type and size checks: no tests
	Preparation class = "preparation" // builds what the tests need
	Packages    class = "packages"    // the same script of the packages below
	Service     class = "service"     // does not end by itself
	Nothing     class = "nothing"
)

// Leaf is one command that a test script leads to when it is followed through
// other scripts and tools.
type Leaf struct {
	Class     class
	Framework string // of a suite; "node" is node's own runner
	Origin
	Env     []string
	Node    []string // options for node itself: --import tsx
	Wrapper []string // c8 or nyc with its options, when it runs under one
	Through []string // "node wrapper.js" before a runner that it starts, "glob -c"
	Python  interpreter.Python
	Program string // base name: vitest, jest, mocha
	Args    []string
	// Line is what a shell would run, from the program on; plain says that it
	// is argv, word by word. globs are the args that a shell would expand.
	Line   string
	Argv   []string
	Globs  []string
	Plain  bool
	Before []Leaf // the preparations that run ahead of it
}

// Origin is where a leaf stands and runs.
type Origin struct {
	Script string // the script, target or environment it stands in
	Source string // "package.json", "tox.ini": what the script stands in
	Dir    string // where it runs, from the root of the repository
	At     int    // the line of the source in which the script begins; 0 is unknown
	Called Called
	// Unheeded says that the script does not end badly for it alone.
	Unheeded bool
}

// Called is the script of a package.json that leads to a command, whatever stands
// between them: package managers tell commands about both.
type Called struct {
	Dir  string `json:"dir,omitempty"` // the folder of the package, from the root of the repository
	Name string `json:"name,omitempty"`
}

// From says where a leaf stands, "Makefile:12".
func (o Origin) From() string {
	if o.At == 0 {
		return o.Source
	}
	return fmt.Sprintf("%s:%d", o.Source, o.At)
}

// Testing reports whether a leaf is a suite of its own.
func (l Leaf) Testing() bool { return l.Class == Suite || l.Class == Unknown || l.Class == Browser }

// Shown is a leaf as a user would type it.
func (l Leaf) Shown() string {
	var out []string
	for _, kv := range l.Env {
		name, value, _ := strings.Cut(kv, "=")
		if value != "" {
			value = wording.Quote(value)
		}
		out = append(out, name+"="+value)
	}
	return strings.Join(append(out, l.Line), " ")
}

// The names by which scripts tell what they are for. A name decides about
// programs only that nothing else tells.
var (
	prepares = pattern.New(`(?i)^(?:pre|post)?(?:build|prepare|compile|bundle|clean|generate|gen|codegen|dist|copy|setup|bootstrap|transpile|install|prepack|prepublish|link|tsc)(?:[:_.-]|$)`)
	checks   = pattern.New(`(?i)^(?:lint|eslint|format|fmt|style|prettier|types?|typecheck|typings?|type-check|check-types|size|attw|publint|knip|spell(?:ing|check)?|docs?|audit|coverage-report|codecov|report|tsd|dtslint|flow|mypy|ruff|black|isort|pylint|pre-commit)(?:[:_.-]|$)|^check(?:spell(?:ing)?|links?|docs?|style|types?|format|manifest|readme|licen[cs]es?)(?:[:_.-]|$)|^(?:links?|style|doc|manifest|readme|licen[cs]e|pep\d+)[_-]?check(?:[:_.-]|$)|^(?:tests?|check)[:_-](?:types?|typings?|dts|tsd|lint|format|fmt|style|size|prettier|spell|bundle-?size|attw)(?:[:_.-]|$)`)
	tests    = pattern.New(`(?i)^(?:tests?|unit|spec|e2e|integration|mocha|jest|vitest|coverage|cov|ci)(?:[:_.-]|$)`)
	serves   = pattern.New(`(?i)^(?:start|serve|server|dev|watch|preview)(?:[:_.-]|$)`)
	// readies is what only gets something ready for a server, "dev:prepare".
	readies = pattern.New(`(?i)^dev[:_.-](?:.+[:_.-])?(?:prepare|setup|install|build|compile|bundle|generate|gen|codegen|stub|clean)$`)
	// ofTests are the tests of what stands before, "format:test"; what starts or builds for
	// tests is called so, too, but a server.
	ofTests = pattern.New(`(?i)[:_.-](?:tests?|specs?)$`)
	servers = pattern.New(`(?i)^server[:_.-]`)
	// testFile is a file of tests among the words of a command.
	testFile = pattern.New(`(?i)(?:^|/)(?:tests?|specs?|__tests__)/[^*]*\.[cm]?[jt]sx?$|(?:^|[/._-])(?:tests?|spec)\.[cm]?[jt]sx?$`)
	ofTypes  = pattern.New(`(?i)(?:^|[:_.-])(?:types?|typings?|dts|tsd)(?:[:_.-]|$)`)
	// typesFile is a file in TypeScript about types alone.
	typesFile = pattern.New(`(?i)(?:^|/)(?:types?|typings?|dts)/[^*]*\.[cm]?tsx?$|\.test-d\.[cm]?tsx?$`)
)

// named is the class that a script's name gives to what nothing else tells;
// from is that of the script which runs it.
func named(script string, from class) class {
	of := ofTests.MatchString(script)
	switch {
	case of && from != Preparation && (checks.MatchString(script) || servers.MatchString(script)):
		return Unknown
	case checks.MatchString(script):
		return Check
	case prepares.MatchString(script), readies.MatchString(script):
		return Preparation
	case serves.MatchString(script):
		return Service
	case tests.MatchString(script) && from != Preparation:
		return Unknown
	}
	return from
}

// byName is the class of a program that only the name of its script tells. A file of
// tests is none of the checks that the script is called by, unless it is one of types,
// which the compiler tests.
func byName(pl Spot, args []string) class {
	if pl.Kind == Check && slices.ContainsFunc(args, testFile.MatchString) &&
		!(ofTypes.MatchString(pl.script) && slices.ContainsFunc(args, typesFile.MatchString)) {
		return Unknown
	}
	return pl.Kind
}

// Trails reports whether a preparation that no suite follows is one of tests: its script
// is called so, and nothing is known of its program.
func (rs Runners) Trails(l Leaf) bool {
	kind, _ := rs.classOf(l.Program, l.Args)
	return l.Class == Preparation && kind == "" && ofTests.MatchString(l.Script)
}

var pythons = pattern.New(`^(?:python|py|pypy)(?:\d+(?:\.\d+)?)?(?:\.exe)?$`)

// IsPython reports whether a program is a Python interpreter.
func IsPython(program string) bool { return pythons.MatchString(program) }
