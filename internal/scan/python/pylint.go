package python

import (
	"context"
	"encoding/json"
	"path"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
)

// Pylint runs the repository's pylint with its own configuration.
var Pylint = engine.Engine{
	Name:         "pylint",
	Perspectives: []qa.Perspective{qa.Bug, qa.Security, qa.CodeQuality},
	Languages:    []string{"python"}, Tool: "pylint", Version: []string{"--version"},
	Run: runPylint,
}

var pylintTable = pattern.New(`(?m)^\s*\[(tool\.pylint\b|pylint\b|MASTER\]|MAIN\])`)

func runPylint(ctx context.Context, p *engine.Pass) ([]engine.Hit, error) {
	_, _, ok := p.Configured(".pylintrc", "pylintrc", ".pylintrc.toml", "pylintrc.toml")
	for _, name := range []string{"pyproject.toml", "setup.cfg"} {
		ok = ok || pylintTable.Match(p.Tree.Content(name))
	}
	if !ok {
		return nil, engine.SkipError("the repository does not configure it")
	}
	tool, err := p.OwnTool("pylint", "pip install pylint")
	if err != nil {
		return nil, err
	}
	return p.Over(ctx, engine.Call{Dir: ".", Argv: []string{tool, "--output-format=json", "--exit-zero", "--score=n"}, Read: ParsePylint})
}

func ParsePylint(res process.Result) ([]engine.Hit, error) {
	var report *[]struct {
		Symbol       string
		ID           string `json:"message-id"`
		Message      string
		Path         string
		Line, Column int
		EndLine      *int
	}
	if err := json.Unmarshal(res.Stdout, &report); err != nil || report == nil {
		return nil, engine.Garbled("pylint", res, engine.OrMissing(err, "list of messages"))
	}
	var hits []engine.Hit
	for _, m := range *report {
		h := engine.Hit{
			Rule: "pylint/" + m.ID, Name: m.Symbol, Path: path.Clean(m.Path), Column: m.Column + 1,
			Lines: qa.Range{Start: m.Line, End: m.Line}, Message: engine.Sentence(m.Message),
		}
		if m.EndLine != nil {
			h.Lines.End = *m.EndLine
		}
		// A missing import is our environment's fault; one module's docstring
		// or the whole module as a place helps nobody on a change.
		if m.ID == "E0401" {
			continue
		}
		hits = append(hits, h)
	}
	return hits, nil
}
