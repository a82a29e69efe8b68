package framework

import (
	"regexp"
	"slices"
	"strings"
)

// class says what a command of a test script is for.
type class string

const (
	suite       class = "suite"       // tests of a framework in the table
	unknown     class = "unknown"     // tests of anything else
	browser     class = "browser"     // tests that need a browser
	check       class = "check"       // linters, type and size checks: no tests
	preparation class = "preparation" // builds what the tests need
	packages_   class = "packages"    // the same script of the packages below
	service     class = "service"     // does not end by itself
	nothing     class = "nothing"
)

// leaf is one command that a test script leads to when it is followed through
// other scripts and tools.
type leaf struct {
	class     class
	framework string // of a suite
	script    string // the script, target or environment it stands in
	dir       string // where it runs, from the root of the repository
	env       []string
	node      []string // options for node itself: --import tsx
	wrapper   []string // c8 or nyc with its options, when it runs under one
	through   []string // "node wrapper.js" before a runner that it starts
	program   string   // base name: vitest, jest, mocha
	args      []string
	// line is what a shell would run, from the program on; plain says that it
	// is argv, word by word. globs are the args that a shell would expand.
	line   string
	argv   []string
	globs  []string
	plain  bool
	before []leaf // the preparations that run ahead of it
	source string // "package.json", "tox.ini": what the script stands in
}

// testing reports whether a leaf is a suite of its own.
func (l leaf) testing() bool { return l.class == suite || l.class == unknown || l.class == browser }

// shown is a leaf as a user would type it.
func (l leaf) shown() string {
	return strings.Join(append(slices.Clone(l.env), l.line), " ")
}

// The names by which scripts tell what they are for. A name decides about
// programs only that nothing else tells.
var (
	prepares = regexp.MustCompile(`(?i)^(?:pre|post)?(?:build|prepare|compile|bundle|clean|generate|gen|codegen|dist|copy|setup|bootstrap|transpile|install|prepack|prepublish|link|tsc)(?:[:_.-]|$)`)
	checks   = regexp.MustCompile(`(?i)^(?:lint|eslint|format|fmt|style|prettier|types?|typecheck|typings|type-check|check-types|size|attw|publint|knip|spell|docs?|audit|coverage-report|codecov|report|tsd|dtslint|flow|mypy|ruff|black|isort|pylint|pre-commit)(?:[:_.-]|$)|^(?:tests?|check)[:_-](?:types?|typings|dts|tsd|lint|format|fmt|style|size|prettier|spell|bundle-?size|attw)(?:[:_.-]|$)`)
	tests    = regexp.MustCompile(`(?i)^(?:tests?|unit|spec|e2e|integration|mocha|jest|vitest|coverage|cov|ci)(?:[:_.-]|$)`)
	serves   = regexp.MustCompile(`(?i)^(?:start|serve|server|dev|watch|preview)(?:[:_.-]|$)`)
)

// named is the class that a script's name gives to what nothing else tells;
// from is that of the script which runs it.
func named(script string, from class) class {
	switch {
	case checks.MatchString(script):
		return check
	case prepares.MatchString(script):
		return preparation
	case serves.MatchString(script):
		return service
	case tests.MatchString(script) && from != preparation:
		return unknown
	}
	return from
}
