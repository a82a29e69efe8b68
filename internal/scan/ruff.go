package scan

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
)

// ruffLint runs ruff (docs.astral.sh/ruff) on changed Python: the rules of
// rules.csv, isolated from what the repository says; where the repository
// configures ruff, its own rules instead, and ours for security only.
var ruffLint = Engine{
	Name: "ruff", Doc: "bugs and security in Python",
	Perspectives: []qa.Perspective{qa.Bug, qa.Security, qa.TestCoverage, qa.CodeQuality},
	Languages:    []string{"python"}, Tool: "ruff", Version: []string{"--version"},
	PerFile: true,
	Configs: ruffConfigs,
	Run:     runRuff,
}

var ruffConfigs = []string{"ruff.toml", ".ruff.toml", "pyproject.toml"}

func runRuff(ctx context.Context, p *Pass) ([]Hit, error) {
	tool, err := p.tool("ruff")
	if err != nil {
		return nil, err
	}
	var ours []string
	configured := p.ruffConfigured()
	for _, row := range rules()["ruff"] {
		id := strings.TrimSuffix(row.ID, "*")
		// The broad rows only say how bad a rule is that the repository chose.
		if id == "" || id == "syntax" || len(id) == 1 || configured && id[0] != 'S' {
			continue
		}
		ours = append(ours, id)
	}
	runs := [][]string{{"--isolated", "--select", strings.Join(ours, ",")}}
	if configured {
		runs = append(runs, []string{"--force-exclude"})
	}
	var hits []Hit
	for _, flags := range runs {
		argv := append([]string{tool, "check", "--no-cache", "--quiet", "--exit-zero", "--no-fix", "--output-format", "json"}, flags...)
		for _, files := range chunks(p.args(p.Files)) {
			res, err := p.run(ctx, ".", nil, append(argv, files...)...)
			if err != nil {
				return hits, err
			}
			found, err := parseRuff(res)
			if err != nil {
				return hits, err
			}
			hits = append(hits, keepRuff(p, found)...)
		}
	}
	return hits, nil
}

// ruffConfigured reports whether the repository says what ruff shall do.
func (p *Pass) ruffConfigured() bool {
	if _, _, ok := p.configured("ruff.toml", ".ruff.toml"); ok {
		return true
	}
	for _, dir := range p.dirs() {
		if ruffTable.Match(p.tree.content(path.Join(dir, "pyproject.toml"))) {
			return true
		}
	}
	return false
}

var ruffTable = regexp.MustCompile(`(?m)^\s*\[tool\.ruff\b`)

// keepRuff leaves out what our selection says where it is the custom: names
// imported to be re-exported, and security rules in tests, which do on purpose
// what products must not.
func keepRuff(p *Pass, hits []Hit) []Hit {
	var out []Hit
	for _, h := range hits {
		rel, _ := relative(p.AbsRoot, h.Path)
		f := p.tree.byPath[rel]
		id := strings.TrimPrefix(h.Rule, "ruff/")
		if f != nil && f.Kind == qa.KindTest && id[0] == 'S' || id == "F401" && path.Base(rel) == "__init__.py" {
			continue
		}
		out = append(out, h)
	}
	return out
}

func parseRuff(res process.Result) ([]Hit, error) {
	type place struct{ Row, Column int }
	var report *[]struct {
		Code     *string
		Name     string
		Filename string
		Message  string
		URL      string
		Location place
		End      place `json:"end_location"`
		Fix      *struct{ Message string }
	}
	if err := json.Unmarshal(res.Stdout, &report); err != nil || report == nil {
		return nil, garbled("ruff", res, orMissing(err, "list of findings"))
	}
	var hits []Hit
	broken := map[string]bool{}
	for _, d := range *report {
		h := Hit{
			Rule: "ruff/syntax", Name: d.Name, URL: d.URL, Path: d.Filename, Message: sentence(d.Message),
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
		}
		hits = append(hits, h)
	}
	return hits, nil
}

// orMissing is the reason why a report is not one.
func orMissing(err error, what string) error {
	if err != nil {
		return err
	}
	return fmt.Errorf("it has no %s", what)
}
