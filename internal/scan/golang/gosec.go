package golang

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
	"github.com/org/qa-action/internal/wording"
)

// Gosec runs gosec (github.com/securego/gosec) with the rules of rules.csv:
// those whose findings are right often enough to be read. Left out are the
// ones that fire on ordinary code (unhandled errors, any subprocess, any file
// name from a variable, integer conversions) and the import blocklist, which
// repeats the use of what is imported.
var Gosec = engine.Engine{
	Name:         "gosec",
	Perspectives: []qa.Perspective{qa.Security},
	Languages:    []string{"go"}, Tool: "gosec",
	LineOnly: true,
	Run:      runGosec,
}

func runGosec(ctx context.Context, p *engine.Pass) ([]engine.Hit, error) {
	tool, err := p.Tool("gosec")
	if err != nil {
		return nil, err
	}
	return eachModule(ctx, p, func(module string, dirs []string) ([]engine.Hit, error) {
		argv := append([]string{
			// Not -quiet: with it, a package that cannot be loaded is a clean one.
			tool, "-fmt", "json", "-confidence", "medium", "-exclude-generated",
			"-include", strings.Join(engine.Selected("gosec"), ","),
		}, dirs...)
		res, err := p.Run(ctx, module, goEnv(p), argv...)
		if err != nil {
			return nil, err
		}
		return ParseGosec(res)
	})
}

func ParseGosec(res process.Result) ([]engine.Hit, error) {
	var report struct {
		Errors map[string][]struct{ Error string } `json:"Golang errors"`
		Issues []struct {
			CWE             struct{ ID string }
			RuleID          string `json:"rule_id"`
			Details         string
			File            string
			Line            string
			Column          string
			Suppressions    []json.RawMessage
			SuppressionNote bool `json:"nosec"`
		}
		Stats *json.RawMessage
	}
	if err := json.Unmarshal(res.Stdout, &report); err != nil || report.Stats == nil {
		return nil, engine.Garbled("gosec", res, engine.OrMissing(err, "Stats"))
	}
	var hits []engine.Hit
	for _, i := range report.Issues {
		if i.SuppressionNote || len(i.Suppressions) > 0 {
			continue
		}
		start, end, _ := strings.Cut(i.Line, "-")
		first, err := strconv.Atoi(start)
		if err != nil {
			continue
		}
		last, err := strconv.Atoi(end)
		if err != nil {
			last = first
		}
		column, _ := strconv.Atoi(i.Column)
		h := engine.Hit{
			Rule: "gosec/" + i.RuleID, URL: "https://github.com/securego/gosec#available-rules",
			Path: i.File, Lines: qa.Range{Start: first, End: last}, Column: column, Message: engine.Sentence(i.Details),
		}
		if i.CWE.ID != "" {
			h.CWE = []string{"CWE-" + i.CWE.ID}
		}
		hits = append(hits, h)
	}
	for _, where := range slices.Sorted(maps.Keys(report.Errors)) {
		if len(report.Errors[where]) == 0 {
			continue
		}
		first := report.Errors[where][0].Error
		if unresolved.MatchString(first) {
			return hits, unloadable(wording.Cut(wording.First(first), 200))
		}
		return hits, fmt.Errorf("gosec saw only a part: %s: %s", path.Base(where), wording.Cut(wording.First(first), 200))
	}
	return hits, nil
}
