package baseline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
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
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/source/loads"
	"github.com/org/qa-action/internal/targets"
)

// steered is a file of the change that configures a test runner, as head would
// have it with base's configuration; nil when base has none.
type steered struct {
	file qa.FileChange
	text []byte
	how  string // how head's own differs, where it is no configuration
	// product tells that head's has a part of the product in it, which base's takes along.
	product bool
}

// runnerChanged looks whether the change configures the test runner anew: tests
// that are as they were may be left out then, or their failures. The suite is run
// on head once more, as base configures it, and what it shows is kept.
func (c comparison) runnerChanged(ctx context.Context) error {
	if c.Change.Base == "" || len(c.b.Runs) == 0 {
		return nil
	}
	files := c.steering(ctx)
	if len(files) == 0 {
		return nil
	}
	defer c.Copies.Restore(ctx)
	said, err := c.with(ctx, files)
	if err != nil {
		return err
	}
	if both := each.Where(files, func(f steered) bool { return f.product }); len(said) == 0 && len(both) > 0 {
		said = []string{"it is part of the product in " + both[0].file.Path + ", which base's takes along, so not all of what it does was seen"}
	}
	if len(said) > 0 {
		names := each.Of(files, func(f steered) string { return f.file.Path + f.how })
		c.b.Command = also(c.b.Command, "the configuration of the test runner changes ("+some(names)+"); with base's, on head: "+strings.Join(said, "; "))
	}
	return nil
}

// with says what the suites of head show with base's text of some files that their own runs
// do not.
func (c comparison) with(ctx context.Context, files []steered) (said []string, err error) {
	for _, f := range files {
		err = errors.Join(err, f.lay(c.ws))
	}
	was, in := targets.In(ctx, c.ws, c.Config)
	if err = errors.Join(err, in); err != nil {
		return []string{"not compared: " + err.Error()}, nil
	}
	for i, t := range was.Targets {
		run, err := c.once(ctx, t, "base-runner", i)
		if err != nil {
			return nil, fmt.Errorf("run the tests of %s with base's configuration: %w", t.Name, err)
		}
		if run == nil {
			return append(said, framework.CommandLine(t.Framework)+" was not run: no time was left"), nil
		}
		if what := executor.Unlike(c.b.Runs, t, *run, c.Touches); what != "" {
			said = append(said, framework.CommandLine(t.Framework)+" "+what)
		}
	}
	return said, nil
}

