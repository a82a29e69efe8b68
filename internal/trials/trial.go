// Package trials puts generated tests on trial: the chain of role/assurance
// decides about each of them, and what they prove becomes evidence of findings.
// Start at [Runner.Try].
package trials

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/generator"
)

// Trial is what became of the generated tests of one executor task.
type Trial struct {
	Tests  []qa.GeneratedTest `json:"tests"`
	Proofs []Proof            `json:"proofs"`
	Files  map[string]string  `json:"files"` // test files with the kept tests
	Gained map[string][]int   `json:"gained"`
	Killed []string           `json:"killed"`
	// Killers names the first kept test that notices a mutant, by its id.
	Killers map[string]string `json:"killers,omitempty"`
	// Evidence are test files with the tests that prove or suspect something;
	// those fail, and are never delivered with the kept ones.
	Evidence map[string]string `json:"evidence,omitempty"`
	// Beheld are the mutants that a proof notices, which live all the same.
	Beheld []string `json:"beheld,omitempty"`
	// Weak is what weakened tests showed as they were on base.
	Weak []Weak `json:"weak,omitempty"`
}

// Proof is a test that shows a finding.
type Proof struct {
	qa.Proof
	Finding string `json:"finding,omitempty"`
	Source  string `json:"source"`
	Target  string `json:"target"`
	// Tie is what runs without the finding's lines said: [assurance.Shown],
	// [assurance.Apart], or nothing.
	Tie string `json:"tie,omitempty"`
	// Relied are words of the project that count on what base gave, with their file:
	// hostile.
	Relied string `json:"relied,omitempty"`
	// Written is the test as it was put on trial.
	Written generator.Candidate `json:"written"`
	// Was is the finding that a test of an earlier run proved there.
	Was *qa.Finding `json:"was,omitempty"`
}

// New is a trial without any test.
func New() Trial {
	return Trial{Files: map[string]string{}, Gained: map[string][]int{}, Killers: map[string]string{}, Evidence: map[string]string{}}
}

// Join brings in what is new of another trial.
func (t *Trial) Join(o Trial) {
	for _, g := range o.Tests {
		if i := slices.IndexFunc(t.Tests, func(k qa.GeneratedTest) bool { return Alike(k, g) }); i < 0 {
			t.Tests = append(t.Tests, g)
		} else if g.Kept {
			t.Tests[i] = g
		}
	}
	for _, p := range o.Proofs {
		if !slices.ContainsFunc(t.Proofs, func(k Proof) bool { return reflect.DeepEqual(k, p) }) {
			t.Proofs = append(t.Proofs, p)
		}
	}
	t.Weak = append(t.Weak, o.Weak...)
	maps.Copy(t.Files, o.Files)
	maps.Copy(t.Evidence, o.Evidence)
	for path, lines := range o.Gained {
		t.Gained[path] = each.Sorted(t.Gained[path], lines)
	}
	t.Killed, t.Beheld = each.Added(t.Killed, o.Killed...), each.Added(t.Beheld, o.Beheld...)
	for id, by := range o.Killers {
		t.Killers[id] = cmp.Or(t.Killers[id], by)
	}
}

// Alike reports whether two shards wrote the same test.
func Alike(a, b qa.GeneratedTest) bool {
	return a.Path == b.Path && a.Name == b.Name && a.Code == b.Code && a.Layer == b.Layer
}

// Kept counts the kept ones.
func (t *Trial) Kept() int {
	return each.Count(t.Tests, func(g qa.GeneratedTest) bool { return g.Kept })
}

// Learnt tells whether a next round would know what this one did not: a test of a
// function was dropped at a gate that stopped none of it before. There are few
// gates, so this ends.
func (t *Trial) Learnt(before []Trial) bool {
	return slices.ContainsFunc(t.dropped(), func(now qa.GeneratedTest) bool {
		return !slices.ContainsFunc(before, func(o Trial) bool {
			return slices.ContainsFunc(o.dropped(), func(then qa.GeneratedTest) bool {
				return then.Source == now.Source && then.Target == now.Target && then.Gate == now.Gate
			})
		})
	})
}

// dropped are the tests that are neither kept nor evidence.
func (t *Trial) dropped() []qa.GeneratedTest {
	return slices.DeleteFunc(slices.Clone(t.Tests), func(g qa.GeneratedTest) bool {
		return g.Kept || g.Gate == "" || slices.ContainsFunc(t.Proofs, func(p Proof) bool { return p.Path == g.Path && p.Test == g.Name })
	})
}

// Text sums a trial up.
func (t *Trial) Text() string {
	return fmt.Sprintf("; %d of %d proposed tests kept, %d proofs", t.Kept(), len(t.Tests), len(t.Proofs))
}
