package shard

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/mutation"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/generator"
	"github.com/org/qa-action/internal/task"
	"github.com/org/qa-action/internal/trials"
)

// roundsOf are the tasks of a layer that id begins with: itself, and what the
// generator-critic rounds of shards added to it. fix names the n-th of those.
func roundsOf(id string, shards Shards, fix func(n int) string) []string {
	ids := []string{id}
	for n := 1; slices.ContainsFunc(shards, func(s *shard) bool { _, had := s.results[fix(n)]; return had }); n++ {
		ids = append(ids, fix(n))
	}
	return ids
}

// inOrder are the shards by what they measured, as a whole run goes through its
// targets.
func inOrder(shards Shards) Shards {
	first := func(s *shard) string {
		if len(s.measured) == 0 {
			return ""
		}
		return s.measured[0].Target.Name
	}
	out := slices.Clone(shards)
	slices.SortStableFunc(out, func(a, b *shard) int {
		return cmp.Or(strings.Compare(first(a), first(b)), strings.Compare(a.name, b.name))
	})
	return out
}

// Proposed is what the model proposed to the shards for a layer; the error is a
// skip where it was asked by none.
func (all Shards) Proposed(row task.Row) (task.Result, error) {
	asked, out := false, task.Result{}
	for _, id := range roundsOf(row.ID, all, func(n int) string { gen, _ := task.Fix(row.Layer, n); return gen }) {
		for _, s := range inOrder(all) {
			v, had := s.results[id]
			asked = asked || had
			out.Alike, out.Beyond = each.Added(out.Alike, v.Alike...), each.Added(out.Beyond, v.Beyond...)
			for _, c := range v.Candidates {
				if !slices.ContainsFunc(out.Candidates, func(o generator.Candidate) bool { return reflect.DeepEqual(o, c) }) {
					out.Candidates = append(out.Candidates, c)
				}
			}
		}
	}
	if !asked {
		return out, all.NotRun(row.ID)
	}
	out.Findings = fmt.Sprintf("%d tests proposed", len(out.Candidates))
	return out, nil
}

// joinTrials are the trials of a layer's tests in all shards and rounds, and
// what was seen of the mutants; nil where none was on trial. A test that two
// shards wrote alike is one test.
func joinTrials(row task.Row, all Shards) (*trials.Trial, *mutation.Set) {
	var (
		out   *trials.Trial
		parts []*mutation.Set
	)
	for _, id := range roundsOf(row.ID, all, func(n int) string { _, run := task.Fix(row.Layer, n); return run }) {
		for _, s := range inOrder(all) {
			v := s.results[id]
			parts = append(parts, v.Mutation)
			if v.Trial == nil {
				continue
			}
			if out == nil {
				none := trials.New()
				out = &none
			}
			out.Join(*v.Trial)
		}
	}
	return out, mutation.Join(parts...)
}

// Again is what became in the shards of tests that proved regressions before.
func (all Shards) Again(row task.Row) (*trials.Trial, *mutation.Set) { return joinTrials(row, all) }

// conflicts holds what shards wrote into the same test file against each
// other: the same text is one file; of two texts nobody knows whether their
// tests hold together.
func conflicts(shards Shards) []error {
	var problems []error
	kinds := map[string]func(t *trials.Trial) map[string]string{
		"test file":             func(t *trials.Trial) map[string]string { return t.Files },
		"evidence in test file": func(t *trials.Trial) map[string]string { return t.Evidence },
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		by, text := map[string]*shard{}, map[string]string{}
		for _, s := range shards {
			last := map[string]string{}
			if v := s.results[task.Strategy]; v.Trial != nil {
				maps.Copy(last, kinds[kind](v.Trial))
			}
			for _, row := range []qa.Layer{qa.L1, qa.L2, qa.L3} {
				for _, id := range slices.Sorted(maps.Keys(s.results)) {
					if v := s.results[id]; v.Trial != nil && v.Layer != nil && v.Layer.Layer == row {
						maps.Copy(last, kinds[kind](v.Trial))
					}
				}
			}
			for _, path := range slices.Sorted(maps.Keys(last)) {
				if first := by[path]; first != nil && text[path] != last[path] {
					problems = append(problems, fmt.Errorf("%s %s was written differently by two shards: %s and %s; give the model to one of them", kind, path, first.name, s.name))
				}
				by[path], text[path] = s, last[path]
			}
		}
	}
	return problems
}
