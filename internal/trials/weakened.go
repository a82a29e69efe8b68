package trials

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/org/qa-action/internal/baseline"
	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/assurance"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/session"
	"github.com/org/qa-action/internal/source/mutant"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/weakening"
	"github.com/org/qa-action/internal/wording"
)

// Weak is what running a test as it was on base showed of a finding that says the
// change weakened it.
type Weak struct {
	Finding string `json:"finding"` // its fingerprint
	// Proof has the mutant that the test noticed on base and does not any more, or says that
	// the test passes on base and, as it was there, fails on head.
	Proof *qa.Proof `json:"proof,omitempty"`
	// Outdated says that the test as it was on base fails on head: what the code does has
	// changed, or the test does not fit it any more.
	Outdated bool `json:"outdated,omitempty"`
}

// weakEngine says that tests were weakened; others may say so of the same line.
const weakEngine = "weakened-test"

// The bounds: of findings that are tried, and of mutants for each.
const (
	mostWeak    = 8
	mostMutants = 16
	mostCalled  = 6
	mutantTime  = 5 * time.Second // and a multiple of what the file takes; one that runs on is left
	slowTurn    = 2 * time.Minute // for a file of which a run takes seconds
)

// Weakened runs tests that the change weakened as they were on base, on head and on
// mutants of what they call. It leaves the copy as it was.
func (r Runner) Weakened(ctx context.Context, findings []qa.Finding, b *baseline.Baseline) ([]Weak, error) {
	findings = each.Where(findings, func(f qa.Finding) bool { return f.Counts() && slices.Contains(f.Engines, weakEngine) })
	if len(findings) == 0 || len(b.Runs) == 0 {
		return nil, nil
	}
	ws, err := r.Copies.Open(ctx)
	if err != nil { // a merge runs nothing, and whoever measured the baseline has said why
		return nil, nil //nolint:nilerr // see above
	}
	defer r.Copies.Restore(ctx)
	deadline := r.Now().Add(r.Config.Timeout / 8)
	r.bends = baseline.Bends(ctx, b, r.Checkout, ws)
	var out []Weak
	for i, f := range findings {
		if i >= mostWeak || r.Config.Timeout > 0 && r.Now().After(deadline) {
			r.Notes.Cut("the mutants of weakened tests beyond the first %d", i)
			break
		}
		t, ok := r.weakened(ctx, f, b)
		if !ok {
			continue
		}
		t.ws, t.deadline = ws, deadline
		w, err := t.try(ctx)
		w.Finding = f.Fingerprint
		if err != nil {
			return out, err
		}
		if w.Proof != nil || w.Outdated {
			out = append(out, w)
		}
	}
	return out, nil
}

// revived is a test of base that is tried on head.
type revived struct {
	Runner
	qa.Weakening
	name     string // of its runs
	run      executor.Baseline
	failing  map[string]bool // on head, without any of this
	ws       *runtime.Workspace
	deadline time.Time
	old, now []byte // the test file; now is nil where it is gone
	// others are more test files of the change that may notice what the file does not.
	others   []string
	excluded func(path string) bool // no test here can run the file
	plain    bool                   // no mutants are tried
	runs     *int
}

// weakened finds out which test a finding is about.
func (r Runner) weakened(ctx context.Context, f qa.Finding, b *baseline.Baseline) (t revived, ok bool) {
	rule, own := strings.CutPrefix(f.Rule.ID, weakEngine+"/")
	file, known := r.Change.File(f.Path)
	old := r.Before(ctx, file)
	now, err := r.Read(f.Path)
	if !known || old == nil || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return t, false
	}
	w, ok := each.First(weakening.Compare([]qa.Revision{{Path: f.Path, OldPath: file.OldPath, Before: old, After: now}}, nil), func(w qa.Weakening) bool {
		return (w.Rule == rule || !own) && w.Lines.Start == f.Lines.Start && w.Was != "" && (w.Lines.Start > 0 || strings.Contains(f.Message, `"`+wording.Line(w.Was, 200)+`"`))
	})
	if !ok {
		return t, false
	}
	return r.revive(w, old, now, b)
}

