package trials

import (
	"context"
	"errors"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
)

// This file tries tests that the change weakened and that fail on head as they were on base.

// rerecorded is the rule of expectations that were recorded anew: as they were they fail
// whenever the code does something else, which is what they are recorded anew for.
const rerecorded = "snapshot-rerecorded"

// outdated looks whether the failure of a test as it was says something of the change. It
// has to fail again and to pass on base. One that crashes by itself, with nothing on the way
// that the change wrote, does not fit the product any more and says nothing.
func (t revived) outdated(ctx context.Context, plain executor.Run) (w Weak, err error) {
	failing := t.said(plain)
	again, err := t.file(ctx, t.ws, t.Path, t.usual())
	if err != nil || !t.said(again).Status.Bad() {
		return w, err
	}
	w.Outdated = true
	sides := t.Copies.Sides(t.ws)
	file, known := t.Change.File(t.Path)
	product := each.Of(t.Change.Of(qa.KindSource), func(f qa.FileChange) string { return f.Path })
	if t.Rule == rerecorded || sides.Base == nil || !known || executor.Misfit([]string{t.Path}, product)(failing) {
		return w, nil
	}
	base, err := sides.Base(ctx)
	if err != nil {
		t.Notes.Warn("whether a weakened test passes on base was not seen: %v", err)
		return w, nil
	}
	before, err := t.file(ctx, base, file.BasePath(), t.usual())
	switch said := t.said(before).Status; {
	case err != nil:
		return w, err
	case said.Bad(): // base fails alike, so the code does what it did
		return Weak{}, nil
	case said == qa.Passed:
		w.Proof = &qa.Proof{Test: t.Was, Path: t.Path, Base: qa.Passed, Head: qa.Failed, Runs: *t.runs, Message: failing.Message, Regression: true}
	}
	return w, nil
}

// bent runs the test as it was beside what else of the change bends tests, as base has that:
// a failure that is hidden twice shows only then.
func (t revived) bent(ctx context.Context) (w Weak, err error) {
	if t.Rule == notices && !t.Less { // what it expects may follow the product
		return w, nil
	}
	defer func() {
		t.Copies.Restore(ctx)
		err = errors.Join(err, t.put(t.old))
	}()
	for _, f := range t.bends {
		if f.Path != t.Path {
			err = errors.Join(err, f.Lay(t.ws))
		}
	}
	if err != nil {
		return w, err
	}
	run, err := t.file(ctx, t.ws, t.Path, t.usual())
	if err != nil || !t.said(run).Status.Bad() {
		return w, err
	}
	if w, err = t.outdated(ctx, run); w.Proof == nil { // it does not fit the product, or fails on base alike
		return Weak{}, err
	}
	return w, err
}

// fails enters that a test passes on base and, as it was there, fails on head. What the code
// does has changed, and the test that says so says it no more. It stays low, because nobody
// knows what was wanted, and as each proven difference it is looked at by somebody.
func (w Weak) fails(f *qa.Finding) {
	f.Message += " As it was on base it fails on head: what the code does has changed, on purpose or not."
	if w.Proof != nil {
		f.Proof, f.Evidence, f.Severity = w.Proof, qa.Proven, qa.Low
	}
}
