package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/org/qa-action/bench/eval/recording"
	"github.com/org/qa-action/internal/llm"
	"github.com/org/qa-action/internal/qa"
)

// The order of a run, each answer with its outcome, and no text of a model that
// ends the block it stands in.
func TestConversation(t *testing.T) {
	exchange := func(job, prompt, reply string) recording.Exchange {
		return recording.Exchange{Exchange: llm.Exchange{Job: job, System: "rules", Prompt: prompt, Reply: json.RawMessage(reply)}}
	}
	dir, s := t.TempDir(), &stage{change: change{ID: "one"}}
	report := &qa.Report{
		Findings:  []qa.Finding{{ID: "SCOUT-ISSUE-1", Path: "a.go", Rule: qa.Rule{ID: "model/leak"}, Evidence: qa.Proven}},
		Generated: []qa.GeneratedTest{{Name: "TestA", Kept: true, Base: qa.Passed, Head: qa.Passed, Kills: 2}, {Name: "TestB", Gate: "G7", Reason: "kills no mutant"}},
	}
	err := tell(dir, s, []recording.Exchange{
		exchange("generator/L1", "write", `{"tests":[{"name":"TestA"},{"name":"TestB"},{"name":"TestC"}]}`),
		exchange("scout/scan", "look\n```\n# out of the block", `{"findings":[{"path":"a.go","title":"leak"},{"path":"b.go","title":"race","explanation":"why"}]}`),
	}, report)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "one.md"))
	if err != nil {
		t.Fatal(err)
	}
	rest := string(raw)
	for _, want := range []string{
		"## 1. scout/scan", "````text\nlook\n```\n# out of the block\n````",
		"- leak: SCOUT-ISSUE-1 of the report, proven\n- race: no finding of the report has its name or its words",
		"## 2. generator/L1", "- `TestA` is kept: passed on base, passed on head, mutants that only it notices: 2",
		"- `TestB` ends at G7: kills no mutant", "- `TestC` was not put on trial under this name", "## The report",
	} {
		_, after, found := strings.Cut(rest, want)
		if !found {
			t.Fatalf("expected %q in\n%s", want, rest)
		}
		rest = after
	}
}
