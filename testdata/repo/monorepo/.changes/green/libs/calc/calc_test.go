package calc

import (
	"slices"
	"testing"
)

func TestRoundTo(t *testing.T) {
	for name, c := range map[string]struct{ cents, step, want int }{
		"up":      {103, 5, 105},
		"down":    {102, 5, 100},
		"half up": {105, 10, 110},
		"no step": {103, 1, 103},
	} {
		t.Run(name, func(t *testing.T) {
			if got := RoundTo(c.cents, c.step); got != c.want {
				t.Errorf("RoundTo(%d, %d) = %d, want %d", c.cents, c.step, got, c.want)
			}
		})
	}
}

func TestShare(t *testing.T) {
	if got, want := Share(10, 3), []int{4, 3, 3}; !slices.Equal(got, want) {
		t.Errorf("Share(10, 3) = %v, want %v", got, want)
	}
	if got := Share(10, 0); got != nil {
		t.Errorf("Share(10, 0) = %v, want none", got)
	}
}
