package history

import (
	"maps"
	"slices"
	"time"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
)

// patternFor is how long a defect pattern is remembered after it was last seen.
const patternFor = 180 * 24 * time.Hour

// maxPatternFiles bounds the files remembered of a pattern.
const maxPatternFiles = 20

// PatternTrace is a defect pattern over time.
type PatternTrace struct {
	Pattern qa.Pattern `json:"pattern"` // as last seen, with the files of all runs
	Runs    int        `json:"runs"`    // in how many runs it was seen
	First   string     `json:"first"`   // RFC 3339
	Last    string     `json:"last"`
}

func (b *Book) recordPatterns(r Run) {
	for _, p := range r.Patterns {
		t, known := b.Patterns[p.Type]
		if !known {
			t.First = day(r.Date)
		}
		files := each.Sorted(p.Files, t.Pattern.Files)
		t.Pattern = p
		t.Pattern.Files = files[:min(len(files), maxPatternFiles)]
		t.Runs++
		t.Last = day(r.Date)
		b.Patterns[p.Type] = t
	}
}

// KnownPatterns lists the patterns of the last half year, by type.
func (b Book) KnownPatterns(now time.Time) []PatternTrace {
	var out []PatternTrace
	for _, key := range slices.Sorted(maps.Keys(b.Patterns)) {
		t := b.Patterns[key]
		if last, err := time.Parse(time.RFC3339, t.Last); err == nil && now.Sub(last) <= patternFor {
			out = append(out, t)
		}
	}
	return out
}
