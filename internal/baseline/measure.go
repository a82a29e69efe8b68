package baseline

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/history"
	"github.com/org/qa-action/internal/past"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/session"
	"github.com/org/qa-action/internal/targets"
)

// reruns is how often failures on head are repeated.
const reruns = 3

// measurer fills a baseline in.
type measurer struct {
	Options
	b *Baseline
	// place names where the suites run, empty where that cannot be told.
	place string
}

func (m measurer) measure(ctx context.Context) error {
	ws, err := m.Copies.Open(ctx)
	if err != nil {
		dir := m.Config.WorkingDirectory
		m.b.Rows = append(m.b.Rows, qa.TargetRow{Name: dir, Dir: dir, State: "inconclusive", Reason: err.Error()})
		return err
	}
	name, why := ws.Driver()
	m.b.Driver = name + ": " + why
	defer func() { m.b.Levels = ws.Levels() }() // names may cease to be noted as tests run
	p := ws.Prepared()
	m.b.Prepared, m.b.Unprepared = p.Done, p.Missing
	m.rewritten()
	if m.b.Found, err = targets.In(ctx, ws, m.Config); err != nil {
		return err
	}
	m.place = ws.Environment()
	m.b.Made = p.Made || slices.ContainsFunc(m.b.Targets, func(t executor.Target) bool { return slices.ContainsFunc(t.Framework.Before, makes) })
	m.divide()
	sides := m.Copies.Sides(ws)
	concurrent := m.concurrently(ctx, sides, ws)
	for i, t := range m.b.Targets {
		run, err := m.recalled(t, func() (executor.Baseline, error) { return m.alone(ctx, sides, t, concurrent[i]) })
		if run.Nothing(run.Head.Coverage != nil) {
			m.b.Unreached = append(m.b.Unreached, run.Tests.Impact...)
			continue
		}
		m.Past.SetAside(run.Tests.Failing)
		m.b.Runs = append(m.b.Runs, run)
		if err != nil {
			row := targetRow(run)
			row.State, row.Reason = "inconclusive", err.Error()
			if ctx.Err() != nil {
				row.Reason = "its tests did not end: " + context.Cause(ctx).Error()
			}
			m.b.Rows = append(m.b.Rows, row)
			return err
		}
	}
	c := comparison{m.Options, m.b, ws}
	if err := c.again(ctx); err != nil {
		return err
	}
	c.hooksChanged(ctx)
	if !m.plain() { // what a suite writes then is base's doing, and base did not run
		c.wrote()
	}
	c.silenced(ctx)
	c.unknown()
	unexplained(m.b)
	if err := m.built(ctx, sides, p); err != nil {
		return err
	}
	m.b.uninstalled(p.Missing)
	m.b.services(p.Job, ws.NoServices())
	m.b.unheard()
	m.settle(ws.Unfit(), executor.Absent(ws.Tracked(), m.Stat, m.Change, m.Config.WorkingDirectory))
	return nil
}

// alone runs the suite of one target, where it did not run beside others.
func (m measurer) alone(ctx context.Context, sides executor.Sides, t executor.Target, beside *executor.Baseline) (executor.Baseline, error) {
	if beside != nil {
		return *beside, nil
	}
	watched := m.Copies.Watch(t.Unnamed())
	run, err := m.target(ctx, sides, t, "")
	run.Head.Seen.Shared = watched()
	wrote := m.Copies.Restore(ctx)
	run.Wrote.Head, run.Wrote.Laid, run.Wrote.Base = wrote.Head, wrote.Laid, append(run.Wrote.Base, wrote.Base...)
	return run, err
}

