package trials

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/org/qa-action/internal/baseline"
	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/mutation"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/session"
)

// Lay puts the tests that were kept so far into the copy: that of a resumed run
// does not have them.
func (r Runner) Lay(ctx context.Context) (*runtime.Workspace, error) {
	ws, err := r.Copies.Open(ctx)
	if err != nil {
		return nil, err
	}
	files := r.Results.files()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := ws.Write(name, []byte(files[name])); err != nil {
			return nil, fmt.Errorf("lay out kept tests: %w", err)
		}
	}
	return ws, nil
}

// Prepare lays the kept tests out and tries the mutants of the change, once per
// run, before the first trial; else there are none.
func (r Runner) Prepare(ctx context.Context, b *baseline.Baseline) (*mutation.Set, error) {
	ws, err := r.Lay(ctx)
	if err != nil || r.Results.Mutants() != nil {
		return nil, err
	}
	set, err := r.mutate(ctx, ws, b)
	if err == nil { // for the next in turn
		r.Results.Mutated(set)
	}
	return set, err
}

func (r Runner) mutate(ctx context.Context, ws *runtime.Workspace, b *baseline.Baseline) (*mutation.Set, error) {
	tests, deadline := r.testsDigest(b), r.Now().Add(r.Config.Timeout/4)
	known := mutation.Recall(r.Output, tests)
	failing := map[string]bool{}
	for _, k := range b.Cases() {
		failing[k.ID()] = k.Status.Bad() || k.Status == qa.Flaky
	}
	study := mutation.Study{
		Files: each.Where(r.Change.Of(qa.KindSource), func(f qa.FileChange) bool { return baseline.Excluded(b, f.Path, r.Text(f.Path)) == "" }), Read: r.Read, Copy: ws, Covered: b.Coverage.Head, Failing: failing, Known: known,
		Longest: r.Config.TaskTimeout, Over: func() bool { return r.Now().After(deadline) },
		Place: func(mutant string) rooted.Place { return r.Session.Place("results", "mutants", mutant) },
		Target: func(path string) (mutation.Target, bool) {
			t, ok := b.Of(path)
			return mutation.Target{Target: t, Seconds: usual(t, b)}, ok
		},
	}
	set, cut, err := study.Run(ctx)
	if cut {
		r.Notes.Cut("mutants beyond the first %d", len(set.All))
	}
	if err == nil {
		r.Notes.Note(known.Keep(r.Output, tests))
	}
	return set, err
}

// usual is how many seconds the suite of a target takes, 0 when nobody knows.
func usual(t executor.Target, b *baseline.Baseline) float64 {
	run, _ := each.First(b.Runs, func(run executor.Baseline) bool { return run.Target.Name == t.Name })
	return run.Head.Seconds
}

// mostTests is how many bytes of test files are looked at.
const mostTests = 64 << 20

// testsDigest is the digest of the project's own test files, empty when there
// are too many to look at. Reports do not always name files: those that the
// names say to be tests are among them.
func (r Runner) testsDigest(b *baseline.Baseline) string {
	files := slices.DeleteFunc(slices.Clone(related.Sources(r.Code)), func(f string) bool {
		kind, _, _ := change.Classify(f, nil)
		return kind != qa.KindTest
	})
	var parts [][]byte
	size := 0
	for _, name := range each.Sorted(files, b.TestFiles()) {
		raw, err := r.Read(name)
		if size += len(raw); size > mostTests {
			return ""
		}
		if err != nil {
			continue // gone, or not in the checkout
		}
		parts = append(parts, []byte(name), raw)
	}
	return session.Digest(parts...)
}
