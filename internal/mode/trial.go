package mode

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/org/qa-action/internal/coverage"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/assurance"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/role/generator"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/source"
)

// trial is what became of the generated tests of one executor task.
type trial struct {
	Tests  []qa.GeneratedTest `json:"tests"`
	Proofs []proof            `json:"proofs"`
	Files  map[string]string  `json:"files"` // test files with the kept tests
	Gained map[string][]int   `json:"gained"`
	Killed []string           `json:"killed"`
}

// proof is a test that shows a finding.
type proof struct {
	qa.Proof
	Finding string `json:"finding,omitempty"`
	Source  string `json:"source"`
	Target  string `json:"target"`
}

// mutation is the diff mutants and what the project's own tests do to them.
type mutation struct {
	Mutants []source.Mutant `json:"mutants"`
	Before  qa.Mutation     `json:"before"`
}

// Bounds of the mutation step.
const (
	maxMutants   = 30
	mutantFactor = 4 // time limit of one mutant, in durations of the suite
)

// tryTests runs the assurance chain over candidates, target by target.
func (r *run) tryTests(ctx context.Context, ws *runtime.Workspace, row Row, candidates []generator.Candidate) (trial, error) {
	out := trial{Files: map[string]string{}, Gained: map[string][]int{}}
	for _, b := range r.base.runs {
		var mine []generator.Candidate
		for _, c := range candidates {
			if t, ok := r.targetOf(c.Source); ok && t.Name == b.Target.Name {
				mine = append(mine, c)
			}
		}
		if len(mine) == 0 || b.Head.Inconclusive != "" {
			continue
		}
		chain, err := r.chain(ctx, ws, b, row)
		if err != nil {
			return out, err
		}
		verdicts, files, err := chain.Run(ctx, mine)
		for path, content := range files {
			out.Files[path] = string(content)
		}
		for _, v := range verdicts {
			out.Tests = append(out.Tests, v.GeneratedTest)
			if v.Proof != nil {
				out.Proofs = append(out.Proofs, proof{Proof: *v.Proof, Finding: v.Candidate.Finding, Source: v.Candidate.Source, Target: v.Candidate.Target})
			}
			if !v.Kept {
				continue
			}
			out.Killed = append(out.Killed, v.Killed...)
			for path, lines := range v.Lines {
				out.Gained[path] = append(out.Gained[path], lines...)
			}
		}
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// chain prepares the assurance chain of one target.
func (r *run) chain(ctx context.Context, ws *runtime.Workspace, b executor.Baseline, row Row) (*assurance.Chain, error) {
	c := &assurance.Chain{
		Target: b.Target, Head: ws, Keep: filepath.Join(r.session.Dir(), "results", "trial-"+row.ID, safeName(b.Target.Name)),
		Read: r.readTest, Change: r.Change.Of(qa.KindSource), Covered: r.covered(), Repeat: r.Config.Repeat, Known: r.knownImports(),
		Options: executor.Options{Timeout: r.Config.TaskTimeout / 3, Live: r.Live}, Failing: map[string]bool{}, MaxRepairs: r.Config.MaxFixIterations,
	}
	if sides := r.place.sides(ws); sides.Base != nil {
		base, err := sides.Base(ctx)
		if err != nil {
			r.warn("generated tests were not run on base: %v", err)
		} else if tree, ok := base.(assurance.Tree); ok {
			c.Base = tree
		}
	}
	for _, k := range b.Tests.Cases {
		if k.Status.Bad() || k.Status == qa.Flaky {
			c.Failing[k.ID()] = true
		}
	}
	for _, m := range r.mutants {
		if !r.killed[m.ID] {
			c.Mutants = append(c.Mutants, m)
		}
	}
	if r.Model != nil {
		c.Repair = func(ctx context.Context, v assurance.Verdict) (assurance.Fix, error) { return r.repair(ctx, row, v) }
	}
	return c, nil
}

// covered are the changed lines that the project's own tests, and tests kept
// before, run.
func (r *run) covered() map[string][]int {
	out := maps.Clone(r.gained)
	if out == nil {
		out = map[string][]int{}
	}
	for _, f := range r.Change.Of(qa.KindSource) {
		file := r.base.head.File(f.Path)
		if file == nil {
			continue
		}
		for _, l := range file.Lines {
			if l.Hits > 0 {
				out[f.Path] = append(slices.Clone(out[f.Path]), int(l.Line))
			}
		}
	}
	return out
}

// knownImports are what the project's own test files import.
func (r *run) knownImports() []string {
	var out []string
	for _, name := range r.base.testFiles() {
		src, err := r.read(name)
		if err != nil || len(out) > 500 {
			continue
		}
		if o, err := source.Parse(name, src); err == nil {
			for _, i := range o.Imports {
				out = append(out, i.Path)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// mutate makes the diff mutants and finds out which of them the project's own
// tests let live; once per run, before the first trial.
func (r *run) mutate(ctx context.Context, ws *runtime.Workspace) (*mutation, error) {
	m := &mutation{}
	deadline := r.Now().Add(r.Config.Timeout / 4)
	for _, f := range r.Change.Of(qa.KindSource) {
		t, ok := r.targetOf(f.Path)
		src, err := r.read(f.Path)
		if !ok || err != nil || !source.Supported(f.Path) {
			continue
		}
		mutants, err := source.Mutants(f.Path, src, f.Added)
		if err != nil {
			continue
		}
		for _, mutant := range mutants {
			if len(m.Mutants) >= maxMutants || r.Now().After(deadline) {
				r.cut("mutants beyond the first %d", len(m.Mutants))
				return m, nil
			}
			if err := r.tryMutant(ctx, ws, t, mutant, m); err != nil {
				return m, err
			}
		}
	}
	return m, nil
}

func (r *run) tryMutant(ctx context.Context, ws *runtime.Workspace, t executor.Target, mutant source.Mutant, m *mutation) error {
	if file := r.base.head.File(mutant.Path); file != nil {
		i := slices.IndexFunc(file.Lines, func(l qa.LineHit) bool { return int(l.Line) == mutant.Line })
		if i >= 0 && file.Lines[i].Hits == 0 {
			m.Mutants, m.Before.NoCover = append(m.Mutants, mutant), m.Before.NoCover+1
			return nil
		}
	}
	chain := &assurance.Chain{Head: ws, Read: r.read}
	var run executor.Run
	noticed, err := chain.Try(ctx, mutant, func() (bool, error) {
		var err error
		run, err = executor.Suite(ctx, ws, t, executor.Options{
			Name: "mutant-" + mutant.ID, Keep: filepath.Join(r.session.Dir(), "results", "mutants", mutant.ID),
			Related: []string{mutant.Path}, Timeout: r.mutantLimit(t),
		})
		return r.worse(run), err
	})
	switch {
	case err != nil:
		return err
	case run.TimedOut:
		m.Before.Timeout++
	case len(run.Suite.Cases) == 0:
		m.Before.Invalid++ // it does not build: no test had a say
	case noticed:
		m.Before.Killed++
	default:
		m.Mutants, m.Before.Survived = append(m.Mutants, mutant), m.Before.Survived+1
	}
	return nil
}

func (r *run) mutantLimit(t executor.Target) time.Duration {
	for _, b := range r.base.runs {
		if b.Target.Name == t.Name {
			return 5*time.Second + mutantFactor*time.Duration(b.Head.Seconds*float64(time.Second))
		}
	}
	return r.Config.TaskTimeout
}

// worse reports a failure that the run without the mutant does not have.
func (r *run) worse(run executor.Run) bool {
	known := map[string]bool{}
	for _, k := range r.base.cases() {
		known[k.ID()] = k.Status.Bad() || k.Status == qa.Flaky
	}
	return len(run.Suite.Problems) > 0 || slices.ContainsFunc(run.Suite.Cases, func(k qa.Case) bool { return k.Status.Bad() && !known[k.ID()] })
}

// after measures the suite with the kept tests in it.
func (r *run) after(ctx context.Context, ws *runtime.Workspace, l *qa.LayerResult, row Row) error {
	var heads []*qa.Coverage
	var tally qa.Tally
	for _, b := range r.base.runs {
		run, err := executor.Suite(ctx, ws, b.Target, executor.Options{
			Name: "after-" + row.ID, Keep: filepath.Join(r.session.Dir(), "results", "after-"+row.ID, safeName(b.Target.Name)),
			Coverage: true, Timeout: r.Config.TaskTimeout, Live: r.Live, Generated: true,
		})
		if err != nil {
			return err
		}
		if run.Inconclusive != "" || run.Coverage == nil {
			return nil // the numbers from before the tests stand
		}
		heads, tally = append(heads, run.Coverage), plus(tally, run.Suite.Tally())
	}
	if len(heads) == 0 {
		return nil
	}
	joined := coverage.Merge(heads...)
	l.Lines, l.Tally = joined.Lines, &tally
	if p := coverage.Patch(joined, r.Change.Files, coverage.PatchOptions{Exclude: r.Config.Exclude}); p.Lines.Total > 0 {
		l.Patch = &p.Lines
	}
	return nil
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
	for _, mutant := range r.mutation.Mutants {
		if !r.killed[mutant.ID] {
			m.Survivors = append(m.Survivors, fmt.Sprintf("%s:%d %s: %s becomes %s", mutant.Path, mutant.Line, mutant.Operator, mutant.Original, mutant.Replacement))
		}
	}
	dead := len(r.mutation.Mutants) - len(m.Survivors)
	m.Killed += dead
	m.NoCover = max(0, m.NoCover-dead)
	m.Survived = len(m.Survivors) - m.NoCover
	m.After = rate()
	return &m
}
