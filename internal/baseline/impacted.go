package baseline

import (
	"context"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/history"
	"github.com/org/qa-action/internal/impact"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/runtime"
)

// listTime is how long the command may take that says what packages are built of.
const listTime = 5 * time.Minute

// impacted leaves out of a target's suite what the change cannot reach, where that is
// asked for and a whole run of base tells which tests there are. nil is not asked for.
func (m measurer) impacted(ctx context.Context, tree executor.Tree, t *executor.Target, base *history.Suite) ([]qa.Impact, error) {
	if m.Config.Tests != config.Impacted {
		return nil, nil
	}
	s, err := m.selection(ctx, tree, *t, base)
	if err != nil {
		return nil, err
	}
	out := []qa.Impact{{Target: t.Name, Ran: len(s.Units), Left: s.Left, Everything: s.All}}
	how, err := framework.For(t.Framework.Framework)
	if err != nil || s.All != "" || s.Left == 0 && len(s.Without) == 0 {
		return out, nil //nolint:nilerr // everything runs, by whom nobody knows
	}
	t.Without = s.Without
	for _, u := range s.Units {
		if how.Parts != nil && how.Parts.Built != nil {
			t.Only = append(t.Only, adapter.Selected{Suite: u})
		} else {
			t.Only = append(t.Only, adapter.Selected{File: u})
		}
	}
	return out, nil
}

// selection asks what of a suite has to run.
func (m measurer) selection(ctx context.Context, tree executor.Tree, t executor.Target, base *history.Suite) (impact.Selection, error) {
	everything := func(why string) (impact.Selection, error) { return impact.Selection{All: why}, nil }
	ws, ok := tree.(interface{ Tracked() iter.Seq[string] })
	how, err := framework.For(t.Framework.Framework)
	byPackage := err == nil && how.Parts != nil && how.Parts.Built != nil
	switch {
	case !ok || err != nil || t.Framework.Framework == framework.Command.Name:
		return everything("of a command it is not known what it loads")
	case !m.b.Split.Whole():
		return everything("each shard runs its part of all")
	case m.Change.All || m.Change.Base == "":
		return everything("the run is not about a change")
	case base == nil:
		return everything("no whole run of base in this environment is remembered")
	case slices.ContainsFunc(t.Framework.Before, makes):
		return everything("the tests run what is made before them")
	}
	change := impact.Change{Files: m.Change.Files, Told: slices.Concat(t.Framework.Args, t.Framework.Env), Dir: t.Framework.Dir, Elsewhere: m.elsewhere(t), Unread: m.unread(), Steers: func(file string) bool {
		return impact.Installs(file) || slices.Contains(m.b.Read, file) || impact.Steering(file)
	}}
	units, why := m.units(*base, t, byPackage)
	if why != "" {
		return everything(why)
	}
	own := func(file string) []byte {
		if !m.b.owns(file, t.Framework.Dir) {
			return nil
		}
		return m.Text(file)
	}
	if file := hooked(ws.Tracked(), own, how.Habits.Hooks); file != "" {
		return everything(file + " has hooks for the tests of all files")
	}
	graph := sync.OnceValue(func() *impact.Graph { return impact.Imports(m.Root, change.Known(ws.Tracked()), impact.ForTests) })
	if base.Executed != nil {
		change.Bodies = &impact.Bodies{Executed: base.Executed, Text: m.Text, Graph: graph,
			Before: func(f qa.FileChange) []byte { return m.Before(ctx, f) }, Now: func(f qa.FileChange) []byte { return m.Text(f.Path) }, Ran: base.Has()}
		if s, ok := change.Executed(units); ok {
			return s, nil
		}
	}
	if !byPackage {
		return graph().Select(change, units), nil
	}
	argv := how.Parts.Built(t.Framework)
	res, err := tree.Run(ctx, runtime.Command{Argv: argv, Dir: t.Framework.Dir, Env: t.Framework.Env, Timeout: listTime})
	if ctx.Err() != nil {
		return impact.Selection{}, context.Cause(ctx)
	}
	if err != nil || res.ExitCode != 0 || res.Truncated {
		return everything(fmt.Sprintf("what packages are built of could not be listed (exit code %d)", res.ExitCode))
	}
	return impact.Packages(impact.Listing{Root: m.Root, Tree: tree.Dir(), Text: string(res.Stdout)}, change, units), nil
}

