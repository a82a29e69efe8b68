package golang

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
	"github.com/org/qa-action/internal/wording"
)

// GolangciLint runs golangci-lint with the linters the repository chose.
var GolangciLint = engine.Engine{
	Name:         "golangci-lint",
	Perspectives: []qa.Perspective{qa.Bug, qa.Security, qa.TestCoverage, qa.CodeQuality},
	Languages:    []string{"go"}, Tool: "golangci-lint", Version: []string{"version"},
	Run: runGolangciLint,
}

func runGolangciLint(ctx context.Context, p *engine.Pass) ([]engine.Hit, error) {
	if _, _, ok := p.Configured(".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json"); !ok {
		return nil, engine.SkipError("the repository does not configure it")
	}
	tool, err := p.OwnTool("golangci-lint", "the way golangci-lint.run says, at the version the repository uses")
	if err != nil {
		return nil, err
	}
	return eachModule(ctx, p, func(module string, dirs []string) ([]engine.Hit, error) {
		// Version 2 and version 1 name the output differently.
		for _, output := range [][]string{{"--output.json.path=stdout", "--show-stats=false"}, {"--out-format=json"}} {
			argv := append([]string{tool, "run", "--allow-parallel-runners", "--issues-exit-code=0", "--max-issues-per-linter=0", "--max-same-issues=0"}, output...)
			res, err := p.Run(ctx, module, goEnv(p), append(argv, dirs...)...)
			if err != nil {
				return nil, err
			}
			if strings.Contains(string(res.Stderr), "unknown flag") {
				continue
			}
			return ParseGolangciLint(module, res)
		}
		return nil, errors.New("golangci-lint knows neither the output flags of version 2 nor of version 1")
	})
}

func ParseGolangciLint(module string, res process.Result) ([]engine.Hit, error) {
	var report struct {
		Issues []struct {
			FromLinter, Text, Severity string
			Pos                        struct {
				Filename     string
				Line, Column int
			}
			LineRange *struct{ From, To int }
		}
		Report *json.RawMessage
	}
	// Stats may follow the object on the same stream.
	if err := json.NewDecoder(strings.NewReader(string(res.Stdout))).Decode(&report); err != nil || report.Report == nil {
		return nil, engine.Garbled("golangci-lint", res, engine.OrMissing(err, "Report"))
	}
	var hits []engine.Hit
	for _, i := range report.Issues {
		h := engine.Hit{
			Rule: "golangci-lint/" + i.FromLinter, Path: i.Pos.Filename, Column: i.Pos.Column, Message: engine.Sentence(i.Text),
			Lines: qa.Range{Start: i.Pos.Line, End: i.Pos.Line},
		}
		if i.LineRange != nil {
			h.Lines.End = i.LineRange.To
		}
		// "SA5009: …", "G204: …" and "printf: …" are rules we know by name.
		if m := linterRule.FindStringSubmatch(i.Text); m != nil && len(engine.Rules()[i.FromLinter]) > 0 {
			h.Rule, h.Message = i.FromLinter+"/"+m[1], engine.Sentence(m[2])
		}
		if !filepath.IsAbs(h.Path) {
			h.Path = path.Join(module, h.Path)
		}
		hits = append(hits, h)
	}
	if res.ExitCode != 0 { // findings alone were asked to exit with 0
		return hits, fmt.Errorf("golangci-lint failed with exit code %d: %s", res.ExitCode, wording.Cut(wording.First(string(res.Stderr)), 200))
	}
	return hits, nil
}

var linterRule = pattern.New(`^([A-Za-z]+\d*): (.+)$`)
