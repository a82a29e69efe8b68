package scan

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/scan/builtin"
	"github.com/org/qa-action/internal/scan/engine"
	"github.com/org/qa-action/internal/scan/golang"
	"github.com/org/qa-action/internal/scan/javascript"
	"github.com/org/qa-action/internal/scan/linter"
	"github.com/org/qa-action/internal/scan/python"
)

// engines is the closed set. A new engine is one line here and one file.
var engines = map[string]engine.Engine{
	"biome":         javascript.Biome,
	"compileall":    python.Compileall,
	"complexity":    builtin.Complexity,
	"coverage-gap":  builtin.CoverageGap,
	"errorformat":   linter.Errorformat,
	"esbuild":       javascript.Esbuild,
	"eslint":        javascript.ESLint,
	"golangci-lint": golang.GolangciLint,
	"gosec":         golang.Gosec,
	"govet":         golang.Govet,
	"oxlint":        javascript.Oxlint,
	"pylint":        python.Pylint,
	"ruff":          python.Ruff,
	"sarif":         linter.SARIF,
	"secrets":       builtin.Secrets,
	"staticcheck":   golang.Staticcheck,
	"test-smell":    builtin.TestSmell,
	"weakened-test": builtin.Weakened,
}

// engineNamed gives the engine of that name.
func engineNamed(name string) (engine.Engine, error) {
	if e, ok := engines[strings.ToLower(name)]; ok {
		return e, nil
	}
	return engine.Engine{}, fmt.Errorf("unknown engine %q, valid engines are %s", name, strings.Join(Names(), ", "))
}

// Names lists all engines, sorted.
func Names() []string { return slices.Sorted(maps.Keys(engines)) }

// Linters are the engines that apply the repository's own rules where it has some, the
// user's own linters among them.
func Linters() []string {
	return []string{"biome", "errorformat", "eslint", "golangci-lint", "oxlint", "pylint", "ruff", "sarif"}
}

// Check finds what is wrong with the user's own linters.
func Check(own []linter.Linter) error {
	_, err := pick(Request{Linters: own})
	return err
}

// pick selects the engines of a request, sorted by name, the user's own
// linters in the place of the engines that carry them.
func pick(req Request) ([]engine.Engine, error) {
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
	var out []engine.Engine
	for _, name := range Names() {
		if len(only) > 0 && !only[name] || without[name] {
			continue
		}
		e, _ := engineNamed(name)
		if e.Run != nil {
			out = append(out, e)
			continue
		}
		own, err := linter.Engines(e, req.Linters, func(name string) bool { _, taken := engines[name]; return taken })
		if err != nil {
			return nil, err
		}
		out = append(out, own...)
	}
	return out, nil
}
