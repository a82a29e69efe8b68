package mode

import (
	"context"
	"slices"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/mutation"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/session"
)

// mutate tries the mutants of the change; once per run, before the first trial.
func (r *run) mutate(ctx context.Context, ws *runtime.Workspace) (*mutation.Set, error) {
	tests, deadline := r.testsDigest(), r.Now().Add(r.Config.Timeout/4)
	known := mutation.Recall(r.Output, tests)
	failing := map[string]bool{}
	for _, k := range r.own().Cases() {
		failing[k.ID()] = k.Status.Bad() || k.Status == qa.Flaky
	}
	study := mutation.Study{
		Files: r.Change.Of(qa.KindSource), Read: r.Read, Copy: ws, Covered: r.own().Coverage.Head, Failing: failing, Known: known,
		Longest: r.Config.TaskTimeout, Over: func() bool { return r.Now().After(deadline) },
		Place: func(mutant string) rooted.Place { return r.session.Place("results", "mutants", mutant) },
		Target: func(path string) (mutation.Target, bool) {
			t, ok := r.own().Of(path)
			return mutation.Target{Target: t, Seconds: r.usual(t)}, ok
		},
	}
	set, cut, err := study.Run(ctx)
	if cut {
		r.notes.Cut("mutants beyond the first %d", len(set.All))
	}
	if err == nil {
		r.notes.Note(known.Keep(r.Output, tests))
	}
	return set, err
}

// reportMutants writes mutation.json, when there were mutants.
func (r *run) reportMutants() {
	if r.mutation == nil || len(r.mutation.All) == 0 {
		return
	}
	killers := map[string]string{}
	for _, t := range r.earlier() {
		for id, by := range t.Killers {
			if r.killed[id] {
				killers[id] = by
			}
		}
	}
	r.file("mutation.json", mutation.Artifact(r.mutation.All, killers, r.Version, r.Read))
}

// usual is how many seconds the suite of a target takes, 0 when nobody knows.
func (r *run) usual(t executor.Target) float64 {
	for _, b := range r.own().Runs {
		if b.Target.Name == t.Name {
			return b.Head.Seconds
		}
	}
	return 0
}

// testsDigest is the digest of the project's own test files, empty when there
// are too many to look at. Reports do not always name files: those that the
// names say to be tests are among them.
func (r *run) testsDigest() string {
	files := r.code.Graph().Files()
	if len(files) >= related.Files {
		return ""
	}
	files = slices.DeleteFunc(files, func(f string) bool {
		kind, _, _ := change.Classify(f, nil)
		return kind != qa.KindTest
	})
	files = append(files, r.own().TestFiles()...)
	slices.Sort(files)
	var parts [][]byte
	for _, name := range slices.Compact(files) {
		raw, err := r.Read(name)
		if err != nil {
			continue // gone, or not in the checkout
		}
		parts = append(parts, []byte(name), raw)
	}
	return session.Digest(parts...)
}
