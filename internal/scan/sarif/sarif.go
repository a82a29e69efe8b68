// Package sarif reads hits from a SARIF log.
package sarif

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
	"github.com/org/qa-action/internal/wording"
)

// The parts of SARIF that a finding is made of.
type (
	sarifLog struct {
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver     sarifComponent   `json:"driver"`
			Extensions []sarifComponent `json:"extensions"`
		} `json:"tool"`
		Results []sarifResult `json:"results"`
	}
	sarifComponent struct {
		Name  string      `json:"name"`
		Rules []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string    `json:"id"`
		Name    string    `json:"name"`
		HelpURI string    `json:"helpUri"`
		Short   sarifText `json:"shortDescription"`
		Default struct {
			Level string `json:"level"`
		} `json:"defaultConfiguration"`
		Properties struct {
			SecuritySeverity json.RawMessage `json:"security-severity"`
			Tags             []string        `json:"tags"`
		} `json:"properties"`
	}
	sarifText   struct{ Text string }
	sarifResult struct {
		RuleID string `json:"ruleId"`
		Rule   struct {
			ID string `json:"id"`
		} `json:"rule"`
		RuleIndex    *int              `json:"ruleIndex"`
		Level        string            `json:"level"`
		Kind         string            `json:"kind"`
		Message      sarifText         `json:"message"`
		Suppressions []json.RawMessage `json:"suppressions"`
		Locations    []struct {
			Physical struct {
				Artifact struct {
					URI string `json:"uri"`
				} `json:"artifactLocation"`
				Region struct {
					StartLine, EndLine, StartColumn int
				} `json:"region"`
			} `json:"physicalLocation"`
		} `json:"locations"`
	}
)

// Parse reads the results of a SARIF log. Rules are qualified by the
// tool's name; results that the tool suppressed, or that passed, are left out.
func Parse(data []byte) ([]engine.Hit, error) {
	var log sarifLog
	if err := json.Unmarshal(data, &log); err != nil {
		return nil, fmt.Errorf("parse SARIF: %w", err)
	}
	if !strings.HasPrefix(log.Version, "2.") || log.Runs == nil {
		return nil, fmt.Errorf("parse SARIF: version %q and %s, expected version 2.1.0 with runs", log.Version, wording.Count(len(log.Runs), "run"))
	}
	var hits []engine.Hit
	for _, run := range log.Runs {
		known := map[string]sarifRule{}
		for _, c := range append(run.Tool.Extensions, run.Tool.Driver) {
			for _, r := range c.Rules {
				known[r.ID] = r
			}
		}
		for _, res := range run.Results {
			if h, ok := sarifHit(run, known, res); ok {
				hits = append(hits, h)
			}
		}
	}
	return hits, nil
}

func sarifHit(run sarifRun, known map[string]sarifRule, res sarifResult) (engine.Hit, bool) {
	if len(res.Suppressions) > 0 || res.Kind != "" && res.Kind != "fail" || len(res.Locations) == 0 {
		return engine.Hit{}, false
	}
	id := cmp.Or(res.RuleID, res.Rule.ID)
	if rules := run.Tool.Driver.Rules; id == "" && res.RuleIndex != nil && *res.RuleIndex >= 0 && *res.RuleIndex < len(rules) {
		id = rules[*res.RuleIndex].ID
	}
	rule := known[id]
	where := res.Locations[0].Physical
	uri, err := url.PathUnescape(where.Artifact.URI)
	if err != nil || uri == "" {
		return engine.Hit{}, false
	}
	h := engine.Hit{
		Rule: toolName(run.Tool.Driver.Name) + "/" + id, Name: rule.Name, URL: rule.HelpURI,
		Path: uri, Lines: qa.Range{Start: where.Region.StartLine, End: where.Region.EndLine}, Column: where.Region.StartColumn,
		Message: res.Message.Text,
	}
	h.Message = cmp.Or(h.Message, rule.Short.Text)
	h.Severity = sarifSeverity(run.Tool.Driver.Name, res, rule)
	for _, tag := range rule.Properties.Tags {
		if tag == "security" {
			h.Perspectives = []qa.Perspective{qa.Security}
		}
		if m := cweTag.FindStringSubmatch(tag); m != nil {
			h.CWE = append(h.CWE, "CWE-"+strings.TrimLeft(m[1], "0"))
		}
	}
	return h, true
}

// sarifSeverity follows GitHub's reading: the security-severity of a rule is a
// CVSS-like number, otherwise the level decides.
func sarifSeverity(tool string, res sarifResult, rule sarifRule) qa.Severity {
	if n, err := strconv.ParseFloat(strings.Trim(string(rule.Properties.SecuritySeverity), `"`), 64); err == nil {
		switch {
		case n >= 9:
			return qa.Critical
		case n >= 7:
			return qa.High
		case n >= 4:
			return qa.Medium
		}
		return qa.Low
	}
	if len(engine.Rules()[toolName(tool)]) > 0 {
		return "" // the table knows this tool's rules better than its level does
	}
	level := cmp.Or(res.Level, rule.Default.Level)
	switch level {
	case "error":
		return qa.High
	case "note", "none":
		return qa.Low
	}
	return qa.Medium
}

// toolName makes "Golang security checks by gosec" style names one word.
func toolName(s string) string {
	s = strings.ToLower(strings.TrimSpace(s))
	for _, known := range []string{"gosec", "staticcheck", "eslint", "biome", "ruff", "bandit", "codeql", "semgrep", "gitleaks"} {
		if strings.Contains(s, known) {
			return known
		}
	}
	if s = strings.Join(strings.Fields(s), "-"); s == "" {
		return "sarif"
	}
	return strings.ReplaceAll(s, "/", "-")
}

var cweTag = pattern.New(`(?i)cwe[-/](\d+)`)
