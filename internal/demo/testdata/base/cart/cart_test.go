package cart

import "testing"

func TestTotal(t *testing.T) {
	got := Total([]Item{{"pen", 120, 3}, {"book", 1500, 1}})
	if got != 1860 {
		t.Errorf("Total = %d, want 1860", got)
	}
}

func TestDiscounted(t *testing.T) {
	for name, c := range map[string]struct{ total, want int }{
		"below the limit": {9999, 9999},
		"at the limit":    {10000, 9000},
		"above the limit": {20000, 18000},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Discounted(c.total); got != c.want {
				t.Errorf("Discounted(%d) = %d, want %d", c.total, got, c.want)
			}
		})
	}
}
