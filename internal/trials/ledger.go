package trials

import (
	"maps"
	"slices"
	"sync"

	"github.com/org/qa-action/internal/mutation"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source"
)

// Kept is what the trials of the waves that are over left.
type Kept struct {
	Tests  []qa.GeneratedTest
	Proofs []Proof
	Files  map[string]string // test files with what was kept
	Gained map[string][]int  // changed lines that kept tests cover
	Killed map[string]bool   // mutants that kept tests kill
}

// Nothing was kept yet.
func Nothing() Kept {
	return Kept{Files: map[string]string{}, Gained: map[string][]int{}, Killed: map[string]bool{}}
}

// Take brings a trial in.
func (k *Kept) Take(t Trial) {
	k.Tests, k.Proofs = append(k.Tests, t.Tests...), append(k.Proofs, t.Proofs...)
	maps.Copy(k.Files, t.Files)
	for path, lines := range t.Gained {
		k.Gained[path] = append(k.Gained[path], lines...)
	}
	for _, id := range t.Killed {
		k.Killed[id] = true
	}
}

// Ledger has the trials of a run in the order in which they ended, those of the
// wave under way among them: two layers of one wave may write into the same test
// file. It is safe for concurrent use.
type Ledger struct {
	mu      sync.Mutex
	trials  []Trial
	mutants *mutation.Set
}

// Add enters a trial that ended.
func (l *Ledger) Add(t Trial) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.trials = append(l.trials, t)
}

func (l *Ledger) all() []Trial {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.trials)
}

// Mutants are those of the change, nil before they were tried.
func (l *Ledger) Mutants() *mutation.Set {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.mutants
}

// Mutated enters the mutants of the change.
func (l *Ledger) Mutated(s *mutation.Set) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.mutants = s
}

// Living are the mutants that neither the project's own tests notice nor those
// that were kept.
func (k Kept) Living(s *mutation.Set) []source.Mutant {
	if s == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(s.Mutants), func(m source.Mutant) bool { return k.Killed[m.ID] })
}

// files are the test files with what was kept.
func (l *Ledger) files() map[string]string {
	out := map[string]string{}
	for _, t := range l.all() {
		maps.Copy(out, t.Files)
	}
	return out
}

// Evidence are the test files with what proves something, apart from the kept.
func (l *Ledger) Evidence() map[string]string {
	out := map[string]string{}
	for _, t := range l.all() {
		maps.Copy(out, t.Evidence)
	}
	return out
}

// Killers name the test that notices a mutant, by its id.
func (l *Ledger) Killers() map[string]string {
	out := map[string]string{}
	for _, t := range l.all() {
		maps.Copy(out, t.Killers)
	}
	return out
}

// killed are the mutants that a kept test notices.
func (l *Ledger) killed() map[string]bool {
	out := map[string]bool{}
	for _, t := range l.all() {
		for _, id := range t.Killed {
			out[id] = true
		}
	}
	return out
}