// makes reports whether a command before the tests may make what they run.
func makes(argv []string) bool { return !slices.Contains(argv, "mkdir") }

// hooked is a test file with hooks for all of them: it may be one without a test, of which
// no report tells.
func hooked(files iter.Seq[string], text func(string) []byte, hooks *pattern.Pattern) string {
	for file := range files {
		if hooks != nil && hooks.Match(text(file)) {
			return file
		}
	}
	return ""
}

// units are the test files, or packages, that ran on base and are still there, and the
// test files that the change adds.
func (m measurer) units(base history.Suite, t executor.Target, byPackage bool) (units []string, why string) {
	seen := map[string]bool{}
	for _, c := range base.Cases() {
		unit, _, named := strings.Cut(c.Name, " > ")
		if !named || seen[unit] {
			if !named {
				return nil, "of a test it is not known where it stands: " + c.Name
			}
			continue
		}
		seen[unit] = true
		if byPackage {
			units = append(units, unit)
			continue
		}
		if _, err := m.Stat(unit); err == nil {
			units = append(units, unit)
		} else if f, changed := m.Change.File(unit); !changed || f.Status == qa.Modified {
			return nil, "of a test it is not known where it stands: " + c.Name
		}
	}
	if byPackage {
		for _, f := range m.Change.Files {
			if f.Status == qa.Added && strings.HasSuffix(f.Path, "_test.go") {
				return nil, f.Path + " is new"
			}
		}
		return units, ""
	}
	for _, f := range m.Change.Files {
		if f.Kind != qa.KindTest || f.Status == qa.Deleted || seen[f.Path] || !m.b.owns(f.Path, t.Framework.Dir) {
			continue
		}
		if slices.ContainsFunc(m.b.Targets, func(o executor.Target) bool { return o.Name != t.Name && o.Framework.Dir == t.Framework.Dir }) {
			return nil, f.Path + " is new, and of which suite it is cannot be told"
		}
		if src := m.Text(f.Path); src == nil || framework.DefinesTests(f.Path, src) {
			units = append(units, f.Path)
		}
	}
	return units, ""
}

// elsewhere reports of a file whether the nearest suite above it is another one.
func (m measurer) elsewhere(t executor.Target) func(string) bool {
	return func(file string) bool {
		nearest := ""
		for _, o := range m.b.Targets {
			if qa.Below(file, o.Framework.Dir) && len(path.Clean(o.Framework.Dir)) >= len(nearest) {
				nearest = path.Clean(o.Framework.Dir)
			}
		}
		return nearest != "" && nearest != path.Clean(t.Framework.Dir)
	}
}

// unread reports of a file whether a whole run of the suites on base did not open it, and
// seems not to look at it either.
func (m measurer) unread() func(string) bool {
	b := m.sawBase()
	if b == nil {
		return func(string) bool { return false }
	}
	unread := impact.Unread(m.Checkout, b.Opened)
	return func(file string) bool {
		f, changed := m.Change.File(file)
		return changed && unread(f)
	}
}

// leftOut reports whether something of a suite was left out that the change cannot reach.
func leftOut(b *Baseline) bool { return b.Tests().LeftOut().Any() }

// counted counts the tests that were left out: what was to be left out and ran all the same,
// as its file has other tests now, is none of them.
func counted(reach []qa.Impact, left []string, cases []qa.Case) []qa.Impact {
	if len(reach) == 0 {
		return reach
	}
	ran := each.Set(each.Of(cases, qa.Case.ID))
	out := slices.Clone(reach)
	out[0].Tests = each.Count(left, func(id string) bool { return !ran[id] })
	return out
}