// lay puts base's configuration into the copy of head.
func (s steered) lay(ws *runtime.Workspace) error {
	name := s.file.Path
	if s.file.Status == qa.Renamed {
		name = s.file.BasePath()
	}
	if s.text == nil || name != s.file.Path {
		if err := ws.Remove(s.file.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if s.text == nil {
		return nil
	}
	return ws.Write(name, s.text)
}

// both is the text of a file on head and on base.
func (c comparison) both(ctx context.Context, f qa.FileChange) (now, was []byte) {
	if f.Status != qa.Deleted {
		now = c.Text(f.Path)
	}
	if f.Status != qa.Added && f.Status != qa.Copied { // a copy has no base of its own
		was = c.Before(ctx, f)
	}
	return now, was
}

// steering are the files of the change that configure runners, or that what
// configures them names, or that the runs showed to have a hand in it. With a Go file goes
// what the change did to the tests of its package, which are built together, and with one
// that the runs showed the conftest.py that may have led to it, also where the change left
// that one alone and base's run did not have it.
func (c comparison) steering(ctx context.Context) []steered {
	var out, beside, roots []steered
	texts, packages, before := c.configurations(), map[string]bool{}, c.places()
	gained := executor.Gained(c.b.Runs, each.Set(each.Of(c.Change.Files, func(f qa.FileChange) string { return f.Path })))
	acts := gained
	early := sync.OnceValues(func() (map[string]bool, func(name string) bool) {
		return impact.Early(c.Root, executor.Ahead(c.b.Targets), each.Of(c.b.Tests().Cases, func(k qa.Case) string { return k.File }))
	})
	for _, f := range each.Where(c.Change.Files, func(f qa.FileChange) bool { return !f.Submodule }) {
		named := !framework.Aside(f.Path) // elsewhere a name says nothing, and what loads the file does
		now, was := c.both(ctx, f)
		steers := c.b.startedBy(f.Path) && !f.Binary || named && (!bytes.Equal(framework.Configuration(f.Path, now), framework.Configuration(f.BasePath(), was)) ||
			!f.Binary && folder.Named(texts, f.Path, framework.Named) ||
			f.Status != qa.Modified && f.Status != qa.Deleted && (folder.Named(texts, f.Path, framework.Shadows) || before.Covers(f.Path)))
		if f.Status == qa.Renamed && !framework.Configures(f.OldPath) && !c.b.startedBy(f.Path) && f.Kind != qa.KindTest && !folder.Named(texts, f.OldPath, framework.Named) {
			was, f.Status = nil, qa.Added // out of what was something else
		}
		s := steered{file: f, text: framework.WithConfiguration(f.Path, now, was)}
		patches := !bytes.Equal(adapter.Patches(now), adapter.Patches(was))
		if root := path.Base(f.Path) == "conftest.py"; !steers && root {
			roots = append(roots, s)
		} else if !steers && executor.Steers(c.b.Runs, f.Path) && (gained || !bytes.Equal(python.Acting(now), python.Acting(was))) {
			steers, acts, s.text, s.product = true, true, was, f.Kind == qa.KindSource && f.Status == qa.Modified
			if s.product && patches {
				s.text = adapter.WithoutPatches(now)
			}
		} else if !steers && c.aside(f, now, was, early) {
			steers, s.text = true, was
		}
		switch {
		case steers || !named:
		case f.Kind == qa.KindTest:
			steers = patches || c.hooksAll(f.Path, now, was)
		case f.Kind == qa.KindSource && patches:
			steers, s.text, s.how = true, adapter.WithoutPatches(now), ", which puts something in the place of assertions, without that"
		}
		switch goTest := named && strings.HasSuffix(f.Path, "_test.go"); {
		case steers:
			out = append(out, s)
			packages[path.Dir(f.Path)] = packages[path.Dir(f.Path)] || goTest
		case goTest:
			beside = append(beside, s)
		}
	}
	for _, s := range beside {
		if packages[path.Dir(s.file.Path)] {
			out = append(out, s)
		}
	}
	if acts {
		out = append(out, roots...)
	}
	return out
}

// aside reports whether a file of the change is code that is loaded ahead of the tests, and
// neither a test nor the product: it lies among tests, or speaks of what judges, or the suite
// was measured and ran none of it, or the test command has it loaded and no test does. Tests
// may load by a name that only such a file knows, so where one fails on base, what repairs it
// is not taken for it.
func (c comparison) aside(f qa.FileChange, now, was []byte, ahead func() (early map[string]bool, first func(name string) bool)) bool {
	if path.Ext(f.Path) == ".py" || !loads.Readable(f.Path) || executor.Tested(c.b.Runs, f.Path) || f.Kind != qa.KindTest && f.Kind != qa.KindSource {
		return false
	}
	early, first := ahead()
	return early[f.Path] && (f.Kind == qa.KindTest || framework.SpeaksOfJudges(now) || framework.SpeaksOfJudges(was) || executor.Idle(c.b.Runs, f.Path) || !executor.Red(c.b.Runs) && first(f.Path))
}

// unknown looks for files that have a hand in all tests on head and not on base, and that
// git does not know: something that the change runs before its tests left them.
func (c comparison) unknown() {
	if files := executor.SteersSince(c.b.Runs, each.Set(slices.Collect(c.ws.Tracked()))); len(files) > 0 {
		c.b.Command = also(c.b.Command, "files that git does not know, and that base's run did not have, have a hand in what becomes of all tests: "+some(files))
	}
}

// hooksAll reports whether a test file that the change wrote has hooks for the tests of
// all files, or had.
func (c comparison) hooksAll(file string, now, was []byte) bool {
	t, _ := c.b.Of(file)
	a, err := framework.For(t.Framework.Framework)
	return err == nil && a.Habits.Hooks != nil && (a.Habits.Hooks.Match(now) || a.Habits.Hooks.Match(was))
}

// places are those of what head has and the change did not add.
func (c comparison) places() framework.Places {
	added := map[string]bool{}
	for _, f := range c.Change.Files {
		added[f.Path] = f.Status != qa.Modified && f.Status != qa.Deleted
	}
	return framework.PlacesOf(func(yield func(string) bool) {
		for name := range c.ws.Tracked() {
			if !added[name] && !yield(name) {
				return
			}
		}
	})
}

// startedBy reports whether a test command names a file as something to run.
func (b *Baseline) startedBy(file string) bool {
	return slices.ContainsFunc(b.Targets, func(t executor.Target) bool { return framework.StartedBy(t.Framework, file) })
}

// configurations are what configures the runners of each target's folder.
func (c comparison) configurations() map[string][]byte {
	out := map[string][]byte{}
	for _, t := range c.b.Targets {
		c.gather(out, path.Clean(t.Framework.Dir), framework.Configures, framework.Configuration)
	}
	return out
}

// gather enters what the files of a folder say together: which tells whether one is meant,
// part what of it counts.
func (c comparison) gather(into map[string][]byte, dir string, which func(name string) bool, part func(name string, text []byte) []byte) {
	entries, err := fs.ReadDir(rooted.FS(c.Root), dir)
	if _, seen := into[dir]; seen || err != nil {
		return
	}
	into[dir] = nil
	for _, e := range entries {
		if e.Type().IsRegular() && which(e.Name()) {
			into[dir] = append(into[dir], part(e.Name(), c.Text(path.Join(dir, e.Name())))...)
		}
	}
}
