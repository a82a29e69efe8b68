package suite

import "testing"

func total(tb testing.TB, n int) {
	if Total(n) != n {
		tb.Errorf("Total(%d)", n)
	}
}

func sums(n int) {
	if Total(n) != n {
		panic("wrong")
	}
}
