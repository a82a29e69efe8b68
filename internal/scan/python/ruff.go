// Package python has the engines for Python.
package python

import (
	"context"
	"encoding/json"
	"path"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
)

// Ruff runs ruff (docs.astral.sh/ruff) on changed Python: the rules of
// rules.csv, isolated from what the repository says; where the repository
// configures ruff, its own rules instead, and ours for security only.
var Ruff = engine.Engine{
	Name:         "ruff",
	Perspectives: []qa.Perspective{qa.Bug, qa.Security, qa.TestCoverage, qa.CodeQuality},
	Languages:    []string{"python"}, Tool: "ruff", Version: []string{"--version"},
	PerFile: true,
	Configs: ruffConfigs,
	Alone:   func(p *engine.Pass) (string, bool) { return ruffRules(false), !ruffConfigured(p) },
	Run:     runRuff,
}

var ruffConfigs = []string{"ruff.toml", ".ruff.toml", "pyproject.toml"}

func runRuff(ctx context.Context, p *engine.Pass) ([]engine.Hit, error) {
	tool, err := p.Tool("ruff")
	if err != nil {
		return nil, err
	}
	configured := ruffConfigured(p)
	runs := [][]string{{"--isolated", "--select", ruffRules(configured)}}
	if configured {
		runs = append(runs, []string{"--force-exclude"})
	}
	var hits []engine.Hit
	for _, flags := range runs {
		argv := append([]string{tool, "check", "--no-cache", "--quiet", "--exit-zero", "--no-fix", "--output-format", "json"}, flags...)
		found, err := p.Over(ctx, engine.Call{Dir: ".", Argv: argv, Read: ParseRuff})
		hits = append(hits, each.Where(found, func(h engine.Hit) bool { return keepRuff(p, h) })...)
		if err != nil {
			return hits, err
		}
	}
	return hits, nil
}

// ruffRules are ours: where the repository configures ruff, those of security.
func ruffRules(configured bool) string {
	var ours []string
	for _, row := range engine.Rules()["ruff"] {
		id := strings.TrimSuffix(row.ID, "*")
		// The broad rows only say how bad a rule is that the repository chose.
		if id == "" || id == "syntax" || len(id) == 1 || configured && id[0] != 'S' {
			continue
		}
		ours = append(ours, id)
	}
	return strings.Join(ours, ",")
}

// ruffConfigured reports whether the repository says what ruff shall do.
func ruffConfigured(p *engine.Pass) bool {
	if _, _, ok := p.Configured("ruff.toml", ".ruff.toml"); ok {
		return true
	}
	return p.Says("pyproject.toml", ruffTable.Match)
}

var ruffTable = pattern.New(`(?m)^\s*\[tool\.ruff\b`)

// keepRuff leaves out what our selection says where it is the custom: names
// imported to be re-exported, and security rules in tests, which do on purpose
// what products must not.
func keepRuff(p *engine.Pass, h engine.Hit) bool {
	rel, _ := engine.Relative(p.AbsRoot, h.Path)
	f := p.Tree.ByPath[rel]
	id := strings.TrimPrefix(h.Rule, "ruff/")
	return !(f != nil && f.Kind == qa.KindTest && id[0] == 'S' || id == "F401" && path.Base(rel) == "__init__.py")
}

func ParseRuff(res process.Result) ([]engine.Hit, error) {
	type place struct{ Row, Column int }
	var report *[]struct {
		Code     *string
		Name     string
		Filename string
		Message  string
		URL      string
		Location place
		End      place `json:"end_location"`
		Fix      *struct {
			Message, Applicability string
			Edits                  []struct {
				Content  string
				Location place
				End      place `json:"end_location"`
			}
		}
	}
	if err := json.Unmarshal(res.Stdout, &report); err != nil || report == nil {
		return nil, engine.Garbled("ruff", res, engine.OrMissing(err, "list of findings"))
	}
	var hits []engine.Hit
	broken := map[string]bool{}
	for _, d := range *report {
		h := engine.Hit{
			Rule: "ruff/syntax", Name: d.Name, URL: d.URL, Path: d.Filename, Message: engine.Sentence(d.Message),
			Lines: qa.Range{Start: d.Location.Row, End: d.End.Row}, Column: d.Location.Column,
		}
		if d.Code != nil && *d.Code != "invalid-syntax" {
			h.Rule = "ruff/" + *d.Code
		} else if broken[d.Filename] { // after the first one the parser guesses
			continue
		} else {
			broken[d.Filename] = true
			h.Message = "Does not parse: " + d.Message
			h.Lines.End = h.Lines.Start
		}
		if d.Fix != nil {
			h.Suggestion = d.Fix.Message
			if d.Fix.Applicability == "safe" {
				h.Fix = &engine.Fix{Unit: engine.Characters}
				for _, e := range d.Fix.Edits {
					h.Fix.Edits = append(h.Fix.Edits, engine.Edit{From: engine.Place{Line: e.Location.Row, Column: e.Location.Column}, To: engine.Place{Line: e.End.Row, Column: e.End.Column}, Text: e.Content})
				}
			}
		}
		hits = append(hits, h)
	}
	return hits, nil
}
