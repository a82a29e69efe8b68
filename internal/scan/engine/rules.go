package engine

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
)

// rulesCSV is the published table of docs/severity.md: whose rule, its id (a
// trailing * stands for any ending), severity, perspectives, CWE and group.
// Rules of one group are the same problem to different engines.
//
//go:embed rules.csv
var rulesCSV string

// RuleInfo is one row of the table, as it applies to one rule.
type RuleInfo struct {
	Source, ID   string
	Severity     qa.Severity
	Perspectives []qa.Perspective
	CWE          []string
	Group        string
}

// Rules is the parsed table, rows by source in the order of the file.
var Rules = sync.OnceValue(func() map[string][]RuleInfo {
	table, err := parseRules(rulesCSV)
	if err != nil {
		panic(err) // the table is part of the program and is read by its tests
	}
	return table
})

func parseRules(text string) (map[string][]RuleInfo, error) {
	r := csv.NewReader(strings.NewReader(text))
	r.Comment = '#'
	r.FieldsPerRecord = 6
	records, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("parse rules.csv: %w", err)
	}
	table := map[string][]RuleInfo{}
	for _, rec := range records[1:] {
		info := RuleInfo{Source: rec[0], ID: rec[1], Severity: qa.Severity(rec[2]), Group: rec[5]}
		if !slices.Contains(qa.Severities(), info.Severity) {
			return nil, fmt.Errorf("parse rules.csv: %s/%s: unknown severity %q", rec[0], rec[1], rec[2])
		}
		for p := range strings.FieldsSeq(rec[3]) {
			if !slices.Contains(qa.Perspectives(), qa.Perspective(p)) {
				return nil, fmt.Errorf("parse rules.csv: %s/%s: unknown perspective %q", rec[0], rec[1], p)
			}
			info.Perspectives = append(info.Perspectives, qa.Perspective(p))
		}
		for cwe := range strings.FieldsSeq(rec[4]) {
			info.CWE = append(info.CWE, "CWE-"+cwe)
		}
		table[info.Source] = append(table[info.Source], info)
	}
	return table, nil
}

// RuleFor gives what is known of a hit's rule: the table's most exact row, and
// over it what the hit itself says.
func RuleFor(h Hit) RuleInfo {
	source, id, _ := strings.Cut(h.Rule, "/")
	out := RuleInfo{Source: source, ID: id, Severity: qa.Medium, Perspectives: []qa.Perspective{qa.CodeQuality}}
	best := -1
	for _, row := range Rules()[source] {
		prefix, open := strings.CutSuffix(row.ID, "*")
		exact := !open && row.ID == id
		if exact || open && strings.HasPrefix(id, prefix) {
			weight := len(prefix)
			if exact {
				weight = 1 << 20
			}
			if weight > best {
				best = weight
				out.Severity, out.Perspectives, out.CWE, out.Group = row.Severity, row.Perspectives, row.CWE, row.Group
			}
		}
	}
	if h.Severity != "" {
		out.Severity = h.Severity
	}
	if len(h.Perspectives) > 0 {
		out.Perspectives = h.Perspectives
	}
	if len(h.CWE) > 0 {
		out.CWE = h.CWE
	}
	if out.Group == "" {
		out.Group = group(source, id)
	}
	return out
}

// group gives rules that carry one name in several tools the same group.
func group(source, id string) string {
	switch source {
	case "oxlint", "eslint", "biome":
		return "js/" + kebab(id[strings.LastIndexByte(id, '/')+1:])
	case "ruff", "flake8":
		return "py/" + id
	}
	return source + "/" + id
}

// kebab writes biome's noDebugger as the others' no-debugger.
func kebab(s string) string {
	return strings.TrimPrefix(capital.ReplaceAllStringFunc(s, func(c string) string { return "-" + strings.ToLower(c) }), "-")
}

var capital = pattern.New(`[A-Z]`)

// Selected lists the exact rule ids of a source: what we ask its tool for.
func Selected(source string) []string {
	var out []string
	for _, row := range Rules()[source] {
		if !strings.HasSuffix(row.ID, "*") {
			out = append(out, row.ID)
		}
	}
	return out
}
