package scan

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/scan/engine"
)

// TestCorpusOfPrograms runs the engines that are programs over their corpus.
// All of tools.csv must be on PATH.
func TestCorpusOfPrograms(t *testing.T) {
	if os.Getenv("QA_E2E") == "" {
		t.Skip("set QA_E2E=1 with the programs of tools.csv on PATH")
	}
	t.Parallel()
	for _, name := range Names() {
		if slices.Contains(inProcess, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			corpusOf(t, name, func(req *Request) {
				req.ToolPath = func(tool string) (string, error) {
					if name == "compileall" && tool == "ruff" { // it steps back where ruff is installed
						return "", process.ErrNotFound
					}
					return process.LookPath(tool)
				}
			})
		})
	}
}

// TestOxlintKnowsOurRules asks oxlint for our rules: it accepts names it does
// not know without a word, and then checks less than the table says.
func TestOxlintKnowsOurRules(t *testing.T) {
	if os.Getenv("QA_E2E") == "" {
		t.Skip("set QA_E2E=1 with the programs of tools.csv on PATH")
	}
	t.Parallel()
	for _, plugin := range []string{"jest", "vitest"} {
		want := 0
		for _, id := range engine.Selected("oxlint") {
			if id != "syntax" && !(plugin == "jest" && hasPlugin(id, "vitest")) && !(plugin == "vitest" && hasPlugin(id, "jest")) {
				want++
			}
		}
		if got := oxlintRuleCount(t, plugin); got != want {
			t.Errorf("oxlint with the %s plugin applies %d rules, rules.csv names %d", plugin, got, want)
		}
	}
}

func hasPlugin(id, plugin string) bool {
	return len(id) > len(plugin) && id[:len(plugin)+1] == plugin+"/"
}

// oxlintRuleCount runs our rules over an empty file and reads how many applied.
func oxlintRuleCount(t *testing.T, plugin string) int {
	t.Helper()
	root := t.TempDir()
	write(t, root, "a.js", "export {};\n")
	write(t, root, "package.json", `{"devDependencies":{"`+plugin+`":"*"}}`)
	var count struct {
		Rules int `json:"number_of_rules"`
	}
	req := request(t, root)
	req.Engines = []string{"oxlint"}
	req.Exec = func(ctx context.Context, c process.Command) (process.Result, error) {
		res, err := process.Run(ctx, c)
		if slices.Contains(c.Argv, "--version") {
			return res, err
		}
		if err := json.Unmarshal(res.Stdout, &count); err != nil {
			t.Error(err)
		}
		return res, err
	}
	if _, err := Run(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	return count.Rules
}
