package scan

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/org/qa-action/internal/scan/engine"
)

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
		if e.Name != name || len(e.Perspectives) == 0 {
			t.Errorf("engine %s is not fully declared: %+v", name, e)
		}
		ok := slices.ContainsFunc(engine.Tools(), func(t engine.Tool) bool { return t.Name == e.Tool })
		if e.Tool != "" && !ok && !slices.Contains(others, e.Tool) {
			t.Errorf("engine %s needs %s, which tools.csv does not name", name, e.Tool)
		}
	}
	for _, tool := range engine.Tools() {
		if !strings.Contains(tool.Install, tool.Version) && tool.Name != "staticcheck" { // its module has numbers of its own
			t.Errorf("%s: %q does not install version %s", tool.Name, tool.Install, tool.Version)
		}
	}
}

// TestPageHasEveryRule holds docs/severity.md to the table of rules.
func TestPageHasEveryRule(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "severity.md"))
	if err != nil {
		t.Fatal(err)
	}
	table, err := os.Open(filepath.Join("engine", "rules.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	rules := csv.NewReader(table)
	rules.Comment = '#'
	rows, err := rules.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows[1:] {
		row := fmt.Sprintf("| %s | `%s` | %s | %s | %s | %s |", r[0], r[1], r[2], strings.ReplaceAll(r[3], " ", ", "), r[4], r[5])
		if !strings.Contains(string(page), row) {
			t.Errorf("docs/severity.md does not have %s", row)
		}
	}
}
