package laid

import (
	"bytes"
	"context"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/framework/python"
	"github.com/org/qa-action/internal/impact"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/source/loads"
)

// steering finds the files of a change that configure runners.
type steering struct {
	Look
	texts  map[string][]byte // what configures the runners, by folder
	before framework.Places
	gained bool
	loaded func() ahead
}

// ahead is what texts say of when files are loaded.
type ahead struct {
	early         map[string]bool
	first, tested func(name string) bool
}

// Steering are the files of the change that configure runners, or that what configures them
// names, or that the runs showed to have a hand in it. With a Go file goes what the change did
// to the tests of its package, which are built together, and with one that the runs showed
// the conftest.py that may have led to it, also where the change left that one alone and
// base's run did not have it.
func (l Look) Steering(ctx context.Context) []File {
	s := steering{Look: l, texts: l.configurations(ctx), before: l.places()}
	s.gained = executor.Gained(l.Runs, each.Set(each.Of(l.Change.Files, func(f qa.FileChange) string { return f.Path })))
	s.loaded = sync.OnceValue(func() (a ahead) {
		a.early, a.first, a.tested = impact.Early(l.Root, executor.Ahead(l.Targets), l.testFiles())
		return a
	})
	var out, beside, roots []File
	packages, acts := map[string]bool{}, s.gained
	for _, f := range each.Where(l.Change.Files, func(f qa.FileChange) bool { return !f.Submodule }) {
		file, steers, acting := s.look(ctx, f)
		acts = acts || acting
		switch goTest := !framework.Aside(f.Path) && strings.HasSuffix(f.Path, "_test.go"); {
		case steers:
			out = append(out, file)
			packages[path.Dir(f.Path)] = packages[path.Dir(f.Path)] || goTest
		case path.Base(f.Path) == "conftest.py":
			roots = append(roots, file)
		case goTest:
			beside = append(beside, file)
		}
	}
	out = append(out, each.Where(beside, func(f File) bool { return packages[path.Dir(f.Path)] })...)
	if acts {
		out = append(out, roots...)
	}
	return out
}

// look tells whether a file is one, and whether it is so for what the runs showed.
func (s steering) look(ctx context.Context, f qa.FileChange) (out File, steers, acts bool) {
	named := !framework.Aside(f.Path) // elsewhere a name says nothing, and what loads the file does
	now, was := s.Both(ctx, f)
	own := named && !bytes.Equal(framework.Configuration(f.Path, now), framework.Configuration(f.BasePath(), was))
	steers = own || s.startedBy(f.Path) && !f.Binary || named && (!f.Binary && folder.Named(s.texts, f.Path, framework.Named) ||
		f.Status != qa.Modified && f.Status != qa.Deleted && (folder.Named(s.texts, f.Path, framework.Shadows) || s.before.Covers(f.Path)))
	if f.Status == qa.Renamed && !framework.Configures(f.OldPath) && !s.startedBy(f.Path) && f.Kind != qa.KindTest && !folder.Named(s.texts, f.OldPath, framework.Named) {
		was, f.Status = nil, qa.Added // out of what was something else
	}
	source := f.Kind == qa.KindSource && f.Status == qa.Modified
	out = File{FileChange: f, Text: framework.WithConfiguration(f.Path, now, was)}
	out.Named = steers && !own && source && !executor.Steers(s.Runs, f.Path) && !folder.Named(s.texts, f.Path, framework.Ahead)
	out.Tested = out.Named && s.loaded().tested(f.Path)
	patches := !bytes.Equal(adapter.Patches(now), adapter.Patches(was))
	switch {
	case steers || path.Base(f.Path) == "conftest.py":
	case executor.Steers(s.Runs, f.Path) && (s.gained || !bytes.Equal(python.Acting(now), python.Acting(was))):
		steers, acts, out.Text, out.Product = true, true, was, source
		if source && patches {
			out.Text = adapter.WithoutPatches(now)
		}
	case s.aside(f, now, was):
		steers, out.Text = true, was
		out.Named = source && s.loaded().tested(f.Path)
		out.Tested = out.Named
	}
	switch {
	case steers || !named:
	case f.Kind == qa.KindTest:
		steers = patches || s.hooksAll(f.Path, now, was)
	case f.Kind == qa.KindSource && patches:
		steers, out.Text, out.How = true, adapter.WithoutPatches(now), ", which puts something in the place of assertions, without that"
	}
	return out, steers, acts
}

// aside reports whether a file of the change is code that is loaded ahead of the tests, and
// neither a test nor the product: it lies among tests, or speaks of what judges, or the suite
// was measured and ran none of it, or the test command has it loaded and no test does. Tests
// may load by a name that only such a file knows, so where one fails on base, what repairs it
// is not taken for it.
func (s steering) aside(f qa.FileChange, now, was []byte) bool {
	if path.Ext(f.Path) == ".py" || !loads.Readable(f.Path) || executor.Tested(s.Runs, f.Path) || f.Kind != qa.KindTest && f.Kind != qa.KindSource {
		return false
	}
	a := s.loaded()
	return a.early[f.Path] && (f.Kind == qa.KindTest || framework.SpeaksOfJudges(now) || framework.SpeaksOfJudges(was) || executor.Idle(s.Runs, f.Path) || !executor.Red(s.Runs) && a.first(f.Path))
}

// hooksAll reports whether a test file that the change wrote has hooks for the tests of
// all files, or had.
func (l Look) hooksAll(file string, now, was []byte) bool {
	t, _ := l.Of(file)
	a, err := framework.For(t.Framework.Framework)
	return err == nil && a.Habits.Hooks != nil && (a.Habits.Hooks.Match(now) || a.Habits.Hooks.Match(was))
}

// testFiles are those that the reports of head name.
func (l Look) testFiles() (files []string) {
	for _, run := range l.Runs {
		files = append(files, each.Of(run.Tests.Cases, func(k qa.Case) string { return k.File })...)
	}
	return files
}

// places are those of what head has and the change did not add.
func (l Look) places() framework.Places {
	added := map[string]bool{}
	for _, f := range l.Change.Files {
		added[f.Path] = f.Status != qa.Modified && f.Status != qa.Deleted
	}
	return framework.PlacesOf(func(yield func(string) bool) {
		for name := range l.Tracked() {
			if !added[name] && !yield(name) {
				return
			}
		}
	})
}

// startedBy reports whether a test command names a file as something to run.
func (l Look) startedBy(file string) bool {
	return slices.ContainsFunc(l.Targets, func(t executor.Target) bool { return framework.StartedBy(t.Framework, file) })
}

// configurations are what configures the runners of each target's folder, on head and, where
// the change wrote it, on base: that run has base's.
func (l Look) configurations(ctx context.Context) map[string][]byte {
	out := map[string][]byte{}
	for _, t := range l.Targets {
		l.gather(out, path.Clean(t.Framework.Dir), framework.Configures, framework.Configuration)
	}
	for _, f := range l.Change.Files {
		dir := path.Dir(f.BasePath())
		if _, of := out[dir]; of && framework.Configures(f.BasePath()) {
			_, was := l.Both(ctx, f)
			out[dir] = append(out[dir], framework.Configuration(f.BasePath(), was)...)
		}
	}
	return out
}
