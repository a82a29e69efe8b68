package recipe

import (
	"slices"
	"strings"

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

// Raw are the lines of a target and of what it needs, as they stand; whole is false where it
// needs what is not read here.
func (b Book) Raw(target string) (lines []string, whole bool) {
	whole = true
	for queue, at := []string{target}, 0; at < len(queue) && at < maxRaw; at++ {
		r, ok := b.Targets[queue[at]]
		whole = whole && (ok || !b.Open) && !strings.Contains(queue[at], "$")
		for _, line := range r.Lines {
			line = computed.ReplaceAllString(line, "")
			lines = append(lines, strings.FieldsFunc(line, func(c rune) bool { return strings.ContainsRune("&|;", c) })...)
		}
		for _, name := range strings.Fields(strings.Join(r.Needs, " ")) {
			if !slices.Contains(queue, name) {
				queue = append(queue, name)
			}
		}
	}
	return lines, whole
}

// computed is what functions of make put in.
var computed = pattern.New(`\$\((?:shell|wildcard|filter|filter-out|foreach|patsubst|addprefix|sort|subst)\b[^()]*(?:\([^()]*\)[^()]*)*\)`)

// maxRaw bounds how many targets are looked at.
const maxRaw = 200

// Included are the files that a Makefile includes by name.
func Included(text string) []string {
	return each.Of(included.FindAllStringSubmatch(text, maxIncluded), func(m []string) string { return m[1] })
}

var included = pattern.New(`(?m)^-?s?include[ \t]+([\w./-]+)`)

// maxIncluded bounds how many are read.
const maxIncluded = 20
