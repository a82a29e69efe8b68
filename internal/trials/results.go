package trials

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/mutation"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
	"github.com/org/qa-action/internal/source/mutant"
)

// Kept is what the trials of the waves that are over left.
type Kept struct {
	Tests  []qa.GeneratedTest
	Proofs []Proof
	Files  map[string]string // test files with what was kept
	Gained map[string][]int  // changed lines that kept tests cover
	Killed map[string]bool   // mutants that kept tests kill
	Beheld map[string]bool   // those that proofs notice
	Weak   []Weak            // what weakened tests showed
}

// Nothing was kept yet.
func Nothing() Kept {
	return Kept{Files: map[string]string{}, Gained: map[string][]int{}, Killed: map[string]bool{}, Beheld: map[string]bool{}}
}

// Take brings a trial in.
func (k *Kept) Take(t Trial) {
	k.Tests, k.Proofs = append(k.Tests, t.Tests...), append(k.Proofs, t.Proofs...)
	k.Weak = append(k.Weak, t.Weak...)
	maps.Copy(k.Files, t.Files)
	for path, lines := range t.Gained {
		k.Gained[path] = append(k.Gained[path], lines...)
	}
	maps.Copy(k.Killed, each.Set(t.Killed))
	maps.Copy(k.Beheld, each.Set(t.Beheld))
}

// Results has the trials of a run in the order in which they ended, those of the
// wave under way among them: two layers of one wave may write into the same test
// file. It is safe for concurrent use.
type Results struct {
	mu      sync.Mutex
	trials  []Trial
	mutants *mutation.Set
}

// Add enters a trial that ended.
func (r *Results) Add(t Trial) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.trials = append(r.trials, t)
}

func (r *Results) all() []Trial {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.trials)
}

// Mutants are those of the change, nil before they were tried.
func (r *Results) Mutants() *mutation.Set {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.mutants
}

// Judged are the mutants of the change of which tests had a say, and those that do not
// build, where none has.
func (r *Results) Judged() (judged, broken []mutant.Mutant) {
	set := r.Mutants()
	if set == nil {
		return nil, nil
	}
	for _, j := range set.All {
		switch j.Status {
		case mutation.Ignored:
		case mutation.CompileError:
			broken = append(broken, j.Mutant)
		default:
			judged = append(judged, j.Mutant)
		}
	}
	return judged, broken
}

// Ran reports that tests run each line of code that the change wrote in a function, as they
// notice a wrong version of it: where no report knows the lines, this does.
func (r *Results) Ran(in checkout.Checkout, f qa.Focus) bool {
	file, changed := in.Change.File(f.Path)
	src, err := in.Read(f.Path)
	set := r.Mutants()
	if err != nil || !changed || set == nil {
		return false
	}
	lines, ran := strings.Split(string(related.Proseless(f.Path, src)), "\n"), false
	for n := f.Lines.Start; n <= min(f.Lines.End, len(lines)); n++ {
		if strings.TrimSpace(lines[n-1]) == "" || !file.Touches(qa.Range{Start: n, End: n}) {
			continue
		}
		if ran = slices.ContainsFunc(set.All, func(j mutation.Judged) bool {
			return j.Path == f.Path && j.Line == n && j.Status == mutation.Killed
		}); !ran {
			return false
		}
	}
	return ran
}

// Mutated enters the mutants of the change.
func (r *Results) Mutated(s *mutation.Set) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.mutants = s
}

// Living are the mutants that neither the project's own tests notice nor those
// that were kept.
func (k Kept) Living(s *mutation.Set) []mutant.Mutant {
	if s == nil {
		return nil
	}
	return each.Where(s.Mutants, func(m mutant.Mutant) bool { return !k.Killed[m.ID] })
}

// over is what the trials have of something, the later ones over the earlier.
func (r *Results) over(of func(Trial) map[string]string) map[string]string {
	out := map[string]string{}
	for _, t := range r.all() {
		maps.Copy(out, of(t))
	}
	return out
}

// files are the test files with what was kept.
func (r *Results) files() map[string]string {
	return r.over(func(t Trial) map[string]string { return t.Files })
}

// Evidence are the test files with what proves something, apart from the kept.
func (r *Results) Evidence() map[string]string {
	return r.over(func(t Trial) map[string]string { return t.Evidence })
}

// Killers name, of the mutants that were killed, the test that notices each.
func (r *Results) Killers(killed map[string]bool) map[string]string {
	out := r.over(func(t Trial) map[string]string { return t.Killers })
	maps.DeleteFunc(out, func(id, _ string) bool { return !killed[id] })
	return out
}

// killed are the mutants that a kept test notices.
func (r *Results) killed() map[string]bool {
	return each.Set(each.Of(r.all(), func(t Trial) []string { return t.Killed })...)
}
