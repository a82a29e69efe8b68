// Package framework finds the suites of a repository and the adapter that
// describes each of them: what says that a framework is in use, the command that
// runs all, selected or impacted tests, the structured reports that command
// writes, and the habits of test files.
//
// Start at [Detect], which looks for evidence, then ask the adapter that [For]
// gives for an invocation. The adapters stand by language in the packages below,
// each in one file; [adapter.Adapter] says what one is.
//
// Adding a framework takes one file there, one project under testdata/repo, one
// line in the table below and one row in docs/frameworks.md.
package framework

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/golang"
	"github.com/org/qa-action/internal/framework/java"
	"github.com/org/qa-action/internal/framework/javascript"
	"github.com/org/qa-action/internal/framework/python"
	"github.com/org/qa-action/internal/framework/rust"
	"github.com/org/qa-action/internal/framework/script"
	"github.com/org/qa-action/internal/language"
)

// table is every framework but [Command], which does what none of them can: of one
// language, the first is taken where all are proven alike.
var table = []adapter.Adapter{
	javascript.Vitest,
	javascript.Jest,
	javascript.Mocha,
	javascript.Nodetest,
	javascript.Ava,
	javascript.Tap,
	javascript.Tape,
	javascript.Bun,
	javascript.Deno,
	python.Pytest,
	python.Unittest,
	golang.Gotest,
	rust.Cargo,
	java.Maven,
	java.Gradle,
}

// Names lists the frameworks, sorted.
func Names() []string {
	names := []string{Command.Name}
	for _, a := range table {
		names = append(names, a.Name)
	}
	slices.Sort(names)
	return names
}

// For looks an adapter up by name.
func For(name string) (adapter.Adapter, error) {
	if name == Command.Name {
		return Command, nil
	}
	for _, a := range table {
		if a.Name == name {
			return a, nil
		}
	}
	return adapter.Adapter{}, fmt.Errorf("unknown test framework %q, valid are %s", name, strings.Join(Names(), ", "))
}

// Caches are the folders in which frameworks note what they have seen.
func Caches() []string { return joined(func(a adapter.Adapter) []string { return a.Signs.Caches }) }

// markers are the files that make a folder a project of its own.
func markers() []string {
	return append(language.Manifests(), joined(func(a adapter.Adapter) []string { return a.Signs.Markers })...)
}

// runners are the frameworks as scripts start them.
func runners() script.Runners {
	var out script.Runners
	for _, a := range table {
		out = append(out, script.Runner{Name: a.Name, Programs: a.Signs.Programs, Dropped: a.Signs.Dropped})
	}
	return out
}

// joined is what all frameworks of the table have together.
func joined[T any](of func(adapter.Adapter) []T) []T {
	var out []T
	for _, a := range table {
		out = append(out, of(a)...)
	}
	return out
}
