package extract

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/escape"
	"github.com/org/qa-action/internal/reporter/number"
)

// delta is one kind of change since the last push; names is nil for what is
// only counted.
type delta struct {
	Mark, Word string // "✅ ", "1 fixed"
	Title      string // of the names
	Names      []string
}

// NothingChanged is said of what is held against the last report, and of nothing else: what
// did not run, or a gate with another measure, changes a verdict too.
const NothingChanged = "the same findings and failing tests"

// Deltas are the kinds that there are, good news first.
func Deltas(d qa.Delta) []delta {
	var out []delta
	add := func(mark, one, many, title string, names []string) {
		if len(names) > 0 {
			out = append(out, delta{mark, Verb(len(names), one, many), title, names})
		}
	}
	add("✅ ", "fixed", "fixed", "Fixed", d.Fixed)
	add("✅ ", "test passes again", "tests pass again", "Passing again", d.NowPassing)
	add("🆕 ", "new", "new", "New", d.New)
	add("↩️ ", "reopened", "reopened", "Reopened", d.Reopened)
	add("🔕 ", "dismissed", "dismissed", "Dismissed", d.Dismissed)
	add("🔴 ", "test fails now", "tests fail now", "Failing now", d.NowFailing)
	if d.StillOpen > 0 {
		out = append(out, delta{Word: Verb(d.StillOpen, "still open", "still open")})
	}
	if len(out) == 0 {
		out = []delta{{Word: NothingChanged}}
	}
	return out
}

// Quarantined divides the list by whether an entry still holds.
func Quarantined(list []qa.Quarantined) (holding, expired []qa.Quarantined) {
	over := func(q qa.Quarantined) bool { return q.Expired }
	return slices.DeleteFunc(slices.Clone(list), over), each.Where(list, over)
}

// EndedFirst puts what needs a person on top.
func EndedFirst(list []qa.Quarantined) []qa.Quarantined {
	holding, expired := Quarantined(list)
	return append(expired, holding...)
}

func QuarantineTitle(list []qa.Quarantined) string {
	holding, expired := Quarantined(list)
	var parts []string
	if n := len(expired); n > 0 {
		parts = append(parts, Verb(n, "quarantine has expired: mend the test or set a new day", "quarantines have expired: mend the tests or set new days"))
	}
	if n := len(holding); n > 0 {
		parts = append(parts, Verb(n, "test is in quarantine", "tests are in quarantine"))
	}
	return strings.Join(parts, " · ")
}

// Now is a test's outcome in this run.
func Now(s qa.Status) string {
	if s == "" {
		return "did not run"
	}
	return "now " + escape.Prose(string(s), 20)
}

// Lately is what the direction stands on: coverage of the last two runs that
// know it.
func Lately(points []qa.TrendPoint) string {
	var known []string
	for _, pt := range points {
		if pt.Coverage != nil {
			known = append(known, number.Hundredths(number.Basis(*pt.Coverage)))
		}
	}
	if len(known) < 2 {
		return ""
	}
	return fmt.Sprintf(", coverage %s → %s %%", known[len(known)-2], known[len(known)-1])
}

// TrendPoints is how many runs a chart shows.
const TrendPoints = 30