// target runs the suite of one target. beside is empty where it runs alone.
func (m measurer) target(ctx context.Context, sides executor.Sides, t executor.Target, beside string) (executor.Baseline, error) {
	fmt.Fprintf(m.Progress, "baseline: running the tests of %s with %s\n", t.Name, t.Framework.Framework)
	o := executor.BaselineOptions{
		Keep:    m.Session.Place("results", "baseline", session.Segment(t.Name)),
		Timeout: m.Config.TaskTimeout, Reruns: reruns, CompareFor: m.Time.OnceMore(), Left: m.Time.ForBaseline, Live: m.Live, Known: m.Past.Flaky,
		Root: m.Root, OnceMore: m.Time.OnceMore(), Beside: beside,
	}
	if m.plain() {
		o.Plain, o.CompareFor = true, 0
	}
	if m.Config.Learn {
		o.Executed = min(m.Config.TaskTimeout, max(0, m.Time.ForBaseline()/4))
	}
	key := m.key(t)
	base, known := m.Past.StandsFor(t.Name, m.Change.Base, key, t.Framework.Coverage)
	var remembered *history.Suite
	if known {
		o.CompareFor, remembered, o.Failed = 0, &base, base.Failed // only what fails runs on base
	}
	reach, err := m.impacted(ctx, sides.Head, &t, remembered)
	if err != nil {
		return executor.Baseline{Target: t}, err
	}
	var left []string
	if len(reach) > 0 && reach[0].Ran == 0 && reach[0].Left > 0 {
		reach = counted(reach, each.Of(base.Cases(), qa.Case.ID), nil)
		tests := qa.Tests{Impact: reach}
		return executor.Baseline{Target: t, Tests: tests, Head: executor.Run{Target: t.Name, Ending: executor.Ending{Empty: true}}}, nil
	}
	if len(t.Only) > 0 {
		base, left = base.Part(each.Of(t.Only, func(u adapter.Selected) string { return u.File + u.Suite }), t.Without)
	}
	o.Passed = base.PassedBeside(m.Touches)
	b, err := executor.Measure(ctx, sides, t, o)
	b.Key, b.Tests.Impact = key, counted(reach, left, b.Head.Suite.Cases)
	if o.Plain && b.Head.Coverage == nil {
		b.Head.CoverageReason = cmp.Or(b.Head.CoverageReason, "not measured, as the change has no source code")
	}
	if err == nil && known {
		b.Remembered = past.CompareWith(&b, base)
		if t.Part != nil {
			b.Tests.Removed = nil // they are in other parts, for all that is known here
		}
		b.Wrote.Base = base.Wrote
	}
	if err == nil && b.Head.Inconclusive == "" {
		b.Head.Inconclusive = m.empty(t, b.Head)
	}
	return b, err
}

// settle says, when all targets have run, what that is worth, and puts together
// what they measured. unfit says why the installed packages are not those that
// the change asks for, absent which tests nobody checked out.
func (m measurer) settle(unfit, absent string) {
	b := m.b
	b.ambiguous()
	if len(b.Runs) > 0 && b.Split.Whole() { // of a part, the whole of the parts tells
		completeness{m.Checkout, m.Config.WorkingDirectory, b, false}.judge()
		exclude(b, m.Checkout, m.Config.WorkingDirectory)
	}
	for _, n := range b.Broken { // one that the change broke may have had tests
		if m.Touches(n.What) {
			b.Unread(n, path.Dir(n.What))
		}
	}
	b.doubted()
	for i := range b.Runs {
		b.Runs[i].Head.Inconclusive = cmp.Or(b.Runs[i].Head.Inconclusive, absent)
		if h := &b.Runs[i].Head; unfit != "" && h.Inconclusive == "" {
			h.Inconclusive = "the installed dependencies are not those of the change: " + unfit
		}
		b.Rows = append(b.Rows, targetRow(b.Runs[i]))
	}
	if len(b.Runs) > 0 {
		m.combine()
	}
}

// ambiguous finds the names that tests of several targets, or several of one,
// have come to share, and lets no history of them excuse a failure.
func (b *Baseline) ambiguous() {
	named := map[string]int{}
	for _, c := range b.Cases() {
		named[c.ID()]++
	}
	for i := range b.Runs {
		b.Runs[i].Ambiguous(func(id string) bool { return named[id] > 1 })
	}
}

func targetRow(b executor.Baseline) qa.TargetRow {
	row := qa.TargetRow{
		Name: b.Target.Name, Dir: b.Target.Dir, Framework: b.Target.Framework.Framework, Version: b.Target.Framework.Version,
		Command: framework.CommandLine(b.Target.Framework), Tests: b.Tests.Head, State: "ran",
	}
	if b.Head.Coverage != nil {
		row.Lines = b.Head.Coverage.Lines
	}
	if row.ExitOnly = b.Head.ExitOnly; row.ExitOnly {
		row.Reason = b.Target.Framework.Hint.String()
	}
	if b.Added {
		row.Reason = strings.TrimSuffix(b.BaseReason+"; "+row.Reason, "; ")
	}
	switch {
	case b.Unavailable != "":
		row.State, row.Reason, row.Tail = "unavailable", "starts neither here nor on base: "+b.Unavailable, b.Head.Tail
	case b.Head.Inconclusive != "":
		row.State, row.Reason, row.Tail = "inconclusive", b.Head.Inconclusive, b.Head.Tail
	}
	return row
}
