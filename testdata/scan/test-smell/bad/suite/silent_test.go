package suite

import "testing"

func quiet(n int) int { return Total(n) }

func TestMustTotal(t *testing.T) {
	t.Parallel()
	quiet(1)
}
