package window

import (
	"slices"
	"testing"
)

func TestOldestFallOut(t *testing.T) {
	w := New(3)
	w.Add(1, 2)
	w.Add(3, 4)
	if got := w.Last(3); !slices.Equal(got, []float64{2, 3, 4}) {
		t.Errorf("got %v", got)
	}
	if got := w.Last(2); !slices.Equal(got, []float64{3, 4}) {
		t.Errorf("got %v", got)
	}
}

func TestMean(t *testing.T) {
	w := New(2)
	if _, ok := w.Mean(); ok {
		t.Error("a mean of nothing")
	}
	w.Add(2, 4)
	if m, ok := w.Mean(); !ok || m != 3 {
		t.Errorf("got %v", m)
	}
}