// revive prepares a test as it was on base.
func (r Runner) revive(w qa.Weakening, old, now []byte, b *baseline.Baseline) (t revived, ok bool) {
	target, tests := b.Of(w.Path)
	run, ran := each.First(b.Runs, func(run executor.Baseline) bool { return run.Target.Name == target.Name })
	if !tests || !ran || run.Head.Inconclusive != "" {
		return t, false
	}
	t = revived{Runner: r, Weakening: w, name: session.Digest([]byte(w.Rule), []byte(w.Path), []byte(w.Was))[:6], run: run, failing: map[string]bool{}, old: old, now: now, runs: new(int),
		excluded: func(path string) bool { return baseline.Excluded(b, path, r.Text(path)) != "" }}
	for _, k := range run.Tests.Cases {
		t.failing[k.ID()] = k.Status.Bad() || k.Status == qa.Flaky
	}
	return t, true
}

// try runs the test as it was, unless the project runs another way by now, and then
// looks for a mutant.
func (t revived) try(ctx context.Context) (w Weak, err error) {
	defer func() { err = errors.Join(err, t.put(t.now)) }()
	if err := t.put(t.old); err != nil {
		return w, err
	}
	plain, err := t.file(ctx, t.ws, t.Path, t.usual())
	if err != nil {
		return w, err
	}
	switch status := t.said(plain).Status; {
	case status.Bad() && (t.Rule != notices || t.Less): // else what it expects may follow the product
		w, err = t.outdated(ctx, plain)
		if err == nil && w.Proof == nil && len(t.bends) > 0 { // it may not fit what else the change did
			if beside, err := t.bent(ctx); err != nil || beside.Proof != nil {
				return beside, err
			}
		}
		return w, err
	case len(t.bends) > 0:
		if w, err = t.bent(ctx); err != nil || w.Proof != nil || status != qa.Passed || t.plain {
			return w, err
		}
	case status != qa.Passed || t.plain: // what it needs may be gone
		return w, nil
	}
	// However slow the machine is just now, a few mutants have their turn.
	turn := min(slowTurn, t.Config.Timeout/8, time.Duration(mostMutants*plain.Seconds*float64(time.Second)))
	if until := t.Now().Add(turn); until.After(t.deadline) {
		t.deadline = until
	}
	heard := 0
	for _, m := range t.mutants() {
		if t.Config.Timeout > 0 && t.Now().After(t.deadline) || t.Rule == notices && heard == enough {
			return w, nil
		}
		noticed, proof, err := t.shows(ctx, m, plain.Seconds)
		if err != nil || proof != nil {
			w.Proof = proof
			return w, err
		}
		if noticed {
			heard++
		}
	}
	return w, nil
}

// mutants are wrong versions of the functions that the test called: first of what the
// change wrote, then of what the assertion is about that is not made any more, because
// there is time for a few only.
func (t revived) mutants() []mutant.Mutant {
	written := func(path string, lines qa.Range) int {
		if file, ok := t.Change.File(path); ok && file.Touches(lines) {
			return 0
		}
		return 1
	}
	var called []outline.Caller
	for _, name := range t.Calls {
		called = append(called, each.Where(t.Code.Graph().Find(name), func(at outline.Caller) bool {
			kind, _, _ := change.Classify(at.Path, nil)
			return !at.Function.Test && kind == qa.KindSource && !t.excluded(at.Path)
		})...)
	}
	rank := func(at outline.Caller) int {
		own := at.Function.Name[strings.LastIndexByte(at.Function.Name, '.')+1:]
		out := 2 * written(at.Path, at.Function.Lines)
		if !strings.Contains(t.Before, own) {
			out++
		}
		return out
	}
	slices.SortStableFunc(called, func(a, b outline.Caller) int { return rank(a) - rank(b) })
	var out []mutant.Mutant
	for _, at := range called[:min(len(called), mostCalled)] {
		src, err := t.Read(at.Path)
		if err != nil {
			continue
		}
		if made, err := mutant.Make(at.Path, src, []qa.Range{at.Function.Lines}); err == nil {
			out = append(out, made...)
		}
	}
	line := func(m mutant.Mutant) int { return written(m.Path, qa.Range{Start: m.Line, End: m.Line}) }
	slices.SortStableFunc(out, func(a, b mutant.Mutant) int { return line(a) - line(b) })
	return out[:min(len(out), mostMutants)]
}

