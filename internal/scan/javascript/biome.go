package javascript

import (
	"context"

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
	tool, err := p.OwnTool("biome", "npm ci")
	if err != nil {
		return nil, err
	}
	var hits []engine.Hit
	for _, files := range engine.Chunks(within(dir, p.Files)) {
		argv := append([]string{tool, "lint", "--reporter=sarif", "--no-errors-on-unmatched", "--max-diagnostics=none", "--colors=off"}, files...)
		res, err := p.Run(ctx, dir, nil, argv...)
		if err != nil {
			return hits, err
		}
		found, err := sarif.Parse(res.Stdout)
		if err != nil {
			return hits, engine.Garbled("biome", res, err)
		}
		hits = append(hits, engine.Rebase(dir, found)...)
	}
	return hits, nil
}
