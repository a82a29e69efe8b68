package number

import (
	"math"
	"testing"

	"gotest.tools/v3/assert"
	"pgregory.net/rapid"

	"github.com/org/qa-action/internal/qa"
)

func TestFraction(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]qa.Count{
		"183/200 = 91.5 %":          {Covered: 183, Total: 200},
		"9999/10000 = 99.99 %":      {Covered: 9999, Total: 10000},
		"999999/1000000 = 99.99 %":  {Covered: 999999, Total: 1000000},
		"2/3 = 66.66 %":             {Covered: 2, Total: 3},
		"1/1000000 = < 0.01 %":      {Covered: 1, Total: 1000000},
		"0/7 = 0 %":                 {Covered: 0, Total: 7},
		"7/7 = 100 %":               {Covered: 7, Total: 7},
		"n/a (no executable lines)": {},
	} {
		assert.Equal(t, Fraction(c), want)
	}
	assert.Equal(t, FractionOf(nil), "unknown")
}

// TestPercentAgreesWithGates: a count that does not reach a whole percentage is
// never shown as that percentage or more.
func TestPercentAgreesWithGates(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		total := rapid.IntRange(1, 2_000_000).Draw(rt, "total")
		c := qa.Count{Covered: rapid.IntRange(0, total).Draw(rt, "covered"), Total: total}
		target := rapid.IntRange(1, 100).Draw(rt, "target")
		basis := int64(c.Covered) * 10_000 / int64(c.Total)
		assert.Equal(rt, basis >= int64(target)*100, c.Reaches(float64(target)))
		assert.Equal(rt, c.Percent() == "100", c.Covered == c.Total)
	})
}

// TestBar: only all is drawn full, and only none empty.
func TestBar(t *testing.T) {
	t.Parallel()
	for c, want := range map[qa.Count]string{
		{Covered: 0, Total: 0}: "", {Covered: 0, Total: 7}: "▱▱▱▱▱▱▱▱▱▱", {Covered: 1, Total: 1000}: "▰▱▱▱▱▱▱▱▱▱",
		{Covered: 999, Total: 1000}: "▰▰▰▰▰▰▰▰▰▱", {Covered: 7, Total: 7}: "▰▰▰▰▰▰▰▰▰▰", {Covered: -3, Total: 5}: "▱▱▱▱▱▱▱▱▱▱",
		{Covered: 9, Total: 5}: "▰▰▰▰▰▰▰▰▰▰", {Covered: 1, Total: -1}: "",
	} {
		assert.Equal(t, Bar(c), want, "%v", c)
	}
}

func TestLine(t *testing.T) {
	t.Parallel()
	share := func(f float64) *float64 { return &f }
	assert.Equal(t, Line(nil), "")
	assert.Equal(t, Line([]*float64{share(0.5), nil}), "")
	assert.Equal(t, Line([]*float64{share(0.5), nil, share(0.5)}), "")
	assert.Equal(t, Line([]*float64{share(0), share(0.5), share(1)}), "▁▅█")
	assert.Equal(t, Line([]*float64{share(math.NaN()), share(-1), share(2), share(0.2), share(0.3)}), "▁█")
}

func TestChange(t *testing.T) {
	t.Parallel()
	count := func(a, b int) *qa.Count { return &qa.Count{Covered: a, Total: b} }
	assert.Equal(t, Change(count(1, 2), count(2, 4)), "±0")
	assert.Equal(t, Change(count(58, 60), count(50, 53)), "+2.33")
	assert.Equal(t, Change(count(1, 2), count(3, 4)), "−25")
	assert.Equal(t, Change(count(500001, 1000000), count(1, 2)), "+<0.01")
	assert.Equal(t, Change(count(6, 7), count(4, 4)), "−14.29")
	assert.Equal(t, Change(nil, count(1, 2)), "")
	assert.Equal(t, Change(count(1, 2), count(0, 0)), "")
}

func TestRatePercent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rate float64
		want string
	}{{0.29, "29 %"}, {0.99999, "99.99 %"}, {1, "100 %"}, {0, "0 %"}, {math.NaN(), "unknown"}, {math.Inf(1), "unknown"}} {
		assert.Equal(t, RatePercent(&c.rate), c.want)
	}
	assert.Equal(t, RatePercent(nil), "unknown")
}

func TestWords(t *testing.T) {
	t.Parallel()
	assert.Equal(t, Duration(0.04), "0 s")
	assert.Equal(t, Duration(12.99), "12 s")
	assert.Equal(t, Duration(192), "3 min 12 s")
	assert.Equal(t, Duration(3720), "1 h 2 min")
	assert.Equal(t, Duration(-1), "unknown")
	assert.Equal(t, Duration(1e308), "unknown")
	assert.Equal(t, Points(-12.5), "−12.5")
	assert.Equal(t, Points(5), "+5")
}
