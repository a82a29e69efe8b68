package baseline

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/account"
	"github.com/org/qa-action/internal/checks"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/history"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
)

// Account says of every changed file what the run saw of it.
func (b *Baseline) Account(change qa.Change) []qa.FileAccount {
	out := account.Of(change, b.seen(), b.whole(), b.Unneeded)
	for i, a := range out {
		if why, ok := b.Untried[a.Path]; ok { // whatever opened it, nothing that ran is made of it
			out[i] = qa.FileAccount{Path: a.Path, Class: qa.Unseen, Evidence: "not part of the build here (" + why + ")"}
		}
	}
	return out
}

// seen is what the runs on head showed.
func (b *Baseline) seen() []account.Seen {
	var out []account.Seen
	for _, run := range b.Runs {
		h := run.Head
		s := account.Seen{Coverage: h.Coverage, Cases: run.Tests.Cases, Loaded: each.Set(h.Seen.Loaded), Compiled: each.Set(h.Seen.Compiled),
			// Engines of the scan run in the same copy, at the same time.
			Reads: account.Reads{Unknown: h.Seen.NoReads, Shared: true}}
		if h.Seen.NoReads == "" {
			s.Reads.Opened, s.Reads.Followed = each.Set(h.Seen.Opened), each.Set(h.Seen.Opened, h.Seen.Unopened)
		}
		out = append(out, s)
	}
	return out
}

// whole reports whether every suite ran, as far as it can run here at all.
func (b *Baseline) whole() bool {
	return b.Split.Whole() && !leftOut(b) && len(b.Rows) > 0 && !slices.ContainsFunc(b.Rows, func(t qa.TargetRow) bool { return t.State == "inconclusive" })
}

// opened are all files that the suites opened, loaded or were built of; false
// when that is not known of every one of them, or they run what was made before them:
// nobody saw of which files.
func (b *Baseline) opened() ([]string, bool) {
	if !b.whole() || b.Unneeded != "" || b.Made || checks.Ran(b.Checked) {
		return nil, false
	}
	all := slices.Clone(b.Read)
	for _, run := range b.Runs {
		if run.Head.Seen.NoReads != "" || len(run.Head.Seen.Opened) == 0 || len(run.Head.Suite.Problems) > 0 || len(run.Head.Seen.Built) > 0 {
			return nil, false
		}
		all = slices.Concat(all, run.Head.Seen.Opened, run.Head.Seen.Loaded, run.Head.Seen.Compiled)
		if run.Head.Coverage != nil {
			all = append(all, each.Of(run.Head.Coverage.Files, func(f qa.FileCoverage) string { return f.Path })...)
		}
	}
	return each.Sorted(all), true
}

// NotDone is what of the comparison with base was asked for and is missing, which suites
// cannot run here, and what is not run although the change touches it.
func (b *Baseline) NotDone(c qa.Change) []string {
	var out []string
	for _, run := range b.Runs {
		if run.Hasty {
			out = append(out, of(run.Target.Name, "tests that pass alone count as flaky; there was no time to run the whole suite again (raise timeout)"))
		}
		if run.BaseLost && run.Unavailable == "" && run.Head.Inconclusive == "" {
			out = append(out, of(run.Target.Name, run.BaseReason))
		}
	}
	out = append(out, b.Unrun...)
	for _, file := range slices.Sorted(maps.Keys(b.Untried)) {
		out = append(out, fmt.Sprintf("%s was not tried (%s)", file, b.Untried[file]))
	}
	if b.Unprepared != "" {
		out = append(out, b.Unprepared)
	}
	for _, row := range b.Rows {
		if row.State == "unavailable" {
			out = append(out, of(row.Name, row.Reason))
		}
	}
	return append(out, checks.Touched(b.Checked, c)...)
}

// of says something of a target; that of the root needs no name.
func of(target, what string) string { return strings.TrimPrefix(target+": "+what, ".: ") }

// also puts one more reason behind those that are there.
func also(said, more string) string { return strings.TrimPrefix(said+"; "+more, "; ") }

// ForLater is what this baseline is for later runs, nil when no test ran. scope
// tells the parts of a repository apart.
func (b *Baseline) ForLater(p *qa.Report, scope string) *history.Baseline {
	if p.Tests.Head.Executed() == 0 || !b.Split.Whole() || leftOut(b) {
		return nil
	}
	out := history.BaselineOf(*p)
	out.Scope = scope
	out.Reading = b.Reading
	out.Opened, out.Whole = b.opened()
	out.Suites = map[string]history.Suite{}
	for _, run := range b.Runs {
		out.Suites[run.Target.Name] = suiteOf(run, run.Tests.Cases, run.Wrote.Head, run.Head.Seen)
	}
	if slices.ContainsFunc(b.Rows, func(row qa.TargetRow) bool { return row.State != "ran" }) ||
		slices.ContainsFunc(b.Runs, func(run executor.Baseline) bool { return len(run.Head.Suite.Problems) > 0 }) {
		out.Suites, out.Cut = nil, true
	}
	out = out.Bounded()
	return &out
}

// maxWrote is how many files that a suite wrote are remembered. One that writes more
// runs on base again.
const maxWrote = 200

func suiteOf(run executor.Baseline, cases []qa.Case, wrote []string, seen executor.Seen) history.Suite {
	s := history.SuiteOf(cases)
	if len(wrote) <= maxWrote {
		s.Key, s.Wrote = run.Key, wrote
	}
	if len(wrote) == 0 {
		s.Executed = seen.Executed
	}
	return s
}

// Base is what is known of base for later runs of the change, measured now or
// remembered; nil when it is not whole, or not base's own.
func (b *Baseline) Base(sha, scope string, known *history.Baseline) *history.Baseline {
	suites := map[string]history.Suite{}
	measured := true
	for _, run := range b.Runs {
		if run.Remembered {
			return known
		}
		on := run.Base
		if on == nil || run.Added || run.BaseReason != "" || on.Inconclusive != "" || on.NotOwn != "" || len(on.Suite.Problems) > 0 {
			return nil
		}
		measured = measured && on.Coverage != nil
		if on.Coverage == nil && run.Target.Framework.Coverage {
			return nil
		}
		suites[run.Target.Name] = suiteOf(run, on.Suite.Cases, run.Wrote.Base, on.Seen)
	}
	if len(suites) == 0 {
		return nil
	}
	var lines *qa.Coverage
	if measured {
		lines = b.Coverage.Base
	}
	out := history.MeasuredOnBase(sha, suites, lines).Bounded()
	out.Scope = scope
	return &out
}
