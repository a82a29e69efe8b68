package scan

import (
	"context"

	"github.com/org/qa-action/internal/qa"
)

// biomeLint runs the repository's biome with the repository's rules.
var biomeLint = Engine{
	Name: "biome", Doc: "the repository's own biome rules, when configured and installed",
	Perspectives: []qa.Perspective{qa.Bug, qa.Security, qa.CodeQuality, qa.UX},
	Languages:    []string{"javascript", "typescript"}, Tool: "biome", Version: []string{"--version"},
	RunsRepoCode: true,
	Run:          runBiome,
}

func runBiome(ctx context.Context, p *Pass) ([]Hit, error) {
	dir, _, ok := p.configured("biome.json", "biome.jsonc")
	if !ok {
		return nil, errSkip("the repository does not configure it")
	}
	tool, err := p.ownTool("biome", "npm ci")
	if err != nil {
		return nil, err
	}
	var hits []Hit
	for _, files := range chunks(within(dir, p.Files)) {
		argv := append([]string{tool, "lint", "--reporter=sarif", "--no-errors-on-unmatched", "--max-diagnostics=none", "--colors=off"}, files...)
		res, err := p.run(ctx, dir, nil, argv...)
		if err != nil {
			return hits, err
		}
		found, err := parseSARIF(res.Stdout)
		if err != nil {
			return hits, garbled("biome", res, err)
		}
		hits = append(hits, rebase(dir, found)...)
	}
	return hits, nil
}