// shows tries one mutant: the test as it was has to fail on it twice, and the file as it
// is now has to pass, with the others of the change where they may take its part.
func (t revived) shows(ctx context.Context, m mutant.Mutant, usual float64) (noticed bool, proof *qa.Proof, err error) {
	noticed, err = t.notices(ctx, m, usual)
	if err != nil || !noticed {
		return false, nil, err
	}
	if t.now != nil {
		for _, file := range append([]string{t.Path}, t.others...) {
			if quiet, err := t.quiet(ctx, m, file, usual); err != nil || !quiet {
				return true, nil, err
			}
		}
	}
	if again, err := t.notices(ctx, m, usual); err != nil || !again {
		return false, nil, err
	}
	return true, &qa.Proof{
		Test: t.Was, Path: t.Path, Base: qa.Passed, Head: qa.Passed, Runs: *t.runs,
		Mutant: &qa.Mutant{Path: m.Path, Line: m.Line, Original: m.Original, Replacement: m.Replacement},
	}, nil
}

// notices runs the file as it was on a mutant and reports that the test fails.
func (t revived) notices(ctx context.Context, m mutant.Mutant, usual float64) (bool, error) {
	run, err := t.mutated(ctx, m, t.old, t.Path, usual)
	return err == nil && t.said(run).Status.Bad(), err
}

// quiet reports that nothing of a test file as it is now fails on a mutant.
func (t revived) quiet(ctx context.Context, m mutant.Mutant, file string, usual float64) (bool, error) {
	run, err := t.mutated(ctx, m, t.now, file, usual)
	if err != nil || run.TimedOut || run.Killed || len(run.Suite.Problems) > 0 || run.Inconclusive != "" && len(run.Suite.Cases) == 0 {
		return false, err
	}
	return !slices.ContainsFunc(run.Suite.Cases, func(k qa.Case) bool { return k.Status.Bad() && !t.failing[k.ID()] }), nil
}

// mutated runs a test file on a mutant, with a version of the weakened one in place.
func (t revived) mutated(ctx context.Context, m mutant.Mutant, text []byte, file string, usual float64) (run executor.Run, err error) {
	if err := t.put(text); err != nil {
		return run, err
	}
	trees := &assurance.Trees{Head: t.ws, Read: t.Read}
	err = trees.Try(ctx, m, func() error {
		run, err = t.file(ctx, t.ws, file, mutantTime+time.Duration(5*usual*float64(time.Second)))
		return err
	})
	return run, err
}

// usual is how long a run of the file may take where nothing is wrong.
func (t revived) usual() time.Duration {
	return assurance.TimeLimit(t.run.Head.Seconds, t.Config.TaskTimeout/3)
}

// file runs the tests of a file in a tree.
func (t revived) file(ctx context.Context, tree executor.Tree, file string, limit time.Duration) (executor.Run, error) {
	*t.runs++
	name := fmt.Sprintf("weakened-%s-%d", t.name, *t.runs)
	return executor.Suite(ctx, tree, t.run.Target, executor.Options{
		Name: name, Keep: t.Session.Place("results", "weakened", session.Segment(name)), Tests: []adapter.Selected{{File: file}}, Timeout: limit, Live: t.Live,
	})
}

// said is what a run says of the test, by the case of it that decides; one that was ended
// from outside says nothing.
func (t revived) said(run executor.Run) qa.Case {
	out := qa.Case{Status: qa.NotRun}
	if run.TimedOut || run.Killed {
		return out
	}
	file, _ := t.Change.File(t.Path)
	for _, k := range run.Suite.Cases {
		switch {
		case !slices.ContainsFunc([]string{t.Path, file.BasePath()}, func(at string) bool { return assurance.Matches(k, at, assurance.Names(at, t.old, t.Was)...) }):
		case k.Status.Bad():
			return k
		case k.Status != qa.Passed || out.Status == qa.NotRun:
			out = k
		}
	}
	return out
}

// put lays a version of the test file into the copy; nil takes it away.
func (t revived) put(text []byte) error {
	var err error
	if text != nil {
		err = t.ws.Write(t.Path, text)
	} else {
		err = t.ws.Remove(t.Path)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("try a weakened test: %w", err)
	}
	return nil
}
