package javascript

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
	"github.com/org/qa-action/internal/shell"
	"github.com/org/qa-action/internal/wording"
)

// ESLint runs the repository's eslint with the repository's configuration,
// which is a program: it runs only where Request.Exec puts it.
var ESLint = engine.Engine{
	Name:         "eslint",
	Perspectives: []qa.Perspective{qa.Bug, qa.Security, qa.TestCoverage, qa.CodeQuality, qa.UX},
	Languages:    []string{"javascript", "typescript"}, Tool: "eslint", Version: []string{"--version"},
	Run: runEslint,
}

// install is the command that installs the programs of the repository.
func install(p *engine.Pass) string {
	for _, l := range language.Installs {
		if dir, _, ok := p.Configured(l.File); ok {
			return shell.InDir(strings.TrimPrefix(dir, "."), l.Install)
		}
	}
	return "npm install"
}

func runEslint(ctx context.Context, p *engine.Pass) ([]engine.Hit, error) {
	dir, _, ok := p.Configured(language.ESLintConfigs...)
	if !ok {
		if !strings.Contains(string(p.Tree.Content("package.json")), `"eslintConfig"`) {
			return nil, engine.SkipError("the repository does not configure it")
		}
		dir = "."
	}
	tool, err := p.OwnTool("eslint", install(p))
	if err != nil {
		return nil, err
	}
	return p.Over(ctx, engine.Call{
		Dir: dir, Argv: []string{tool, "--format", "json"},
		// Since versions 6.8 and 8.51.
		Newer: []engine.Newer{{Argument: "--no-error-on-unmatched-pattern", Refused: "error-on-unmatched-pattern"}, {Argument: "--no-warn-ignored", Refused: "warn-ignored"}},
		Read:  ParseEslint,
	})
}

func ParseEslint(res process.Result) ([]engine.Hit, error) {
	var report *[]struct {
		FilePath string
		Messages []struct {
			RuleID       *string
			Severity     int
			Message      string
			Line, Column int
			EndLine      int
			Fatal        bool
			Fix          *struct {
				Range [2]int
				Text  string
			}
			SuggestionSet []struct{ Desc string } `json:"suggestions"`
		}
	}
	if err := json.Unmarshal(res.Stdout, &report); err != nil || report == nil {
		return nil, engine.Garbled("eslint", res, engine.OrMissing(err, "list of files"))
	}
	var hits []engine.Hit
	for _, file := range *report {
		for _, m := range file.Messages {
			h := engine.Hit{
				Rule: "eslint/syntax", Path: file.FilePath, Message: m.Message, Column: m.Column,
				Lines: qa.Range{Start: m.Line, End: max(m.Line, m.EndLine)},
			}
			switch {
			case m.RuleID != nil:
				h.Rule = "eslint/" + *m.RuleID
				if m.Severity < 2 {
					h.Severity = qa.Low
				}
			case !m.Fatal: // "File ignored because …"
				continue
			}
			if len(m.SuggestionSet) > 0 {
				h.Suggestion = m.SuggestionSet[0].Desc
			}
			if m.Fix != nil {
				h.Fix = &engine.Fix{Unit: engine.UTF16, Edits: []engine.Edit{{From: engine.Place{Column: m.Fix.Range[0]}, To: engine.Place{Column: m.Fix.Range[1]}, Text: m.Fix.Text}}}
			}
			hits = append(hits, h)
		}
	}
	if res.ExitCode > 1 {
		return hits, fmt.Errorf("eslint failed: %s", wording.Cut(wording.First(string(res.Stderr)), 200))
	}
	return hits, nil
}
