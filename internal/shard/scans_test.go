package shard

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/scout"
	"github.com/org/qa-action/internal/scan/engine"
	"github.com/org/qa-action/internal/scan/finding"
	"github.com/org/qa-action/internal/task"
)

// Each shard scanned its own directory: what one left unseen is unseen in the
// whole, and a file is outside only where every one says so.
func TestShardsScansAreOne(t *testing.T) {
	t.Parallel()
	found := func(print string, s qa.Severity) qa.Finding {
		return qa.Finding{Fingerprint: print, Severity: s, Status: qa.StatusNew, Engines: []string{"ruff"}}
	}
	got := joinScans(qa.Medium, []finding.Result{
		{
			Findings: []qa.Finding{found("1", qa.High)}, Cut: []qa.Finding{found("2", qa.Low)},
			Folded:  map[string]int{"below min-severity medium": 1, "outside the change": 2},
			Skipped: map[string]string{"b/x.py": engine.Outside, "root.py": engine.Outside, "b/y.py": engine.Outside},
			Engines: []qa.Engine{{Name: "ruff", State: "ran", Findings: 2}, {Name: "gosec", State: "skipped"}, {Name: "biome", State: "skipped", Reason: engine.NoFiles}},
		},
		{
			Findings: []qa.Finding{found("3", qa.High)}, Cut: []qa.Finding{found("4", qa.Low)},
			Folded:  map[string]int{"below min-severity medium": 1, "outside the change": 2},
			Skipped: map[string]string{"a/x.py": engine.Outside, "root.py": engine.Outside, "b/y.py": "binary"},
			Engines: []qa.Engine{{Name: "ruff", State: "timeout", Gap: "1 Python file"}, {Name: "gosec", State: "ran"}, {Name: "biome", State: "missing", Reason: "not installed"}},
		},
	})
	if d := cmp.Diff([]qa.Engine{{Name: "ruff", State: "timeout", Gap: "1 Python file", Findings: 4}, {Name: "gosec", State: "ran"}, {Name: "biome", State: "missing", Reason: "not installed"}}, got.Engines); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[string]string{"root.py": engine.Outside, "b/y.py": "binary"}, got.Skipped); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[string]int{"below min-severity medium": 2, "outside the change": 2}, got.Folded); d != "" {
		t.Error(d)
	}
}

// What second readers said in the shards is known to the whole.
func TestShardsReadingsAreOne(t *testing.T) {
	t.Parallel()
	read := func(fingerprint string, refuted bool) *shard {
		return &shard{results: map[string]task.Result{"ANALYST": {Read: scout.Readings{{Fingerprint: fingerprint, Refuted: refuted}}}}}
	}
	got := Shards{read("a", true), {}, read("b", false)}.Read("ANALYST")
	if d := cmp.Diff(scout.Readings{{Fingerprint: "a", Refuted: true}, {Fingerprint: "b"}}, got); d != "" {
		t.Error(d)
	}
}
