package history

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/org/qa-action/internal/qa"
)

const (
	recentRuns = 50                  // results remembered of a test
	flakyFor   = 30 * 24 * time.Hour // how long a test stays known as flaky
	memoryOf   = 0.7                 // weight of the past in a duration
)

// The letters of [TestTrace.Recent].
const (
	didPass  = 'p'
	didFail  = 'f'
	didFlake = 'k' // both on one commit, inside a run or between two
)

// TestTrace is how a test behaved.
type TestTrace struct {
	// Recent has one letter per run that executed the test, newest last.
	Recent string `json:"recent"`
	SHA    string `json:"sha"` // commit of the newest
	// Flaked is when it was last flaky, RFC 3339.
	Flaked  string  `json:"flaked,omitempty"`
	Last    string  `json:"last"`    // date of the newest run
	Seconds float64 `json:"seconds"` // usual duration, newer runs count more
}

// recordTests learns nothing of a name that several tests have, as two packages
// of a repository may: that one passes where the other fails is no flaky test,
// and what is known of the one must not excuse the other.
func (b *Book) recordTests(r Run) {
	named := map[string]int{}
	for _, c := range r.Cases {
		named[c.ID()]++
	}
	for _, c := range r.Cases {
		if named[c.ID()] > 1 {
			delete(b.Tests, c.ID())
			continue
		}
		var letter byte
		switch {
		case c.Status == qa.Passed:
			letter = didPass
		case c.Status == qa.Flaky:
			letter = didFlake
		case c.Status.Bad():
			letter = didFail
		default:
			continue // it did not run, nothing is learned
		}
		id := c.ID()
		b.Tests[id] = b.Tests[id].after(letter, c.Seconds, r)
	}
}

// after is the trace with one more run.
func (t TestTrace) after(letter byte, seconds float64, r Run) TestTrace {
	if n := len(t.Recent); n > 0 && t.SHA == r.SHA && letter != didFlake {
		if last := t.Recent[n-1]; last != didFlake && last != letter {
			letter = didFlake // the same code gave another result
		}
	}
	if letter == didFlake {
		t.Flaked = day(r.Date)
	}
	if t.Recent == "" {
		t.Seconds = seconds
	} else {
		t.Seconds = memoryOf*t.Seconds + (1-memoryOf)*seconds
	}
	t.Recent += string(letter)
	t.Recent = t.Recent[max(0, len(t.Recent)-recentRuns):]
	t.SHA, t.Last = r.SHA, day(r.Date)
	return t
}

// FlakyRate is the share of recent runs in which a known flaky test was flaky,
// nil for every other test. A test that did not flake for thirty days, or in
// its last fifty runs, is not flaky any more.
func (b Book) FlakyRate(test string, now time.Time) *float64 {
	t, ok := b.Tests[test]
	if !ok || t.Flaked == "" || t.Recent == "" {
		return nil
	}
	flaked, err := time.Parse(time.RFC3339, t.Flaked)
	n := strings.Count(t.Recent, string(didFlake))
	if err != nil || now.Sub(flaked) > flakyFor || n == 0 {
		return nil
	}
	rate := float64(n) / float64(len(t.Recent))
	return &rate
}

// aroundTest is what a runner needs for a test beside the time that it reports, in
// seconds: of a suite of many short tests it is most of all, and what is reported rounding.
const aroundTest = 0.001

// Durations are the usual durations of all tests together of each file, or package in
// Go: what their ids begin with.
func (b Book) Durations() map[string]float64 {
	out := map[string]float64{}
	for _, id := range slices.Sorted(maps.Keys(b.Tests)) { // sums of one order are the same everywhere
		if unit, _, ok := strings.Cut(id, " > "); ok {
			out[unit] += b.Tests[id].Seconds + aroundTest
		}
	}
	return out
}

// Holds reports whether a test that is set aside until a day (2006-01-02, the last one)
// still is. What is no readable day never holds: quarantine has to end.
func Holds(expires string, now time.Time) bool {
	last, err := time.Parse(time.DateOnly, expires)
	return err == nil && now.UTC().Before(last.AddDate(0, 0, 1))
}
