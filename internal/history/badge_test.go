package history

import (
	"testing"

	"gotest.tools/v3/golden"
)

// TestBadgeFiles holds the picture itself: one for each colour and width.
func TestBadgeFiles(t *testing.T) {
	t.Parallel()
	for name, percent := range map[string]float64{"badge-100": 100, "badge-91": 91.9, "badge-60": 60, "badge-7": 7.5, "badge-unknown": -1} {
		value := &percent
		if percent < 0 {
			value = nil
		}
		golden.AssertBytes(t, Badge("coverage", value), name+".svg")
	}
}
