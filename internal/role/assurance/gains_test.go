package assurance

import (
	"testing"

	"github.com/org/qa-action/internal/qa"
)

// TestGains holds G7 and G8 to what a test alone runs and notices.
func TestGains(t *testing.T) {
	t.Parallel()
	lines := map[string][]int{"a.go": {7}}
	for name, c := range map[string]struct {
		v    Verdict
		on   tally
		gate string
	}{
		"nothing new, nothing noticed":                  {Verdict{}, tally{}, "G7"},
		"mutants live on lines that others run as well": {Verdict{}, tally{tried: 2, fair: 2}, "G8"},
		"lines of its own, no mutant there":             {Verdict{Lines: lines}, tally{tried: 2, fair: 2}, ""},
		"lines of its own, a mutant there lives":        {Verdict{Lines: lines}, tally{tried: 2, fair: 2, own: 1}, "G8"},
		"lines of its own, a boundary there":            {Verdict{Lines: lines}, tally{tried: 1}, ""},
		"an assertion notices":                          {Verdict{Killed: []string{"m"}, noticed: true}, tally{tried: 3, fair: 3, own: 3}, ""},
		"it notices that something is returned":         {Verdict{Killed: []string{"m"}, missed: true}, tally{tried: 2, fair: 2}, "G8"},
		"all it was run on return nothing":              {Verdict{Killed: []string{"m"}, missed: true}, tally{tried: 1, fair: 1}, ""},
		"mutants crash":                                 {Verdict{Killed: []string{"m"}}, tally{tried: 1, fair: 1}, "G8"},
	} {
		if gate, why := c.v.gains(c.on); gate != c.gate || (why == "") != (gate == "") {
			t.Errorf("%s: %q (%s), want %q", name, gate, why, c.gate)
		}
	}
	for _, own := range []int{0, 1} {
		v := Verdict{Lines: lines, GeneratedTest: qa.GeneratedTest{Class: newAPI}}
		if gate, _ := v.gains(tally{tried: own, fair: own, own: own}); gate == "" {
			t.Errorf("new code, %d mutants of its lines noticed by nothing: kept", own)
		}
	}
}
