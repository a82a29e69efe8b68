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
	var out []qa.Quarantined
	for _, q := range list {
		entry := history.Quarantine{Test: q.Test, Reason: q.Reason, Expires: q.Expires}
		_, holds := history.Quarantined([]history.Quarantine{entry}, q.Test, now)
		out = append(out, qa.Quarantined{Test: q.Test, Reason: q.Reason, Expires: q.Expires, Expired: !holds})
	}
	return out
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
	now := map[string]qa.Status{}
	for _, c := range cases {
		now[c.ID()] = c.Status
	}
	flaky := each.Of(slices.Sorted(maps.Keys(m.Flaky)), func(test string) qa.KnownFlaky {
		return qa.KnownFlaky{Test: test, Rate: m.Flaky[test], Status: now[test]}
	})
	slices.SortStableFunc(flaky, func(a, b qa.KnownFlaky) int { return cmp.Compare(b.Rate, a.Rate) })
	held := slices.Clone(m.Quarantine)
	for i := range held {
		held[i].Status = now[held[i].Test]
	}
	return flaky[:min(len(flaky), shownFlaky)], held
}
