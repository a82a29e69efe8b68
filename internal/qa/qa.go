// Package qa holds the nouns of the system in the order a run meets them:
// a [Change] is looked at, [Finding]s are made of it, a [Strategy] selects
// [Layer]s, a [Suite] of tests is run, its [Coverage] is measured, and a
// [Report] says what came of it.
//
// The package knows no file format, no program and no network: standard
// library only, values only. Start reading at [Report]; everything else is a
// part of it.
//
// Paths are slash-separated and relative to the repository root unless a name
// says otherwise (absDir). Rates are decimals from 0 to 1; percent exists only
// in text. Unknown is a nil pointer, never zero.
package qa

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
)

// Severity orders findings; the rubric is docs/severity.md.
type Severity string

// The severities, worst first.
const (
	Critical Severity = "critical"
	High     Severity = "high"
	Medium   Severity = "medium"
	Low      Severity = "low"
)

// Severities lists all severities, worst first.
func Severities() []Severity { return []Severity{Critical, High, Medium, Low} }

// Rank gives 0 for the worst severity; an unknown one ranks last.
func (s Severity) Rank() int {
	if i := slices.Index(Severities(), s); i >= 0 {
		return i
	}
	return len(Severities())
}

// AtLeast reports whether s is as bad as floor or worse.
func (s Severity) AtLeast(floor Severity) bool { return s.Rank() <= floor.Rank() }

// Perspective is the angle a finding is seen from.
type Perspective string

// The perspectives; ux is used only when asked for or when UI files changed.
const (
	Bug          Perspective = "bug"
	Security     Perspective = "security"
	TestCoverage Perspective = "test-coverage"
	CodeQuality  Perspective = "code-quality"
	UX           Perspective = "ux"
)

// Perspectives lists all perspectives in report order.
func Perspectives() []Perspective {
	return []Perspective{Bug, Security, TestCoverage, CodeQuality, UX}
}

// Layer is a test layer.
type Layer string

// The layers: unit, integration and end-to-end tests.
const (
	L1 Layer = "L1"
	L2 Layer = "L2"
	L3 Layer = "L3"
)

// Layers lists all layers, lowest first.
func Layers() []Layer { return []Layer{L1, L2, L3} }

// Name is the layer's word: unit, integration or e2e.
func (l Layer) Name() string {
	switch l {
	case L1:
		return "unit"
	case L2:
		return "integration"
	case L3:
		return "e2e"
	}
	return string(l)
}

// Range is a run of lines, 1-based, both ends included.
type Range struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Contains reports whether line lies in r.
func (r Range) Contains(line int) bool { return r.Start <= line && line <= r.End }

// Overlaps reports whether r and o share a line.
func (r Range) Overlaps(o Range) bool { return r.Start <= o.End && o.Start <= r.End }

// Len is the number of lines.
func (r Range) Len() int { return r.End - r.Start + 1 }

// String gives "10" or "10-14".
func (r Range) String() string {
	if r.Start == r.End {
		return fmt.Sprint(r.Start)
	}
	return fmt.Sprintf("%d-%d", r.Start, r.End)
}

// Ranges joins sorted or unsorted line numbers into ranges.
func Ranges(lines []int) []Range {
	var out []Range
	for _, n := range each.Sorted(lines) {
		if len(out) > 0 && out[len(out)-1].End == n-1 {
			out[len(out)-1].End = n
			continue
		}
		out = append(out, Range{n, n})
	}
	return out
}

// FormatRanges gives "3, 10-14".
func FormatRanges(ranges []Range) string {
	return strings.Join(each.Of(ranges, Range.String), ", ")
}
