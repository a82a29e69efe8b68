// Package targets finds the suites that a run is about: those of the config file,
// else every directory with evidence of a test framework. Start at [Find].
package targets

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/ci"
	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/wording"
)

// Found is what there is to run, and what there is not.
type Found struct {
	Targets []executor.Target
	// Rows are of what could not be found; once the suites ran, of all of them.
	Rows []qa.TargetRow
	// Also are frameworks that were found and are not run, with the reason.
	Also map[string]string
	// Broken are manifests that do not parse.
	Broken []framework.Note
	// Checks are the parts of the test scripts that are no tests.
	Checks []framework.Check
	// Ahead are the builds ahead of suites that check types.
	Ahead []framework.Check
	// Read are the files that say what is run and how.
	Read []string

	workflow []config.WorkflowTest
}

// Find finds the targets in a tree. What was found until an error is returned
// with it.
func Find(m project.Machine, root string, c *config.Config) (Found, error) {
	f := Found{Also: map[string]string{}}
	if len(c.Targets) == 0 {
		f.workflow = c.Workflow
		err := f.in(m, root, config.Target{Dir: c.WorkingDirectory, Framework: c.Framework, TestCommand: c.TestCommand,
			TestReport: strings.Join(c.TestReport, ","), CoverageFile: strings.Join(c.CoverageFile, ",")})
		return f, err
	}
	for _, t := range c.Packages() {
		if err := f.in(m, root, t); err != nil {
			return f, err
		}
	}
	return f, nil
}

// In finds the targets in the copy of a run.
func In(ctx context.Context, ws *runtime.Workspace, c *config.Config) (Found, error) {
	return Find(Machine(ctx, ws), ws.Dir(), c)
}

// Machine is what detection may know of a workspace: the programs of its own
// PATH, not of ours.
func Machine(ctx context.Context, ws *runtime.Workspace) project.Machine {
	m := project.Machine{
		LookPath:  func(program string) (string, error) { return ws.LookPath(ctx, program) },
		Activated: ws.Activated(),
	}
	if ws.Foreign() {
		m.Packages = func(interpreter string) map[string]string { return ws.PythonPackages(ctx, interpreter) }
	}
	return m
}

func (f *Found) in(m project.Machine, root string, t config.Target) error {
	if t.TestCommand != "" {
		return f.ownCommand(m, root, t)
	}
	dir, only := t.Dir, t.Framework
	if only == "auto" {
		only = ""
	}
	found, err := framework.Find(m, root, dir, only)
	if err != nil {
		return err
	}
	for _, w := range f.workflow {
		if err := framework.Widen(m, root, dir, framework.Told{Line: w.Line, Source: w.Source, Needs: w.Needs}, &found); err != nil {
			return err
		}
	}
	before := len(f.Targets)
	f.add(found, t)
	f.Broken = append(f.Broken, found.Broken...)
	for _, n := range found.Broken {
		if path.Dir(n.What) == path.Clean(dir) { // what tests it names is not known
			f.Unread(n, dir)
			return nil
		}
	}
	if only == "" && len(f.Targets) == before {
		err = f.byWorkflow(m, root, t)
	} else if only == "" {
		err = f.beside(m, root, dir, found)
	}
	if err != nil {
		return err
	}
	if len(f.Targets) == before {
		reason := "no test framework found; name test-command and test-report"
		if only != "" {
			reason = "no evidence of " + only + " found; is working-directory right?"
		} else if told, ok := ci.Told(rooted.FS(root)); ok {
			reason = fmt.Sprintf("no test framework found; %s tells people to run %q: name it in test-command, and its report in test-report", told.Source, wording.Command(told.Argv))
		}
		f.Rows = append(f.Rows, qa.TargetRow{Name: label(t.Name, dir), Dir: dir, State: "inconclusive", Reason: reason})
	}
	return nil
}

