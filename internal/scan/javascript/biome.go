package javascript

import (
	"context"

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

func runBiome(ctx context.Context, p *engine.Pass) ([]engine.Hit, error) {
	dir, _, ok := p.Configured("biome.json", "biome.jsonc")
	if !ok {
		return nil, engine.SkipError("the repository does not configure it")
	}
	tool, err := p.OwnTool("biome", install(p))
	if err != nil {
		return nil, err
	}
	return p.Over(ctx, engine.Call{
		Dir: dir, Argv: []string{tool, "lint", "--reporter=sarif", "--no-errors-on-unmatched", "--max-diagnostics=none", "--colors=off"},
		Read: func(res process.Result) ([]engine.Hit, error) {
			found, err := sarif.Parse(res.Stdout)
			if err != nil {
				return nil, engine.Garbled("biome", res, err)
			}
			return found, nil
		},
	})
}
