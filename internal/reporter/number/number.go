// Package number writes counts, rates and times so that none claims more than
// was measured.
package number

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/qa"
)

// Fraction is the exact count with its percentage: "183/200 = 91.5 %".
func Fraction(c qa.Count) string {
	if c.Total <= 0 {
		return "n/a (no executable lines)"
	}
	return c.Text()
}

// FractionOf is [fraction] of a count that may be unknown.
func FractionOf(c *qa.Count) string {
	if c == nil {
		return "unknown"
	}
	return Fraction(*c)
}

// RatePercent writes a rate 0..1 as a percentage, cut to two decimals; the
// small addend undoes binary fractions (0.29 × 10,000 = 2899.999…) and is far
// too small to lift 0.99999 to 1.
func RatePercent(rate *float64) string {
	if rate == nil || math.IsNaN(*rate) || math.IsInf(*rate, 0) {
		return "unknown"
	}
	return Hundredths(Basis(*rate)) + " %"
}

// Change is the difference of two counts in percentage points, rounded: it
// decides nothing. "+2.3", "−0.5", "±0" only when the fractions are equal, and
// "" when either is unknown.
func Change(head, base *qa.Count) string {
	if head == nil || base == nil || head.Total <= 0 || base.Total <= 0 {
		return ""
	}
	h, b := int64(head.Covered)*int64(base.Total), int64(base.Covered)*int64(head.Total)
	if h == b {
		return "±0"
	}
	sign, diff := "+", h-b
	if diff < 0 {
		sign, diff = "−", -diff
	}
	points := float64(diff) * 100 / (float64(head.Total) * float64(base.Total))
	if points < 0.01 {
		return sign + "<0.01"
	}
	return sign + Hundredths(int64(math.Round(points*100)))
}

// Basis is a fraction in hundredths of a percent, never more than it is; what a
// division lost, as in 0.57 × 10,000, is given back.
func Basis(rate float64) int64 { return int64(math.Floor(rate*10_000 + 1e-7)) }

// Hundredths writes n/100 without needless zeros: 9150 is "91.5".
func Hundredths(n int64) string {
	sign := ""
	if n < 0 {
		sign, n = "−", -n
	}
	s := fmt.Sprintf("%d.%02d", n/100, n%100)
	return sign + strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// Points writes score points with a sign: "−12.5", "+5".
func Points(p float64) string {
	if p == 0 || math.IsNaN(p) || math.IsInf(p, 0) {
		return "0"
	}
	sign := "+"
	if p < 0 {
		sign, p = "−", -p
	}
	return sign + strconv.FormatFloat(math.Round(p*100)/100, 'f', -1, 64)
}

// Duration writes seconds for people: "0.4 s", "42 s", "3 min 12 s".
func Duration(seconds float64) string {
	switch {
	case math.IsNaN(seconds) || seconds < 0 || seconds > 1e9: // more than 30 years
		return "unknown"
	case seconds < 10:
		return strconv.FormatFloat(math.Round(seconds*10)/10, 'f', -1, 64) + " s"
	case seconds < 60:
		return fmt.Sprintf("%.0f s", math.Floor(seconds))
	case seconds < 3600:
		return fmt.Sprintf("%d min %d s", int(seconds)/60, int(seconds)%60)
	}
	return fmt.Sprintf("%d h %d min", int(seconds)/3600, int(seconds)/60%60)
}

// Bar draws a count as ten blocks, for those who look rather than read. Only all is
// drawn full, and only none empty.
func Bar(c qa.Count) string {
	if c.Total <= 0 {
		return ""
	}
	full := int(int64(min(max(c.Covered, 0), c.Total)) * barBlocks / int64(c.Total))
	if full == 0 && c.Covered > 0 {
		full = 1
	}
	return strings.Repeat("▰", full) + strings.Repeat("▱", barBlocks-full)
}

const barBlocks = 10

// Line draws shares of 0 to 1 as one block each, from the lowest to the highest of
// them, and leaves out what is unknown. It is empty where nothing moved.
func Line(shares []*float64) string {
	known := slices.DeleteFunc(slices.Clone(shares), func(s *float64) bool { return s == nil || !(*s >= 0 && *s <= 1) })
	low, high := math.Inf(1), math.Inf(-1)
	for _, s := range known {
		low, high = min(low, *s), max(high, *s)
	}
	if high <= low {
		return ""
	}
	var b strings.Builder
	blocks := []rune("▁▂▃▄▅▆▇█")
	for _, s := range known {
		at := (*s - low) / (high - low)
		b.WriteRune(blocks[int(at*float64(len(blocks)-1)+0.5)])
	}
	return b.String()
}
