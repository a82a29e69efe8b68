package engine

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/golden"

	"github.com/org/qa-action/internal/qa"
)

const rulesMark = "<!-- rules: made of internal/scan/engine/rules.csv"

// TestSeverityPage keeps the published table and the one in force the same.
func TestSeverityPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/severity.md")
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(page), rulesMark)
	if !ok {
		t.Fatalf("docs/severity.md has no line %q", rulesMark)
	}
	mark, _, _ := strings.Cut(rest, "\n")
	want := head + rulesMark + mark + "\n" + rulesTable(t)
	golden.Assert(t, want, filepath.Join("..", "..", "..", "..", "docs", "severity.md"))
}

func rulesTable(t *testing.T) string {
	t.Helper()
	r := csv.NewReader(strings.NewReader(rulesCSV))
	r.Comment = '#'
	records, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("\n| tool | rule | severity | perspectives | CWE | group |\n|---|---|---|---|---|---|\n")
	for _, rec := range records[1:] {
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s | %s | %s |\n", rec[0], rec[1], rec[2], strings.ReplaceAll(rec[3], " ", ", "), rec[4], rec[5])
	}
	return b.String()
}

func TestRulesTable(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for source, rows := range Rules() {
		for _, row := range rows {
			key := source + "/" + row.ID
			if seen[key] {
				t.Errorf("rules.csv names %s twice", key)
			}
			seen[key] = true
			if len(row.Perspectives) == 0 {
				t.Errorf("rules.csv: %s has no perspective", key)
			}
		}
	}
	for rule, want := range map[string]qa.Severity{
		"staticcheck/SA5000": qa.High, "staticcheck/SA4000": qa.Medium, "staticcheck/QF1001": qa.Low,
		"ruff/F505": qa.Medium, "ruff/PLE0100": qa.High, "unheard-of/x": qa.Medium,
	} {
		if got := RuleFor(Hit{Rule: rule}).Severity; got != want {
			t.Errorf("%s is %s, want %s", rule, got, want)
		}
	}
	for text, want := range map[string]string{
		"source,rule,severity,perspectives,cwe,group\nx,y,awful,bug,,\n": `unknown severity "awful"`,
		"source,rule,severity,perspectives,cwe,group\nx,y,low,fun,,\n":   `unknown perspective "fun"`,
		"source,rule\nx,y\n": "wrong number of fields",
	} {
		if _, err := parseRules(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
