package mutation

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/assurance"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/source/mutant"
	"github.com/org/qa-action/internal/source/syntax"
)

// most bounds the mutation step.
const most = 30

// Study finds out which mutants of a change the project's own tests let live.
type Study struct {
	Files []qa.FileChange // the changed source files
	// Read reads a file of the checkout.
	Read func(path string) ([]byte, error)
	// Copy is where mutants are put in place and the tests run.
	Copy *runtime.Workspace
	// Target is what tests a file.
	Target func(path string) (Target, bool)
	// Covered is the coverage of head, nil when it is unknown.
	Covered *qa.Coverage
	// Failing are the tests that fail without any mutant, by id.
	Failing map[string]bool
	// Place is where the reports of a mutant's run are kept.
	Place func(mutant string) rooted.Place
	// Known is what became of mutants in earlier runs; Run adds to it.
	Known Known
	// Over reports that there is no time left for another mutant.
	Over func() bool
	// Longest bounds the suite without a mutant.
	Longest time.Duration
}

// Target is a suite with what it usually takes.
type Target struct {
	executor.Target
	Seconds float64 // 0 when nobody knows
}

// Run makes the mutants and tries each of them. What an earlier run found out
// about the same line and the same tests is not found out again. Cut reports that
// there are mutants that nobody tried.
func (s *Study) Run(ctx context.Context) (set *Set, cut bool, err error) {
	set = &Set{}
	var files [][]mutant.Mutant
	for _, f := range s.Files {
		_, ok := s.Target(f.Path)
		src, err := s.Read(f.Path)
		if !ok || err != nil || !syntax.Supported(f.Path) || change.IsExample(f.Path) {
			continue
		}
		if mutants, err := mutant.Make(f.Path, src, f.Added); err == nil {
			files = append(files, mutants)
		}
	}
	chosen, cut := spread(files, most)
	for _, m := range chosen {
		if s.Over() {
			return set, true, nil
		}
		t, _ := s.Target(m.Path)
		status, err := s.judge(ctx, t, m)
		if err != nil {
			return set, false, err
		}
		set.Add(m, status)
	}
	return set, cut, nil
}

// spread takes as many mutants as it may from all files alike, and of a file from its
// beginning to its end: the first ones alone would say nothing about the rest of a change.
// Cut reports that there are more.
func spread(files [][]mutant.Mutant, most int) (out []mutant.Mutant, cut bool) {
	all := 0
	for _, file := range files {
		all += len(file)
	}
	share := make([]int, len(files))
	for left := min(most, all); left > 0; {
		for i, file := range files {
			if left > 0 && share[i] < len(file) {
				share[i], left = share[i]+1, left-1
			}
		}
	}
	for i, file := range files {
		for n := range share[i] {
			out = append(out, file[n*len(file)/share[i]])
		}
	}
	return out, all > most
}

func (s *Study) judge(ctx context.Context, t Target, m mutant.Mutant) (string, error) {
	if file := s.Covered.File(m.Path); file != nil {
		i := slices.IndexFunc(file.Lines, func(l qa.LineHit) bool { return int(l.Line) == m.Line })
		if i >= 0 && file.Lines[i].Hits == 0 {
			return NoCoverage, nil
		}
	}
	if status, ok := s.Known[m.ID]; ok {
		return status, nil
	}
	status, err := s.try(ctx, t, m)
	if err == nil && status != Ignored {
		s.Known[m.ID] = status
	}
	return status, err
}

func (s *Study) try(ctx context.Context, t Target, m mutant.Mutant) (string, error) {
	trees := &assurance.Trees{Head: s.Copy, Read: s.Read}
	var run executor.Run
	trial := func(limit time.Duration) (assurance.Took, error) {
		var err error
		run, err = executor.Suite(ctx, s.Copy, t.Target, executor.Options{
			Name: "mutant-" + m.ID, Keep: s.Place(m.ID), Related: []string{m.Path}, Timeout: limit,
		})
		return assurance.Took{Seconds: run.Seconds, Ended: !run.TimedOut && !run.Killed}, err
	}
	late, err := assurance.Late(t.Seconds, func(limit time.Duration) (took assurance.Took, err error) {
		err = trees.Try(ctx, m, func() error { took, err = trial(limit); return err })
		return took, err
	}, func() (assurance.Took, error) { return trial(s.Longest) })
	switch {
	case err != nil:
		return "", fmt.Errorf("mutant %s of %s:%d: %w", m.ID, m.Path, m.Line, err)
	case late == assurance.TooLate:
		return Timeout, nil
	case late == assurance.Unsettled:
		return Ignored, nil
	case len(run.Suite.Cases) == 0:
		return CompileError, nil
	case s.worse(run):
		return Killed, nil
	}
	return Survived, nil
}

// worse reports a failure that the run without the mutant does not have.
func (s *Study) worse(run executor.Run) bool {
	return len(run.Suite.Problems) > 0 || slices.ContainsFunc(run.Suite.Cases, func(k qa.Case) bool { return k.Status.Bad() && !s.Failing[k.ID()] })
}
