package past

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/history"
	"github.com/org/qa-action/internal/qa"
)

// shownFlaky bounds the list of tests known as flaky in a report.
const shownFlaky = 50

// quarantined is the configured list with what of it has expired.
func quarantined(list []config.Quarantine, now time.Time) []qa.Quarantined {
	return each.Of(list, func(q config.Quarantine) qa.Quarantined {
		return qa.Quarantined{Test: q.Test, Reason: q.Reason, Expires: q.Expires, Expired: !history.Holds(q.Expires, now)}
	})
}

// SetAside marks failures of quarantined tests: they are shown and do not fail
// the gate. What fails on base too stays what it is.
func (m Memory) SetAside(failing []qa.FailingTest) {
	for i := range failing {
		f := &failing[i]
		at := slices.IndexFunc(m.Quarantine, func(q qa.Quarantined) bool { return !q.Expired && q.Test == f.Case.ID() })
		if at < 0 || f.Triage == qa.PreExisting {
			continue
		}
		q := m.Quarantine[at]
		f.Triage, f.Quarantine = qa.FlakyFailure, "until "+q.Expires
		if q.Reason != "" {
			f.Quarantine += ": " + q.Reason
		}
	}
}

// watched are the tests known as flaky, the worst first, and those in
// quarantine, each with what became of it in this run.
func (m Memory) watched(cases []qa.Case) ([]qa.KnownFlaky, []qa.Quarantined) {
	now := each.By(cases, qa.Case.ID)
	flaky := each.Of(slices.Sorted(maps.Keys(m.Flaky)), func(test string) qa.KnownFlaky {
		return qa.KnownFlaky{Test: test, Rate: m.Flaky[test], Status: now[test].Status}
	})
	slices.SortStableFunc(flaky, func(a, b qa.KnownFlaky) int { return cmp.Compare(b.Rate, a.Rate) })
	held := slices.Clone(m.Quarantine)
	for i := range held {
		held[i].Status = now[held[i].Test].Status
	}
	return flaky[:min(len(flaky), shownFlaky)], held
}
