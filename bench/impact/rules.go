package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/javascript"
	"github.com/org/qa-action/internal/history"
	"github.com/org/qa-action/internal/impact"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/mutant"
	"github.com/org/qa-action/internal/testreport"
)

// rules holds what a run would select against what fails, without running it: a clone with
// pytest in .venv, or with jest, is noted once, and the bare suite runs for each fault.
type rules struct {
	repository
	suite
	out      string
	executed *qa.Execution
	base     qa.Suite
}

func (r *rules) try(ctx context.Context) (chosen, error) {
	var o chosen
	var err error
	if r.suite, err = suiteOf(r.dir); err != nil {
		return o, err
	}
	files, err := r.sources(ctx)
	if err != nil || len(files) == 0 {
		return o, errors.Join(err, errors.New("no file of a language that faults can be put into"))
	}
	if err := r.note(ctx, &o); err != nil {
		return o, err
	}
	for n := 0; n < 2*tries*r.faults && o.faults < r.faults && ctx.Err() == nil; n++ {
		file, m, ok := r.fault(files)
		if !ok || !slices.Contains(r.extensions, filepath.Ext(file)) {
			continue
		}
		if err := r.one(ctx, file, m, &o); err != nil {
			return o, err
		}
	}
	return o, ctx.Err()
}

// run runs the suite as a run of qa does. One that a fault has hang tells nothing.
func (r *rules) run(ctx context.Context, executed time.Duration) (s qa.Suite, answers [][]byte, seconds float64, err error) {
	out, err := os.MkdirTemp(r.out, "run")
	if err != nil {
		return s, nil, 0, err
	}
	inv, err := r.Invocation(r.Detection, adapter.Request{OutDir: out, Executed: executed, Coverage: executed > 0 && r.Framework == javascript.Jest.Name})
	if err != nil {
		return s, nil, 0, err
	}
	for name, text := range inv.Files {
		at := filepath.Join(out, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, []byte(text), 0o600)); err != nil {
			return s, nil, 0, err
		}
	}
	began := time.Now()
	res, err := process.Run(ctx, process.Command{Argv: inv.Argv, Dir: r.dir, Env: append(os.Environ(), inv.Env...), Timeout: r.limit + executed})
	if err != nil || res.TimedOut {
		return s, nil, 0, err
	}
	seconds = time.Since(began).Seconds()
	s, err = testreport.Read([]string{filepath.Join(out, r.report)}, testreport.Options{Root: r.dir, Dir: ".", Failed: res.ExitCode != 0})
	if len(s.Cases)+len(s.Problems) > 0 || executed == 0 && errors.Is(err, fs.ErrNotExist) { // pytest itself ended, with any selection
		err = nil
	}
	left, _ := filepath.Glob(filepath.Join(out, r.Trace.Files))
	for _, name := range left {
		text, err := os.ReadFile(name)
		if err != nil {
			return s, nil, 0, err
		}
		answers = append(answers, text)
	}
	return s, answers, seconds, errors.Join(err, os.RemoveAll(out))
}

// note runs the suite on base, bare and with what it executes.
func (r *rules) note(ctx context.Context, o *chosen) (err error) {
	if r.out, err = os.MkdirTemp("", "qa-impact"); err != nil {
		return err
	}
	var answers [][]byte
	if r.base, _, o.bare, err = r.run(ctx, 0); err != nil {
		return err
	}
	if r.base, answers, o.noting, err = r.run(ctx, r.limit); err != nil {
		return err
	}
	if r.executed = r.Trace.Read(r.dir, r.Detection, answers).Executed; r.executed == nil {
		return errors.New("what its tests execute could not be noted")
	}
	fmt.Fprintf(os.Stderr, "%s: %d tests in %d files, %d of them one by one; always %v; %d names and numbers, %d of tests; %.1f s bare, %.1f s noting\n", r.dir, len(r.base.Cases),
		len(r.executed.Units), len(r.executed.Tests), r.executed.Always, r.executed.Size(), r.executed.Details(), o.bare, o.noting)
	return nil
}

// chosen is what the rules made of the faults of a repository.
type chosen struct {
	faults, caught, told int
	left, units          int
	tests, all           int
	bare, noting         float64
}

