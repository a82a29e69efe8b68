package javascript

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
	"github.com/org/qa-action/internal/scan/sarif"
)

// Biome runs the repository's biome with the repository's rules.
var Biome = engine.Engine{
	Name:         "biome",
	Perspectives: []qa.Perspective{qa.Bug, qa.Security, qa.CodeQuality, qa.UX},
	Languages:    []string{"javascript", "typescript"}, Tool: "biome", Version: []string{"--version"},
	Run: runBiome,
}

// errNoLog is what a biome says that writes no SARIF, which only newer ones do.
var errNoLog = errors.New("it writes no SARIF")

func runBiome(ctx context.Context, p *engine.Pass) ([]engine.Hit, error) {
	dir, _, ok := p.Configured("biome.json", "biome.jsonc")
	if !ok {
		return nil, engine.SkipError("the repository does not configure it")
	}
	tool, err := p.OwnTool("biome", install(p))
	if err != nil {
		return nil, err
	}
	as := func(reporter string, read func(process.Result) ([]engine.Hit, error)) ([]engine.Hit, error) {
		return p.Over(ctx, engine.Call{
			Dir: dir, Argv: []string{tool, "lint", "--reporter=" + reporter, "--no-errors-on-unmatched", "--max-diagnostics=none", "--colors=off"}, Read: read,
		})
	}
	hits, err := as("sarif", ParseBiome)
	if errors.Is(err, errNoLog) {
		return as("github", ParseBiomeAnnotations)
	}
	return hits, err
}

// ParseBiome reads what biome writes as SARIF.
func ParseBiome(res process.Result) ([]engine.Hit, error) {
	found, err := sarif.Parse(res.Stdout)
	switch {
	case err == nil:
		return found, nil
	case strings.Contains(string(res.Stderr), `value "sarif" is not valid`):
		return nil, errNoLog
	}
	return nil, engine.Garbled("biome", res, err)
}

// annotation is a command of a workflow, as biome writes them for GitHub.
var annotation = pattern.New(`^::(?:error|warning|notice) title=([^,:]+),file=([^,:]+),line=(\d+),endLine=(\d+),col=(\d+),endColumn=\d+::(.*)$`)

// capital is where a new word begins in the name of a rule.
var capital = pattern.New(`([a-z0-9])([A-Z])`)

// plain undoes what the values of an annotation are written with.
var plain = strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%")

// ParseBiomeAnnotations reads what every biome writes for GitHub. It is nothing where
// nothing was found.
func ParseBiomeAnnotations(res process.Result) ([]engine.Hit, error) {
	var hits []engine.Hit
	for line := range strings.Lines(string(res.Stdout)) {
		line = strings.TrimRight(line, "\r\n")
		m := annotation.FindStringSubmatch(line)
		switch {
		case m != nil:
			hit := engine.Hit{Rule: "biome/" + m[1], Path: plain.Replace(m[2]), Message: plain.Replace(m[6])}
			hit.Lines.Start, _ = strconv.Atoi(m[3])
			hit.Lines.End, _ = strconv.Atoi(m[4])
			hit.Column, _ = strconv.Atoi(m[5])
			if group, name, ok := strings.Cut(strings.TrimPrefix(m[1], "lint/"), "/"); ok && group != "" {
				hit.URL = "https://biomejs.dev/linter/rules/" + strings.ToLower(capital.ReplaceAllString(name, "$1-$2"))
			}
			hits = append(hits, hit)
		case line != "":
			return hits, engine.Garbled("biome", res, fmt.Errorf("a line is no annotation"))
		}
	}
	if res.ExitCode != 0 && len(hits) == 0 {
		return nil, engine.Garbled("biome", res, fmt.Errorf("it has no annotation"))
	}
	return hits, nil
}
