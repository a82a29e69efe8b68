package scan

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
)

// Engine is one source of findings.
type Engine struct {
	Name string
	Doc  string // one line for the list of engines
	// Perspectives it can speak to; it is left out when none is asked for.
	Perspectives []qa.Perspective
	// Languages it reads; nil is every text file.
	Languages []string
	// Tool is the program it runs, empty for an engine inside this binary.
	Tool string
	// Version are the arguments with which Tool prints its version.
	Version []string
	// RunsRepoCode says that running it can execute code of the repository
	// (a configuration file that is a program, plugins, a program that the
	// repository brought along): it needs the walls of Request.Exec.
	RunsRepoCode bool
	// PerFile says that a file's findings depend on that file alone. Such an
	// engine is also run on base, and what it finds there is not new.
	PerFile bool
	// LineOnly says that its findings concern their own line only: one on an
	// unchanged line of a changed function stood before.
	LineOnly bool
	// Shallow says that it finds syntax errors and a few mistakes: it stands in
	// for no engine that is missing.
	Shallow bool
	// YieldsTo names engines with the repository's own rules. When one of
	// them ran for a language, only security findings are kept from this one.
	YieldsTo []string
	// Configs are the configuration files the program reads, to be laid beside
	// the base versions of files.
	Configs []string
	// Run looks at the pass. Hits returned beside an error are kept.
	Run func(context.Context, *Pass) ([]Hit, error)
}

// Hit is a problem as an engine reports it, not yet believed.
type Hit struct {
	Engine string // filled in by the runner when empty
	// Rule is qualified by whose rule it is: "gosec/G204". It is looked up in
	// rules.csv for what the fields below leave open.
	Rule string
	Name string
	URL  string
	Path string // as printed: absolute or relative to the root
	// Lines of zero is the whole file.
	Lines        qa.Range
	Column       int
	Severity     qa.Severity
	Perspectives []qa.Perspective
	Message      string
	Suggestion   string
	CWE          []string
	Evidence     qa.Evidence // empty is corroborated
	// Quote overrides the text that is read from the file (for a model's
	// findings it is also how the line is found).
	Quote string
	// Secrets are texts that must appear nowhere.
	Secrets []string

	own bool // concerns its own line only
	old bool // also reported on the base content
	// fresh says that the file is no program any more, and was one on base.
	fresh bool
}

// engines is the closed set. A new engine is one line here and one file.
var engines = map[string]Engine{
	"biome":         biomeLint,
	"compileall":    compileAll,
	"complexity":    complexity,
	"coverage-gap":  coverageGap,
	"errorformat":   errorFormat,
	"esbuild":       esbuildSyntax,
	"eslint":        esLint,
	"golangci-lint": golangciLint,
	"gosec":         goSec,
	"govet":         goVet,
	"oxlint":        oxLint,
	"pylint":        pyLint,
	"ruff":          ruffLint,
	"sarif":         sarif,
	"secrets":       secrets,
	"staticcheck":   staticCheck,
	"test-smell":    testSmell,
}

// engineNamed gives the engine of that name.
func engineNamed(name string) (Engine, error) {
	if e, ok := engines[strings.ToLower(name)]; ok {
		return e, nil
	}
	return Engine{}, fmt.Errorf("unknown engine %q, valid engines are %s", name, strings.Join(Names(), ", "))
}

// Names lists all engines, sorted.
func Names() []string { return slices.Sorted(maps.Keys(engines)) }

// pick selects the engines of a request, sorted by name, the user's own
// linters in the place of the engines that carry them.
func pick(req Request) ([]Engine, error) {
	only, without := map[string]bool{}, map[string]bool{}
	for _, name := range req.Engines {
		into := only
		if rest, minus := strings.CutPrefix(name, "-"); minus {
			name, into = rest, without
		}
		if _, err := engineNamed(name); err != nil {
			return nil, err
		}
		into[strings.ToLower(name)] = true
	}
	var out []Engine
	for _, name := range Names() {
		if len(only) > 0 && !only[name] || without[name] {
			continue
		}
		e, _ := engineNamed(name)
		if e.Run != nil {
			out = append(out, e)
			continue
		}
		own, err := linterEngines(name, req.Linters)
		if err != nil {
			return nil, err
		}
		out = append(out, own...)
	}
	return out, nil
}
