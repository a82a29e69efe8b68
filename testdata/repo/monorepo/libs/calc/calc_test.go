package calc

import "testing"

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
