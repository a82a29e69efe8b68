package quality

import (
	"maps"
	"math"
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

// chance is how unlikely a row of failures may be and still count as a flaky
// test's own.
const chance = 0.01

// MayBeChance reports whether a test that fails at a known rate can fail so many
// times in a row by itself. A test that fails now and then is no excuse for a
// change that breaks it.
func MayBeChance(rate float64, failures int) bool {
	return math.Pow(rate, float64(max(failures, 1))) >= chance
}

// Compare fills in what became of the suite between base and head: tests
// removed, added and newly skipped, by id in order.
func Compare(t *qa.Tests, base, head qa.Suite) {
	before, after := byID(base), byID(head)
	same := Match(base, head)
	tally := base.Tally()
	t.Base = &tally
	t.Removed, t.Added, t.NewlySkipped = nil, nil, nil
	found := map[string]bool{}
	for _, id := range slices.Sorted(maps.Keys(after)) {
		was, had := same[id]
		if !had {
			t.Added = append(t.Added, id)
			continue
		}
		found[was.ID()] = true
		if after[id].Status == qa.Skipped && before[was.ID()].Status != qa.Skipped {
			t.NewlySkipped = append(t.NewlySkipped, id)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(before)) {
		if !found[id] {
			t.Removed = append(t.Removed, id)
		}
	}
}

// Match finds the test of base that each test of head is, by head's id. Names
// count as they are; where one has no counterpart, it is looked for without the
// parts that differ from run to run ([qa.Stable]), in the order of the suite.
// Of tests with one id the one that failed is given.
func Match(base, head qa.Suite) map[string]qa.Case {
	before := byID(base)
	out := map[string]qa.Case{}
	var left []string // ids of head
	seen := map[string]bool{}
	for _, c := range head.Cases {
		id := c.ID()
		was, ok := before[id]
		switch {
		case ok:
			out[id] = was
		case !seen[id]:
			left = append(left, id)
		}
		seen[id] = true
	}
	if len(left) == 0 {
		return out
	}
	rest := map[string][]qa.Case{}
	for _, c := range base.Cases {
		if id := c.ID(); !seen[id] {
			seen[id] = true
			rest[qa.Stable(id)] = append(rest[qa.Stable(id)], before[id])
		}
	}
	for _, id := range left {
		stable := qa.Stable(id)
		if same := rest[stable]; len(same) > 0 {
			out[id], rest[stable] = same[0], same[1:]
		}
	}
	return out
}

// byID are the tests of a suite. Of those with one id the one that failed is given.
func byID(s qa.Suite) map[string]qa.Case {
	out := make(map[string]qa.Case, len(s.Cases))
	for _, c := range s.Cases {
		if old, seen := out[c.ID()]; !seen || !old.Status.Bad() {
			out[c.ID()] = c
		}
	}
	return out
}
