// Package javascript has the engines for JavaScript and TypeScript.
package javascript

import (
	"context"
	"encoding/json"
	"path"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
)

// Oxlint runs oxlint (oxc.rs) on changed JavaScript and TypeScript: with the
// repository's .oxlintrc.json when it has one, else with the rules of
// rules.csv and nothing that the repository says.
var Oxlint = engine.Engine{
	Name:         "oxlint",
	Perspectives: []qa.Perspective{qa.Bug, qa.Security, qa.TestCoverage, qa.CodeQuality, qa.UX},
	Languages:    []string{"javascript", "typescript"}, Tool: "oxlint", Version: []string{"--version"},
	PerFile:  true,
	YieldsTo: []string{"eslint", "biome"},
	Configs:  oxlintConfigs,
	Run:      runOxlint,
}

var oxlintConfigs = []string{".oxlintrc.json", ".oxlintrc.jsonc"}

// oxlintPlugins are switched on for our own rules.
var oxlintPlugins = []string{"--react-plugin", "--jsx-a11y-plugin", "--import-plugin", "--promise-plugin"}

func runOxlint(ctx context.Context, p *engine.Pass) ([]engine.Hit, error) {
	tool, err := p.Tool("oxlint")
	if err != nil {
		return nil, err
	}
	argv := []string{tool, "--format", "json"}
	_, _, configured := p.Configured(oxlintConfigs...)
	if !configured {
		argv = append(argv, "--disable-nested-config", "--no-ignore", "-A", "all")
		argv = append(argv, oxlintPlugins...)
		if runner := testRunner(p); runner != "" {
			argv = append(argv, "--"+runner+"-plugin")
		}
		for _, rule := range engine.Selected("oxlint") {
			if rule != "syntax" {
				argv = append(argv, "-D", rule)
			}
		}
	}
	hits, err := p.Over(ctx, engine.Call{
		Dir: ".", Argv: argv, Read: ParseOxlint,
		Newer: []engine.Newer{{Argument: "--no-error-on-unmatched-pattern", Refused: "`--no-error-on-unmatched-pattern` is not expected"}},
	})
	return each.Where(hits, func(h engine.Hit) bool { return configured || sound(p, h) }), err
}

// sound leaves out what our selection of rules gets wrong.
func sound(p *engine.Pass, h engine.Hit) bool {
	plugin, rule, _ := strings.Cut(strings.TrimPrefix(h.Rule, "oxlint/"), "/")
	f := p.Tree.ByPath[path.Clean(h.Path)]
	switch {
	case plugin == "no-unused-vars":
		// Taking names out of an object to keep the rest of it is a custom that
		// the rule's default does not know; an unused import is certain.
		return strings.Contains(h.Message, "imported")
	case (plugin == "jest" || plugin == "vitest") && rule != "":
		// These rules mean nothing in the product's code.
		return f == nil || f.Kind == qa.KindTest
	}
	return true
}

// testRunner says which of the test plugins fits, by the nearest package.json
// that names one.
func testRunner(p *engine.Pass) string {
	for _, dir := range p.Dirs() {
		manifest := string(p.Tree.Content(path.Join(dir, "package.json")))
		for _, name := range []string{"vitest", "jest"} {
			if strings.Contains(manifest, `"`+name+`"`) {
				return name
			}
		}
	}
	return ""
}

func ParseOxlint(res process.Result) ([]engine.Hit, error) {
	var report struct {
		Diagnostics *[]struct {
			Message, Code, URL, Help, Filename string
			Labels                             []struct {
				Span struct{ Line, Column int }
			}
		}
	}
	if err := json.Unmarshal(res.Stdout, &report); err != nil || report.Diagnostics == nil {
		return nil, engine.Garbled("oxlint", res, engine.OrMissing(err, "diagnostics"))
	}
	var hits []engine.Hit
	for _, d := range *report.Diagnostics {
		h := engine.Hit{Rule: "oxlint/" + oxlintRule(d.Code), URL: d.URL, Path: d.Filename, Message: engine.Sentence(d.Message), Suggestion: d.Help}
		if d.Code == "" {
			h.Message = "Does not parse: " + d.Message
		}
		// The last label is where it happens, the ones before it say why.
		if n := len(d.Labels); n > 0 {
			at := d.Labels[n-1].Span
			h.Lines, h.Column = qa.Range{Start: at.Line, End: at.Line}, at.Column
		}
		hits = append(hits, h)
	}
	return hits, nil
}

// oxlintRule turns "eslint(no-eval)" into "no-eval" and "react(jsx-key)" into
// "react/jsx-key".
func oxlintRule(code string) string {
	plugin, rule, ok := strings.Cut(strings.TrimSuffix(code, ")"), "(")
	switch {
	case code == "":
		return "syntax"
	case !ok:
		return code
	case plugin == "eslint":
		return rule
	case plugin == "typescript-eslint":
		plugin = "typescript"
	case plugin == "eslint-plugin-react-hooks":
		plugin = "react"
	}
	plugin = strings.TrimPrefix(plugin, "eslint-plugin-")
	return plugin + "/" + rule
}
