package mode

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/assurance"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/source"
)

// mutation is the diff mutants and what the project's own tests do to them.
type mutation struct {
	Mutants []source.Mutant `json:"mutants"` // that live on
	Before  qa.Mutation     `json:"before"`
	All     []judged        `json:"all"`
}

// judged is a mutant with what became of it, in the words of the
// mutation-testing report schema.
type judged struct {
	source.Mutant
	Status string `json:"status"`
}

// The statuses of the schema that occur here.
const (
	mutantKilled   = "Killed"
	mutantSurvived = "Survived"
	mutantUnrun    = "NoCoverage"
	mutantTimeout  = "Timeout"
	mutantBroken   = "CompileError"
	mutantIgnored  = "Ignored" // not even the unchanged code was done in time
)

// maxMutants bounds the mutation step.
const maxMutants = 30

// add books a mutant.
func (m *mutation) add(mutant source.Mutant, status string) {
	m.All = append(m.All, judged{mutant, status})
	switch status {
	case mutantTimeout:
		m.Before.Timeout++
	case mutantBroken, mutantIgnored:
		m.Before.Invalid++ // no test had a say
	case mutantKilled:
		m.Before.Killed++
	case mutantUnrun:
		m.Mutants, m.Before.NoCover = append(m.Mutants, mutant), m.Before.NoCover+1
	default:
		m.Mutants, m.Before.Survived = append(m.Mutants, mutant), m.Before.Survived+1
	}
}

// mutate makes the diff mutants and finds out which of them the project's own
// tests let live; once per run, before the first trial. What an earlier run
// found out about the same line and the same tests is not found out again.
func (r *run) mutate(ctx context.Context, ws *runtime.Workspace) (*mutation, error) {
	m := &mutation{}
	known := r.knownMutants()
	deadline := r.Now().Add(r.Config.Timeout / 4)
	for _, f := range r.Change.Of(qa.KindSource) {
		t, ok := r.base.targetOf(f.Path)
		src, err := r.read(f.Path)
		if !ok || err != nil || !source.Supported(f.Path) {
			continue
		}
		mutants, err := source.Mutants(f.Path, src, f.Added)
		if err != nil {
			continue
		}
		for _, mutant := range mutants {
			if len(m.All) >= maxMutants || r.Now().After(deadline) {
				r.cut("mutants beyond the first %d", len(m.All))
				r.note(r.keepMutants(known))
				return m, nil
			}
			status, err := r.judgeMutant(ctx, ws, t, mutant, known)
			if err != nil {
				return m, err
			}
			m.add(mutant, status)
		}
	}
	r.note(r.keepMutants(known))
	return m, nil
}

func (r *run) judgeMutant(ctx context.Context, ws *runtime.Workspace, t executor.Target, mutant source.Mutant, known mutantCache) (string, error) {
	if file := r.base.head.File(mutant.Path); file != nil {
		i := slices.IndexFunc(file.Lines, func(l qa.LineHit) bool { return int(l.Line) == mutant.Line })
		if i >= 0 && file.Lines[i].Hits == 0 {
			return mutantUnrun, nil
		}
	}
	if status, ok := known[mutant.ID]; ok {
		return status, nil
	}
	status, err := r.tryMutant(ctx, ws, t, mutant)
	if err == nil && status != mutantIgnored {
		known[mutant.ID] = status
	}
	return status, err
}

func (r *run) tryMutant(ctx context.Context, ws *runtime.Workspace, t executor.Target, mutant source.Mutant) (string, error) {
	chain := &assurance.Chain{Head: ws, Read: r.read}
	var run executor.Run
	trial := func(limit time.Duration) (assurance.Took, error) {
		var err error
		run, err = executor.Suite(ctx, ws, t, executor.Options{
			Name: "mutant-" + mutant.ID, Keep: r.session.Place("results", "mutants", mutant.ID),
			Related: []string{mutant.Path}, Timeout: limit,
		})
		return assurance.Took{Seconds: run.Seconds, Ended: !run.TimedOut && !run.Killed}, err
	}
	late, err := assurance.Late(r.usual(t), func(limit time.Duration) (took assurance.Took, err error) {
		err = chain.Try(ctx, mutant, func() error { took, err = trial(limit); return err })
		return took, err
	}, func() (assurance.Took, error) { return trial(r.Config.TaskTimeout) })
	switch {
	case err != nil:
		return "", fmt.Errorf("mutant %s of %s:%d: %w", mutant.ID, mutant.Path, mutant.Line, err)
	case late == assurance.TooLate:
		return mutantTimeout, nil
	case late == assurance.Unsettled:
		return mutantIgnored, nil
	case len(run.Suite.Cases) == 0:
		return mutantBroken, nil
	case r.worse(run):
		return mutantKilled, nil
	}
	return mutantSurvived, nil
}

// usual is how many seconds the suite of a target takes, 0 when nobody knows.
func (r *run) usual(t executor.Target) float64 {
	for _, b := range r.base.runs {
		if b.Target.Name == t.Name {
			return b.Head.Seconds
		}
	}
	return 0
}

// worse reports a failure that the run without the mutant does not have.
func (r *run) worse(run executor.Run) bool {
	known := map[string]bool{}
	for _, k := range r.base.cases() {
		known[k.ID()] = k.Status.Bad() || k.Status == qa.Flaky
	}
	return len(run.Suite.Problems) > 0 || slices.ContainsFunc(run.Suite.Cases, func(k qa.Case) bool { return k.Status.Bad() && !known[k.ID()] })
}

// mutationScore joins what the project's tests and the kept ones did.
func (r *run) mutationScore() *qa.Mutation {
	if r.mutation == nil {
		return nil
	}
	m := r.mutation.Before
	total := m.Killed + m.Timeout + m.Survived + m.NoCover
	if total == 0 {
		return nil
	}
	rate := func() *float64 { v := float64(m.Killed+m.Timeout) / float64(total); return &v }
	m.Before = rate()
	for _, mutant := range r.mutation.All {
		lives := mutant.Status == mutantSurvived || mutant.Status == mutantUnrun
		switch {
		case lives && r.killed[mutant.ID]:
			m.Killed++
			if mutant.Status == mutantUnrun {
				m.NoCover--
			} else {
				m.Survived--
			}
		case lives:
			m.Survivors = append(m.Survivors, fmt.Sprintf("%s:%d %s: %s becomes %s", mutant.Path, mutant.Line, mutant.Operator, mutant.Original, mutant.Replacement))
		}
	}
	m.After = rate()
	return &m
}
