package cli

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// TestEndToEnd runs the scripts that need more than git.
func TestEndToEnd(t *testing.T) {
	if os.Getenv("QA_E2E") == "" {
		t.Skip("set QA_E2E=1 and run make fixtures")
	}
	t.Parallel()
	scripts(t, "e2e/*.txtar")
	runScripts(t, frameworkScripts(t))
}

// frameworkScripts writes a script for every change of the sample projects that are
// there for a framework, which says what their expected.json does.
func frameworkScripts(t *testing.T) []string {
	t.Helper()
	var out []string
	quick := slices.DeleteFunc(framework.Names(), func(name string) bool {
		return name == framework.Command.Name || fixture.Expect(t, name).Slow
	})
	greens := fixture.Some(quick, 4)
	for _, name := range framework.Names() {
		if name == framework.Command.Name {
			continue
		}
		e := fixture.Expect(t, name)
		for change, o := range e.Changes {
			if change == "base" || !e.Runs() || !fixture.Deep() && change != "failing" && (change != "green" || !slices.Contains(greens, name)) {
				continue
			}
			text := fmt.Sprintf("fixture %s %s\ncode %d qa run --quiet\n", name, change, o.Code)
			for _, at := range slices.Sorted(maps.Keys(o.Report)) {
				text += fmt.Sprintf("want %s '%s'\n", at, strings.ReplaceAll(o.Report[at], "'", "''"))
			}
			file := filepath.Join(t.TempDir(), name+"-"+change+".txtar")
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			out = append(out, file)
		}
	}
	return out
}
