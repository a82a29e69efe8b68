package recipe

import (
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/pattern"
)

// TestTarget is a tool that a folder tells how it is tested.
type TestTarget struct {
	Command string
	Files   []string         // that it reads, of which the first counts
	Names   *pattern.Pattern // the target in them
}

// TestTargets are the tools that are asked for what they test.
var TestTargets = []TestTarget{
	{"make test", []string{"GNUmakefile", "makefile", "Makefile"}, pattern.New(`(?m)^(?:[\w./-]+[ \t]+)*test(?:[ \t][^=\n]*)?:(?:[^=]|$)`)},
	{"just test", []string{"justfile", "Justfile", ".justfile"}, pattern.New(`(?m)^(?:@?test(?:[ \t][^=\n]*)?:(?:[^=]|$)|alias test\b)`)},
	{"task test", []string{"Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml", "Taskfile.dist.yml"}, pattern.New(`(?m)^\s+["']?test["']?:`)},
	{"poe test", pyproject, inTable(`tool\.poe\.tasks`)},
	{"pdm run test", pyproject, inTable(`tool\.pdm\.scripts`)},
	{"rye run test", pyproject, inTable(`tool\.rye\.scripts`)},
	{"pipenv run test", []string{"Pipfile"}, inTable(`scripts`)},
}

var pyproject = []string{"pyproject.toml"}

// inTable finds the target in a table of TOML.
func inTable(name string) *pattern.Pattern {
	return pattern.New(`(?ms)^\[` + name + `\][ \t]*$.*^["']?test["']?[ \t]*=|^\[` + name + `\.test\]`)
}

// Included are the files that a Makefile includes by name.
func Included(text string) []string {
	return each.Of(included.FindAllStringSubmatch(text, maxIncluded), func(m []string) string { return m[1] })
}

var included = pattern.New(`(?m)^-?s?include[ \t]+([\w./-]+)`)

// maxIncluded bounds how many are read.
const maxIncluded = 20