func (r *rules) one(ctx context.Context, file string, m mutant.Mutant, o *chosen) error {
	name := filepath.Join(r.dir, file)
	before, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	now := mutant.Apply(before, m)
	if err := os.WriteFile(name, now, 0o644); err != nil {
		return err
	}
	s, _, _, err := r.run(ctx, 0)
	selection, told := r.selection(ctx, file, before, now)
	if err := errors.Join(err, os.WriteFile(name, before, 0o644)); err != nil {
		return err
	}
	failing := map[string]bool{}
	was := history.SuiteOf(r.base.Cases).Has()
	for _, c := range s.Cases {
		if c.Status.Bad() && was(c.ID()) {
			failing[c.ID()] = true
		}
	}
	if len(failing) == 0 { // or no file can be loaded any more, which every selection sees
		fmt.Fprintf(os.Stderr, "%s: no test catches %s at %s:%d\n", r.dir, m.Operator, m.Path, m.Line)
		return nil
	}
	runs := r.runs(selection)
	missed := each.Where(slices.Sorted(maps.Keys(failing)), func(id string) bool { return !runs[id] })
	o.faults++
	if len(missed) == 0 {
		o.caught++
	} else {
		fmt.Fprintf(os.Stderr, "%s: MISSED %s at %s:%d: %d of %d failing tests, %s\n", r.dir, m.Operator, m.Path, m.Line, len(missed), len(failing), strings.Join(missed[:min(3, len(missed))], ", "))
	}
	if told {
		o.told++
	}
	units := len(r.units())
	left := selection.Left
	o.left, o.units, o.tests, o.all = o.left+left, o.units+units, o.tests+len(runs), o.all+len(r.base.Cases)
	fmt.Fprintf(os.Stderr, "%s: %s at %s:%d: %d of %d files left out, %d of %d tests run, %d fail %s\n", r.dir, m.Operator, m.Path, m.Line, left, units, len(runs), len(r.base.Cases), len(failing), selection.All)
	return nil
}

// units are the test files.
func (r *rules) units() []string {
	seen := map[string]bool{}
	for _, c := range r.base.Cases {
		unit, _, _ := strings.Cut(c.ID(), " > ")
		seen[unit] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

// selection is what a run would have run; told is whether what was executed decides alone.
func (r *rules) selection(ctx context.Context, file string, before, now []byte) (s impact.Selection, told bool) {
	kind, _, _ := change.Classify(file, nil)
	never := func(string) bool { return false }
	text := func(name string) []byte {
		src, err := os.ReadFile(filepath.Join(r.dir, name))
		if err != nil {
			return nil
		}
		return src
	}
	tracked, err := r.git(ctx, "ls-files")
	if err != nil {
		return impact.Selection{All: err.Error()}, false
	}
	graph := sync.OnceValue(func() *impact.Graph {
		return impact.Imports(r.dir, slices.Values(strings.Split(strings.TrimSpace(tracked), "\n")), impact.ForTests)
	})
	c := impact.Change{Files: []qa.FileChange{{Path: file, Status: qa.Modified, Kind: kind}}, Elsewhere: never, Steers: impact.Steering, Unread: never,
		Bodies: &impact.Bodies{Executed: r.executed, Graph: graph, Before: func(qa.FileChange) []byte { return before }, Now: func(qa.FileChange) []byte { return now }, Text: text, Ran: history.SuiteOf(r.base.Cases).Has()}}
	if s, ok := c.Executed(r.units()); ok {
		return s, true
	}
	return graph().Select(c, r.units()), false
}

// runs are the tests of base that a selection runs.
func (r *rules) runs(s impact.Selection) map[string]bool {
	units, without, out := each.Set(s.Units), map[string]bool{}, map[string]bool{}
	for unit, names := range s.Without {
		for _, name := range names {
			without[unit+" > "+name] = true
		}
	}
	for _, c := range r.base.Cases {
		unit, _, _ := strings.Cut(c.ID(), " > ")
		if s.All != "" || units[unit] && !without[c.ID()] {
			out[c.ID()] = true
		}
	}
	return out
}

func (o *chosen) add(p chosen) {
	o.faults, o.caught, o.told = o.faults+p.faults, o.caught+p.caught, o.told+p.told
	o.left, o.units, o.tests, o.all = o.left+p.left, o.units+p.units, o.tests+p.tests, o.all+p.all
	o.bare, o.noting = o.bare+p.bare, o.noting+p.noting
}

func (o *chosen) row(name string) string {
	return fmt.Sprintf("| %s | %d | %d | %d | %s | %s | %.1f | %.1f |", name, o.faults, o.caught, o.told, share(float64(o.left), float64(o.units)), share(float64(o.all-o.tests), float64(o.all)), o.bare, o.noting)
}
