package shard

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/generator"
	"github.com/org/qa-action/internal/task"
	"github.com/org/qa-action/internal/trials"
)

// wrote is a shard whose model wrote test files, in two rounds.
func wrote(name string, first, second map[string]string) *shard {
	of := func(files map[string]string) task.Result {
		t := &trials.Trial{Files: files, Gained: map[string][]int{"a.go": {1}}, Killed: []string{"m1"}, Killers: map[string]string{"m1": name}}
		v := task.Result{Layer: &qa.LayerResult{Layer: qa.L1}, Trial: t}
		for _, path := range slices.Sorted(maps.Keys(files)) {
			t.Tests = append(t.Tests, qa.GeneratedTest{Path: path, Name: "Test" + files[path], Layer: qa.L1, Kept: true})
			v.Candidates = append(v.Candidates, generator.Candidate{Path: path, Layer: qa.L1})
		}
		return v
	}
	s := &shard{name: name, results: map[string]task.Result{"QARUN-L1-001": of(first), "QAGEN-L1-001": {Candidates: of(first).Candidates}, "QAANA-001": {}}}
	if second != nil {
		s.results["QARUN-L1-gc-1"], s.results["QAGEN-L1-fix-1"] = of(second), task.Result{Candidates: of(second).Candidates}
	}
	return s
}

func TestOneTestFileHasOneText(t *testing.T) {
	t.Parallel()
	a, b, both := map[string]string{"a_test.go": "A"}, map[string]string{"b_test.go": "B"}, map[string]string{"a_test.go": "A", "b_test.go": "B"}
	for name, c := range map[string]struct {
		shards Shards
		want   string
	}{
		"apart":                {Shards{wrote("one", a, nil), wrote("two", b, nil)}, ""},
		"the same text":        {Shards{wrote("one", a, nil), wrote("two", both, nil)}, ""},
		"the same in the end":  {Shards{wrote("one", map[string]string{"a_test.go": "half"}, a), wrote("two", a, nil)}, ""},
		"other texts":          {Shards{wrote("one", a, nil), wrote("two", map[string]string{"a_test.go": "Z"}, nil)}, "test file a_test.go was written differently by two shards: one and two; give the model to one of them"},
		"other in the end":     {Shards{wrote("one", a, map[string]string{"a_test.go": "more"}), wrote("two", a, nil)}, "test file a_test.go was written differently by two shards: one and two; give the model to one of them"},
		"twice in one of them": {Shards{wrote("one", a, map[string]string{"a_test.go": "more"}), wrote("two", b, nil)}, ""},
	} {
		got := ""
		for _, err := range conflicts(c.shards) {
			got += err.Error()
		}
		if got != c.want {
			t.Errorf("%s: got %q", name, got)
		}
	}
	one, two := wrote("one", a, nil), wrote("two", b, nil)
	for i, s := range []*shard{one, two} {
		s.results["QARUN-L1-001"].Trial.Evidence = map[string]string{"c_test.go": string(rune('x' + i))}
	}
	if got := conflicts(Shards{one, two}); len(got) != 1 || got[0].Error() != "evidence in test file c_test.go was written differently by two shards: one and two; give the model to one of them" {
		t.Errorf("evidence: %v", got)
	}
}

// TestTrialsOfShardsAreOne: every round of every shard is in it, and what two
// wrote alike once.
func TestTrialsOfShardsAreOne(t *testing.T) {
	t.Parallel()
	row := task.Row{ID: "QARUN-L1-001", Role: task.Executor, Layer: qa.L1}
	shards := Shards{
		wrote("one", map[string]string{"a_test.go": "A"}, map[string]string{"a_test.go": "AA"}),
		wrote("two", map[string]string{"a_test.go": "A", "b_test.go": "B"}, nil),
	}
	got, _ := joinTrials(row, shards)
	var names []string
	for _, g := range got.Tests {
		names = append(names, g.Path+" "+g.Name)
	}
	if diff := cmp.Diff([]string{"a_test.go TestA", "b_test.go TestB", "a_test.go TestAA"}, names); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]any{map[string]string{"a_test.go": "AA", "b_test.go": "B"}, map[string][]int{"a.go": {1}}, []string{"m1"}, map[string]string{"m1": "one"}},
		[]any{got.Files, got.Gained, got.Killed, got.Killers}); diff != "" {
		t.Error(diff)
	}
	out, err := shards.Proposed(task.Row{ID: "QAGEN-L1-001", Role: task.Generator, Layer: qa.L1})
	if err != nil || out.Findings != "2 tests proposed" {
		t.Errorf("%q, %v", out.Findings, err)
	}
	if none, m := joinTrials(task.Row{ID: "QARUN-L2-001", Layer: qa.L2}, shards); none != nil || m != nil {
		t.Errorf("a trial of a layer without any: %+v", none)
	}
	if _, err := shards.Proposed(task.Row{ID: "QAGEN-L2-001", Layer: qa.L2}); err == nil {
		t.Error("nobody was asked, yet it is done")
	}
}
