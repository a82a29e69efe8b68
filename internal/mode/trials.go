package mode

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/mutation"
	"github.com/org/qa-action/internal/pipeline"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/generator"
	"github.com/org/qa-action/internal/session"
)

// roundsOf are the tasks of a layer that id begins with: itself, and what the
// generator-critic rounds of shards added to it. fix names the n-th of those.
func roundsOf(id string, shards []*shard, fix func(n int) string) []string {
	ids := []string{id}
	for n := 1; slices.ContainsFunc(shards, func(s *shard) bool { _, had := s.results[fix(n)]; return had }); n++ {
		ids = append(ids, fix(n))
	}
	return ids
}

// inOrder are the shards by what they measured, as a whole run goes through its
// targets.
func inOrder(shards []*shard) []*shard {
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

// proposed is what the model proposed to the shards for a layer; the error is a
// skip where it was asked by none.
func proposed(row Row, shards []*shard) (result, error) {
	asked, out := false, result{}
	for _, id := range roundsOf(row.ID, shards, func(n int) string { gen, _ := Fix(row.Layer, n); return gen }) {
		for _, s := range inOrder(shards) {
			v, had := s.results[id]
			asked = asked || had
			for _, c := range v.Candidates {
				if !slices.ContainsFunc(out.Candidates, func(o generator.Candidate) bool { return reflect.DeepEqual(o, c) }) {
					out.Candidates = append(out.Candidates, c)
				}
			}
		}
	}
	if !asked {
		return out, notRun(row.ID, shards)
	}
	out.Findings = fmt.Sprintf("%d tests proposed", len(out.Candidates))
	return out, nil
}

// joinTrials are the trials of a layer's tests in all shards and rounds, and
// what was seen of the mutants; nil where none was on trial. A test that two
// shards wrote alike is one test.
func joinTrials(row Row, shards []*shard) (*trial, *mutation.Set) {
	var (
		out   *trial
		parts []*mutation.Set
	)
	for _, id := range roundsOf(row.ID, shards, func(n int) string { _, run := Fix(row.Layer, n); return run }) {
		for _, s := range inOrder(shards) {
			v := s.results[id]
			if v.Mutation != nil {
				parts = append(parts, v.Mutation)
			}
			if v.Trial == nil {
				continue
			}
			if out == nil {
				out = &trial{Files: map[string]string{}, Gained: map[string][]int{}, Killers: map[string]string{}, Evidence: map[string]string{}}
			}
			out.add(*v.Trial)
		}
	}
	if len(parts) == 0 {
		return out, nil
	}
	return out, mutation.Join(parts...)
}

// add brings in what is new of another trial.
func (t *trial) add(o trial) {
	for _, g := range o.Tests {
		if i := slices.IndexFunc(t.Tests, func(k qa.GeneratedTest) bool { return alike(k, g) }); i < 0 {
			t.Tests = append(t.Tests, g)
		} else if g.Kept {
			t.Tests[i] = g
		}
	}
	for _, p := range o.Proofs {
		if !slices.ContainsFunc(t.Proofs, func(k proof) bool { return reflect.DeepEqual(k, p) }) {
			t.Proofs = append(t.Proofs, p)
		}
	}
	maps.Copy(t.Files, o.Files)
	maps.Copy(t.Evidence, o.Evidence)
	for path, lines := range o.Gained {
		all := append(slices.Clone(t.Gained[path]), lines...)
		slices.Sort(all)
		t.Gained[path] = slices.Compact(all)
	}
	for _, id := range o.Killed {
		if !slices.Contains(t.Killed, id) {
			t.Killed = append(t.Killed, id)
		}
	}
	for id, by := range o.Killers {
		t.Killers[id] = cmp.Or(t.Killers[id], by)
	}
}

// alike reports whether two shards wrote the same test.
func alike(a, b qa.GeneratedTest) bool {
	return a.Path == b.Path && a.Name == b.Name && a.Code == b.Code && a.Layer == b.Layer
}

// kept counts the kept ones, for the text of an executor's task.
func (t *trial) kept() (n int) {
	for _, g := range t.Tests {
		if g.Kept {
			n++
		}
	}
	return n
}

// keepRound remembers how far the loop of a layer came in the shards.
func (r *run) keepRound(layer qa.Layer, l *qa.LayerResult) error {
	for id, o := range r.outcomes {
		if row := r.rows[id]; row.Role == Generator && row.Layer == layer && o.State == pipeline.Completed {
			return r.session.Round(session.Round{Layer: string(layer), Round: l.Rounds, Coverage: percent(l.Patch), PassRate: l.PassRate})
		}
	}
	return nil
}

// writtenApart holds what shards wrote into the same test file against each
// other: the same text is one file; of two texts nobody knows whether their
// tests hold together.
func writtenApart(shards []*shard) []error {
	var problems []error
	kinds := map[string]func(t *trial) map[string]string{
		"test file":             func(t *trial) map[string]string { return t.Files },
		"evidence in test file": func(t *trial) map[string]string { return t.Evidence },
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		by, text := map[string]*shard{}, map[string]string{}
		for _, s := range shards {
			last := map[string]string{}
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
