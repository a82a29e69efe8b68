package quality

import (
	"maps"
	"slices"

	"github.com/org/qa-action/internal/qa"
)

// TriageOf labels one failing test from its attempts on head (true = passed)
// and its status on base. Any pass on head makes it flaky; a pass or a skip on
// base, or a test base does not have, makes it new; NotRun is unknown.
func TriageOf(head []bool, base qa.Status, onBase bool) qa.Triage {
	switch {
	case slices.Contains(head, true):
		return qa.FlakyFailure
	case base == qa.NotRun:
		return qa.UnknownFailure
	case onBase && base.Bad():
		return qa.PreExisting
	case onBase && base == qa.Flaky:
		return qa.FlakyFailure
	}
	return qa.NewFailure
}

// Compare fills in what became of the suite between base and head: tests
// removed, added and newly skipped, by id in order.
func Compare(t *qa.Tests, base, head qa.Suite) {
	before, after := statuses(base), statuses(head)
	tally := base.Tally()
	t.Base = &tally
	t.Removed, t.Added, t.NewlySkipped = nil, nil, nil
	for _, id := range slices.Sorted(maps.Keys(before)) {
		now, still := after[id]
		switch {
		case !still:
			t.Removed = append(t.Removed, id)
		case now == qa.Skipped && before[id] != qa.Skipped:
			t.NewlySkipped = append(t.NewlySkipped, id)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(after)) {
		if _, had := before[id]; !had {
			t.Added = append(t.Added, id)
		}
	}
}

func statuses(s qa.Suite) map[string]qa.Status {
	out := make(map[string]qa.Status, len(s.Cases))
	for _, c := range s.Cases {
		if old, seen := out[c.ID()]; !seen || !old.Bad() {
			out[c.ID()] = c.Status
		}
	}
	return out
}

// PassRate is the layer's rate over executed tests whose failure, if any, is
// this change's: pre-existing and flaky failures are not held against it.
func PassRate(t qa.Tests) *float64 {
	ran := t.Head.Executed()
	if ran <= 0 {
		return nil
	}
	rate := max(0, 1-float64(NewFailures(t))/float64(ran))
	return &rate
}
