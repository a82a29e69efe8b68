package adapter

import (
	"fmt"
	"testing"

	"gotest.tools/v3/assert"
)

// Every unit is in exactly one part, and the longest part is not much longer than it must
// be.
func TestUnitsOfParts(t *testing.T) {
	t.Parallel()
	var all []string
	seconds := map[string]float64{"gone": 100}
	total := 0.0
	for i := range 400 {
		name := fmt.Sprint("test", i)
		all = append(all, name)
		if i%10 > 0 { // a tenth is new
			seconds[name] = float64(i%37) / 10
			total += seconds[name]
		}
	}
	total *= 10.0 / 9
	for of := 1; of <= 8; of *= 2 {
		seen, most := map[string]int{}, 0.0
		for i := range of {
			sum := 0.0
			for _, unit := range (Part{Index: i + 1, Of: of, Seconds: seconds}).Units(all) {
				seen[unit]++
				if s, ok := seconds[unit]; ok {
					sum += s
				} else {
					sum += total / 400
				}
			}
			most = max(most, sum)
		}
		assert.Equal(t, len(seen), len(all))
		for unit, n := range seen {
			assert.Equal(t, n, 1, unit)
		}
		speedUp := total / most
		assert.Assert(t, speedUp > 0.9*float64(of), "%d parts: %.2f times as fast", of, speedUp)
	}
}

// What takes no time is in parts all the same, so that none is empty without need.
func TestNoPartIsEmptyWithoutNeed(t *testing.T) {
	t.Parallel()
	all := []string{"a", "b", "c"}
	for i := range 3 {
		p := Part{Index: i + 1, Of: 3, Seconds: map[string]float64{"a": 0, "b": 0, "c": 0}}
		assert.Equal(t, len(p.Units(all)), 1)
	}
	assert.Equal(t, len(Part{Index: 4, Of: 4}.Units(all)), 0)
}
