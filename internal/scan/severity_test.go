package scan

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/golden"

	"github.com/org/qa-action/internal/qa"
)

const rulesMark = "<!-- rules: made of internal/scan/rules.csv"

// TestSeverityPage keeps the published table and the one in force the same.
func TestSeverityPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/severity.md")
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(page), rulesMark)
	if !ok {
		t.Fatalf("docs/severity.md has no line %q", rulesMark)
	}
	mark, _, _ := strings.Cut(rest, "\n")
	want := head + rulesMark + mark + "\n" + rulesTable(t)
	golden.Assert(t, want, filepath.Join("..", "..", "..", "docs", "severity.md"))
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
	for source, rows := range rules() {
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
		if got := ruleFor(Hit{Rule: rule}).Severity; got != want {
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

// TestToolsAreDeclared keeps an engine from needing a program that the image
// and the doctor do not know.
func TestToolsAreDeclared(t *testing.T) {
	t.Parallel()
	// The repository's own: toolchains, and linters that it configures.
	others := []string{"go", "python3", "eslint", "biome", "pylint", "golangci-lint"}
	for _, name := range Names() {
		e, err := engineNamed(name)
		if err != nil {
			t.Fatal(err)
		}
		if e.Doc == "" || e.Name != name || len(e.Perspectives) == 0 {
			t.Errorf("engine %s is not fully declared: %+v", name, e)
		}
		if _, ok := toolNamed(e.Tool); e.Tool != "" && !ok && !slices.Contains(others, e.Tool) {
			t.Errorf("engine %s needs %s, which tools.csv does not name", name, e.Tool)
		}
	}
	for _, tool := range Tools() {
		if !strings.Contains(tool.Install, tool.Version) && tool.Name != "staticcheck" { // its module has numbers of its own
			t.Errorf("%s: %q does not install version %s", tool.Name, tool.Install, tool.Version)
		}
	}
}
