// Package adapter says what an [Adapter] is: the value that describes one test
// framework, what it is given ([Detection], [Request]) and what adapters share:
// places of tests, selections, traces. An adapter
// is made of plain functions; it reads files and runs nothing.
package adapter

import (
	"bytes"
	"os"
	"time"

	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
)

// Adapter describes one test framework.
type Adapter struct {
	Name string
	// Language is what its tests are written in, in the words of package language.
	Language string
	Signs    Signs
	Habits   Habits
	// Invocation is the command that does what is requested. It is a pure
	// function of its arguments; an error says which request the framework
	// cannot serve.
	Invocation func(Detection, Request) (qa.Invocation, error)
	// IsTest reports whether a repository path is a test file.
	IsTest func(path string) bool
	// TestPath is where the project would put the tests of a source file,
	// judged by its existing test files; it may be one of them.
	TestPath func(source string, existing []string) string
	// Forbidden is what a generated test must not contain, beside what the
	// language says.
	Forbidden []language.Smell
	// Reproduce is a shell command line, run in the repository root, that runs
	// one test.
	Reproduce func(Detection, qa.Case) string
	// Explain says why a start failed, from the exit code and the end of what the
	// runner printed; empty when it knows no cause. Ask only when no test result was
	// read.
	Explain func(exit int, outs ...string) diagnosis.Diagnosis
	// Locate fills in the files of cases that the framework's reports do not
	// name, from the tree that the tests ran in and what was selected of it; nil
	// when reports name them. See [Adapter.Located].
	Locate func(tree *os.Root, d Detection, selected []Selected, cases []qa.Case)
	// Trace tells what the tests were made of; nil when the framework cannot.
	Trace *Trace
	// Parts says how a suite is run in parts; nil when it cannot be.
	Parts *Parts
	// Shuffles reports whether tests can be run in random order; nil when none can.
	Shuffles func(Detection) bool

	Detect func(*project.Project) *Detection
}

// Located fills in the files of cases where it can, see Locate.
func (a Adapter) Located(root string, d Detection, selected []Selected, cases []qa.Case) {
	if a.Locate == nil {
		return
	}
	if tree, err := os.OpenRoot(root); err == nil {
		defer func() { _ = tree.Close() }() // only read
		a.Locate(tree, d, selected, cases)
	}
}

// Signs are what of a project tells of a framework.
type Signs struct {
	// Programs start it in a script: "jest", or with their first argument,
	// "go test".
	Programs []string
	// Loads are the packages that a file loads whose tests node runs as they stand:
	// "node test.js".
	Loads []string
	// Markers are files that make a folder a project, beside the language's
	// manifests.
	Markers []string
	// Dropped are options of a script that are not handed on; true for those that
	// a value follows.
	Dropped map[string]bool
	// Caches are folders in which the framework notes what it has seen.
	Caches []string
}

// Habits are how a framework differs from most.
type Habits struct {
	// Ordered says that a selection runs in the order in which it is named.
	Ordered bool
	// SuiteProblems says that what fails outside of any test is named by suite,
	// and not by file.
	SuiteProblems bool
	// Parallel says that it runs several test files at a time unless it is told not to.
	Parallel bool
	// Silent says that it does not tell when somebody else ends its tests: what
	// was running then looks like a crash.
	Silent bool
	// Unnamed says that its report may name no files of tests that pass: which ran shows by
	// what was opened alone.
	Unnamed bool
	// Published says that a module may ask for a published version of another one
	// of the repository, which then has tests of its own.
	Published bool
	// OwnPackages says that a test may load what a build made of the sources, or
	// another copy of the repository's own packages, by their name.
	OwnPackages bool
	// Verb is what its program is told to run tests, where no script says how.
	Verb string
	// Races says that it can watch for accesses to memory that nothing orders, and fails a
	// test that has some.
	Races bool
	// Hooks finds in a test file hooks that are those of all, as they run in one process;
	// nil where files are apart.
	Hooks *pattern.Pattern
	// Aside are files that its coverage tool counts where no test loads them, and
	// that are no code of the product; nil is none.
	Aside func(path string) bool
	// Widen takes from a workflow's command, as it is told, what has more run or looked
	// at; lacks says what of it cannot be had here. needs says that the command's job has
	// services or packages of the machine. Nil is a framework whose commands have no such options.
	Widen func(p *project.Project, d *Detection, told Detection, needs bool) (lacks string)
	// Apart reports whether a workflow's command, as it is told, builds other code than a
	// run that was found, so that it is a suite beside it; lacks says why it cannot be one
	// here. Nil is a framework that builds but one.
	Apart func(d, told Detection) (apart bool, lacks string)
	// Glob puts a pattern that a shell would expand into the terms of the runner;
	// nil is one that expands it itself.
	Glob func(pattern string) string
}

// Request is what one run of the tests should do.
type Request struct {
	OutDir   string // absolute; reports are written below it
	Coverage bool
	// Tests limits the run to some tests; empty is all.
	Tests []Selected
	// Related limits the run to tests that load one of these source files
	// (repository paths). Frameworks without an import graph run everything.
	// It is ignored when Tests is set.
	Related []string
	// Part limits the run to a part of the suite; nil is the whole. It is ignored when
	// Tests or Related is set.
	Part *Part
	// Without has by test file the tests that are left out of it, as [qa.UnitTests] calls
	// them. An adapter that knows no single tests runs them all the same.
	Without map[string][]string
	// Shuffle asks for random order, Seed makes it repeatable (0: any order).
	Shuffle bool
	Seed    int64
	// Parallel is the number of workers; 0 leaves it to the framework.
	Parallel int
	// Executed is how much longer than its tests a run of the whole suite may take to tell
	// what each test file executes; 0 asks for nothing.
	Executed time.Duration
	// Within is how long the tests may take once they are built, where the framework can
	// be told so and says then where they hang; 0 leaves it to the framework.
	Within time.Duration
	// Races asks to watch for accesses to memory that nothing orders, where the framework can.
	Races bool
}

// Selected is one test to run: the File, Suite and Name of a [qa.Case]. A
// selection without a name is a whole file, or a whole Go package.
type Selected struct {
	File  string
	Suite string
	Name  string
}

// Select turns test cases into a selection.
func Select(cases []qa.Case) []Selected {
	out := make([]Selected, len(cases))
	for i, c := range cases {
		out[i] = Selected{File: c.File, Suite: c.Suite, Name: c.Name}
		if c.Raw != nil {
			out[i].Suite, out[i].Name = c.Raw.Suite, c.Raw.Name
		}
	}
	return out
}

// Retries is what a framework's own way to run a failed test again looks like.
func Retries(line string) []language.Smell {
	return []language.Smell{{Rule: "retry", Line: pattern.New(line), Why: "retries hide flakiness"}}
}

// Lines are those of a text that match.
func Lines(data []byte, those *pattern.Pattern) []byte {
	var out []byte
	for line := range bytes.Lines(data) {
		if those.Match(line) {
			out = append(out, line...)
		}
	}
	return out
}
