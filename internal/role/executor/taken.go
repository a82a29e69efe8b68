package executor

import (
	"path"
	"slices"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/edit"
)

// Taken are tests that passed on base and that a change took away from files of its own.
type Taken struct {
	// Files are those that had them.
	Files  []qa.FileChange
	tests  map[string]bool
	misfit func(qa.Case) bool
}

// TakenBy finds them in what a target showed on both sides, or by the ids of what passed on
// base where an earlier run stands for it: that does not say in which file each stood.
func TakenBy(c qa.Change, ran Baseline, passed []string) Taken {
	gone := Dropped(ran)
	out := Taken{tests: each.Set(each.Of(gone, qa.Case.ID))}
	had := func(f qa.FileChange) bool {
		return slices.ContainsFunc(gone, func(k qa.Case) bool { return k.File == f.BasePath() })
	}
	if ran.Base == nil && ran.Head.Inconclusive == "" && ran.Target.Part == nil {
		removed := each.Set(ran.Tests.Removed)
		ids := each.Where(Gone(passed, ran.Head.Suite), func(id string) bool { return removed[id] })
		out.tests, had = each.Set(ids), func(f qa.FileChange) bool { return len(ids) > 0 && f.Kind == qa.KindTest }
	}
	out.Files = each.Where(c.Files, func(f qa.FileChange) bool { return f.Status != qa.Added && f.Status != qa.Copied && had(f) })
	out.misfit = Misfit(each.Of(out.Files, qa.FileChange.BasePath), each.Of(c.Of(qa.KindSource), func(f qa.FileChange) string { return f.Path }))
	return out
}

// Selected are the files to run.
func (t Taken) Selected() []adapter.Selected {
	return each.Of(t.Files, func(f qa.FileChange) adapter.Selected { return adapter.Selected{File: f.BasePath()} })
}

// Fail are the tests that fail in a run of head in which these files are as base has them,
// but for those that do not fit the product any more.
func (t Taken) Fail(run Run) []qa.Case {
	return each.Where(run.Suite.Cases, func(k qa.Case) bool {
		return k.Status.Bad() && t.tests[k.ID()] && !t.misfit(k)
	})
}

// Unexplained are the targets whose command ended badly on head and base alike although no
// test failed.
func Unexplained(failing []qa.FailingTest) (names []string) {
	for _, f := range failing {
		if f.Triage == qa.PreExisting && f.Case.Suite == f.Target && f.Case.Name == "(crash)" {
			names = append(names, f.Target)
		}
	}
	return names
}

// Outdone are tests of Python that share their name, since the change, with something further
// down: the report has the name, and only what stands last runs.
func Outdone(c qa.Change, both func(qa.FileChange) (now, was []byte)) (names []string) {
	for _, f := range c.Of(qa.KindTest) {
		if path.Ext(f.Path) == ".py" {
			now, was := both(f)
			before := edit.Outdone(f.Path, was)
			fresh := each.Where(edit.Outdone(f.Path, now), func(name string) bool { return !slices.Contains(before, name) })
			names = append(names, each.Of(fresh, func(name string) string { return f.Path + " > " + name })...)
		}
	}
	return names
}
