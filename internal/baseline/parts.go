package baseline

import (
	"cmp"
	"maps"
	"slices"

	"github.com/org/qa-action/internal/coverage"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
	"github.com/org/qa-action/internal/role/executor"
)

// joinParts is the run of a whole suite whose parts were run apart: cases side
// by side, counters added up. What a part of head had no counterpart for on the
// same part of base may lie in another part, so base is compared as a whole.
func joinParts(parts []executor.Baseline) executor.Baseline {
	out := parts[0]
	if len(parts) == 1 {
		return out
	}
	out.Head = joinRuns(parts, func(b executor.Baseline) *executor.Run { return &b.Head })
	out.Base, out.BaseReason = nil, ""
	out.Tests = qa.Tests{Cases: out.Head.Suite.Cases, Head: out.Head.Suite.Tally(), Problems: out.Head.Suite.Problems}
	whole, excused := true, map[string]qa.Triage{}
	for _, p := range parts {
		out.Tests.Failing = append(out.Tests.Failing, p.Tests.Failing...)
		out.Tests.Seconds += p.Tests.Seconds
		maps.Copy(excused, p.Excused)
		if p.Tests.Base == nil || p.Base == nil {
			whole, out.BaseReason = false, cmp.Or(out.BaseReason, cmp.Or(p.BaseReason, "base was not run in full in every part"))
		}
	}
	out.Excused = excused
	if !whole {
		return out
	}
	base := joinRuns(parts, func(b executor.Baseline) *executor.Run { return b.Base })
	out.Base = &base
	out.Added = !slices.ContainsFunc(parts, func(b executor.Baseline) bool { return !b.Added })
	if out.Added {
		out.BaseReason = parts[0].BaseReason
	}
	quality.Compare(&out.Tests, base.Suite, out.Head.Suite)
	before := each.By(base.Suite.Cases, qa.Case.ID)
	for i := range out.Tests.Failing {
		f := &out.Tests.Failing[i]
		was, had := before[f.Case.ID()]
		if !had || f.Base != "" && f.Base != qa.NotRun || f.Triage != qa.NewFailure && f.Triage != qa.UnknownFailure {
			continue
		}
		f.Base, f.Triage = was.Status, qa.NewFailure
		switch {
		case was.Status.Bad() && (base.NotOwn != "" || base.TimedOut || base.Killed):
			f.Triage = qa.UnknownFailure
		case was.Status.Bad():
			f.Triage = qa.PreExisting
		}
	}
	return out
}

// joinRuns is one run of the parts' runs; of says which.
func joinRuns(parts []executor.Baseline, of func(executor.Baseline) *executor.Run) executor.Run {
	out := *of(parts[0])
	var (
		counters []*qa.Coverage
		cases    []qa.Case
		idle     int // parts without a test, which measured nothing
		at       = map[string]int{}
	)
	out.Suite.Problems, out.Seconds, out.Reports, out.Seen = nil, 0, nil, executor.Seen{}
	for _, p := range parts {
		run := of(p)
		for _, c := range run.Suite.Cases {
			i, seen := at[c.ID()]
			switch {
			case !seen:
				at[c.ID()] = len(cases)
				cases = append(cases, c)
			case cases[i].Status == qa.Skipped: // skipped here, perhaps run there
				cases[i] = c
			}
		}
		out.Suite.Problems = append(out.Suite.Problems, run.Suite.Problems...)
		out.Seconds += run.Seconds
		out.Reports = append(out.Reports, run.Reports...)
		out.Inconclusive, out.CoverageReason = cmp.Or(out.Inconclusive, run.Inconclusive), cmp.Or(out.CoverageReason, run.CoverageReason)
		out.TimedOut, out.Killed = out.TimedOut || run.TimedOut, out.Killed || run.Killed
		out.ExitOnly, out.NotOwn = out.ExitOnly || run.ExitOnly, cmp.Or(out.NotOwn, run.NotOwn)
		out.Seen = joinSeen(out.Seen, run.Seen)
		out.ExitCode = max(out.ExitCode, run.ExitCode)
		if out.Empty = out.Empty && run.Empty; run.Coverage != nil {
			counters = append(counters, run.Coverage)
		} else if run.Empty && len(run.Suite.Cases) == 0 {
			idle++
		}
	}
	out.Suite.Cases, out.Coverage = cases, nil
	if len(counters)+idle == len(parts) && len(counters) > 0 { // with one missing, lines would look uncovered
		out.Coverage = coverage.Merge(counters...)
	} else if len(counters) > 0 {
		out.CoverageReason = cmp.Or(out.CoverageReason, "coverage of a part is unknown")
	}
	return out
}

// joinSeen is what two parts saw: a file that one of them opened was opened, and
// where one cannot tell, the whole cannot.
func joinSeen(a, b executor.Seen) executor.Seen {
	out := executor.Seen{
		Loaded:    each.Sorted(a.Loaded, b.Loaded),
		Compiled:  each.Sorted(a.Compiled, b.Compiled),
		Opened:    each.Sorted(a.Opened, b.Opened),
		Built:     each.Sorted(a.Built, b.Built),
		NoReads:   cmp.Or(a.NoReads, b.NoReads),
		Elsewhere: slices.Concat(a.Elsewhere, b.Elsewhere),
		Artifacts: slices.Concat(a.Artifacts, b.Artifacts),
	}
	opened := each.Set(out.Opened)
	out.Unopened = slices.DeleteFunc(each.Sorted(a.Unopened, b.Unopened), func(name string) bool { return opened[name] })
	return out
}
