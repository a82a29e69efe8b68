package mode

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/runtime"
)

// detect finds the targets: those of the config file, else every directory
// with evidence of a framework.
func (b *baseline) detect(m framework.Machine, root string, c *config.Config) error {
	if len(c.Targets) == 0 {
		return b.detectIn(m, root, c.WorkingDirectory, config.Target{Name: "", Framework: c.Framework, TestCommand: c.TestCommand, Coverage: c.Coverage}, c.TestReport, c.CoverageFile)
	}
	for _, t := range c.Targets {
		if !below(t.Dir, c.WorkingDirectory) {
			continue // another shard's
		}
		if err := b.detectIn(m, root, t.Dir, t, config.List(t.TestReport), config.List(t.CoverageFile)); err != nil {
			return err
		}
	}
	return nil
}

// machine is what detection may know of a workspace: the programs of its own
// PATH, not of ours.
func machine(ctx context.Context, ws *runtime.Workspace) framework.Machine {
	m := framework.Machine{
		LookPath:  func(program string) (string, error) { return ws.LookPath(ctx, program) },
		Activated: ws.Activated(),
	}
	if ws.Foreign() {
		m.Packages = func(interpreter string) map[string]string { return ws.PythonPackages(ctx, interpreter) }
	}
	return m
}

// below reports whether dir is a directory or lies in it.
func below(dir, in string) bool {
	return in == "" || in == "." || dir == in || strings.HasPrefix(dir, in+"/")
}

func (b *baseline) detectIn(m framework.Machine, root, dir string, t config.Target, reports, files []string) error {
	if t.TestCommand != "" {
		return b.ownCommand(m, root, dir, t, reports, files)
	}
	only := t.Framework
	if only == "auto" {
		only = ""
	}
	found, err := m.Find(root, dir, only)
	if err != nil {
		return err
	}
	before := len(b.targets)
	b.add(found, t)
	b.broken = append(b.broken, found.Broken...)
	for _, n := range found.Broken {
		if path.Dir(n.What) == path.Clean(dir) { // what tests it names is not known
			b.unread(n, dir)
			return nil
		}
	}
	if len(b.targets) == before {
		reason := "no test framework found; name test-command and test-report"
		if only != "" {
			reason = "no evidence of " + only + " found; is working-directory right?"
		}
		b.rows = append(b.rows, qa.TargetRow{Name: label(t.Name, dir), Dir: dir, State: "inconclusive", Reason: reason})
	}
	return nil
}

// ownCommand takes the user's command: what it leads to, when nothing says which
// reports it writes, else the command as it stands.
func (b *baseline) ownCommand(m framework.Machine, root, dir string, t config.Target, reports, files []string) error {
	d, err := framework.Custom(dir, t.TestCommand, declared(reports), declared(files))
	if err != nil {
		return err
	}
	if len(reports)+len(files) == 0 && t.Framework != framework.Command.Name {
		found, err := m.Follow(root, dir, t.TestCommand)
		if err != nil {
			return err
		}
		if b.add(found, t); len(found.Detections) > 0 {
			return nil
		}
	}
	b.targets = append(b.targets, executor.Target{Name: label(t.Name, d.Dir), Dir: dir, Framework: d, Coverage: t.Coverage})
	return nil
}

// add makes targets of what was found.
func (b *baseline) add(found framework.Found, t config.Target) {
	b.checks, b.read = append(b.checks, found.Checks...), append(b.read, found.Read...)
	for _, n := range slices.Concat(found.Notes, found.Broken) {
		b.also[n.What] = n.Why
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
		b.targets = append(b.targets, executor.Target{Name: name, Dir: d.Dir, Framework: d, Coverage: t.Coverage})
	}
}

// unread is the row of a manifest that does not parse.
func (b *baseline) unread(n framework.Note, dir string) {
	if !slices.ContainsFunc(b.rows, func(t qa.TargetRow) bool { return t.Name == n.What }) {
		b.rows = append(b.rows, qa.TargetRow{Name: n.What, Dir: dir, State: "inconclusive", Reason: n.What + " " + n.Why})
	}
}

func declared(globs []string) []framework.Declared {
	var out []framework.Declared
	for _, g := range globs {
		out = append(out, framework.Declared{Path: g})
	}
	return out
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