// byWorkflow takes what the commands of base's workflow lead to, where adapters know
// all of it: a part of the tests would pass for the whole.
func (f *Found) byWorkflow(m project.Machine, root string, t config.Target) error {
	if slices.ContainsFunc(f.workflow, func(w config.WorkflowTest) bool { return w.Less }) {
		return nil
	}
	var all []framework.Found
	for _, w := range f.workflow {
		if w.Row { // another one says the same of the same tests
			continue
		}
		found, err := framework.Stated(m, root, t.Dir, w.Line, w.Source)
		if err != nil || len(found.Detections) == 0 {
			return err
		}
		all = append(all, found)
	}
	for _, found := range all {
		f.add(found, t)
	}
	return nil
}

// beside takes what the commands of base's workflow run that was not found, or notes what
// they run in another way.
func (f *Found) beside(m project.Machine, root, dir string, found framework.Found) error {
	for _, w := range f.workflow {
		if w.Row {
			continue
		}
		more, err := found.Otherwise(m, root, dir, framework.Told{Line: w.Bare, Source: w.Source, Needs: w.Needs, Afar: w.Afar})
		if err != nil {
			return err
		}
		found.Checks = append(found.Checks, more.Checks...)
		f.Checks, f.Read = append(f.Checks, more.Checks...), append(f.Read, more.Read...)
		for _, n := range more.Notes {
			f.Also[n.What] = cmp.Or(f.Also[n.What], n.Why) // what kept it from being taken over tells more
		}
	}
	return nil
}

// ownCommand takes the user's command: what it leads to, when nothing says which
// reports it writes, else the command as it stands.
func (f *Found) ownCommand(m project.Machine, root string, t config.Target) error {
	dir, reports, files := t.Dir, config.List(t.TestReport), config.List(t.CoverageFile)
	d, err := framework.Custom(dir, t.TestCommand, declared(reports), declared(files))
	if err != nil {
		return err
	}
	if len(reports)+len(files) == 0 && t.Framework != framework.Command.Name {
		found, err := framework.Follow(m, root, dir, t.TestCommand)
		if err != nil {
			return err
		}
		if f.add(found, t); len(found.Detections) > 0 {
			return nil
		}
	}
	f.Targets = append(f.Targets, executor.Target{Name: label(t.Name, d.Dir), Dir: dir, Framework: d})
	return nil
}

// add makes targets of what was found.
func (f *Found) add(found framework.Found, t config.Target) {
	f.Checks, f.Ahead, f.Read = append(f.Checks, found.Checks...), append(f.Ahead, found.Ahead...), append(f.Read, found.Read...)
	for _, n := range slices.Concat(found.Notes, found.Broken) {
		f.Also[n.What] = n.Why
	}
	in := map[string]int{}
	for _, d := range found.Detections {
		in[d.Dir]++
	}
	for _, d := range found.Detections {
		name := t.Name
		if name == "" || name == t.Dir || len(in) > 1 {
			name = d.Dir
		}
		name = label(name, d.Dir)
		if in[d.Dir] > 1 { // every part of the test script is a target
			name += " (" + d.Leaf + ")"
		}
		f.Targets = append(f.Targets, executor.Target{Name: name, Dir: d.Dir, Framework: d})
	}
}

// Unread is the row of a manifest that does not parse.
func (f *Found) Unread(n framework.Note, dir string) {
	if !slices.ContainsFunc(f.Rows, func(t qa.TargetRow) bool { return t.Name == n.What }) {
		f.Rows = append(f.Rows, qa.TargetRow{Name: n.What, Dir: dir, State: "inconclusive", Reason: n.What + " " + n.Why})
	}
}

func declared(globs []string) []adapter.Declared {
	return each.Of(globs, func(g string) adapter.Declared { return adapter.Declared{Path: g} })
}

func label(name, dir string) string {
	switch {
	case name != "" && name != ".":
		return name
	case dir != "" && dir != ".":
		return dir
	}
	return "."
}
