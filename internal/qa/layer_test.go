package qa

import "testing"

// TestGain holds the bands of what generated tests add, in points of patch coverage.
func TestGain(t *testing.T) {
	t.Parallel()
	of := func(own, all, rounds int) LayerResult {
		return LayerResult{OwnPatch: &Count{Covered: own, Total: 100}, Patch: &Count{Covered: all, Total: 100}, Rounds: rounds}
	}
	for want, layers := range map[string][]LayerResult{
		"high":                {of(50, 61, 1), of(0, 100, 3)},
		"medium":              {of(50, 60, 1), of(50, 56, 3)},
		"low":                 {of(50, 55, 1), of(50, 50, 2), of(50, 40, 0)},
		"diminishing returns": {of(50, 54, 3)},
		"":                    {{}, {Patch: &Count{Covered: 1, Total: 2}}, {OwnPatch: &Count{}, Patch: &Count{}}},
	} {
		for _, l := range layers {
			if _, got := l.Gain(); got != want {
				t.Errorf("%+v to %+v in %d rounds: %q, want %q", l.OwnPatch, l.Patch, l.Rounds, got, want)
			}
		}
	}
}
