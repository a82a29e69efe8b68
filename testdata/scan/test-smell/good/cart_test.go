package cart

import (
	"testing"
	"time"
)

func TestTotal(t *testing.T) {
	if got := Total(1, 2); got != 3 {
		t.Errorf("Total(1, 2) = %d, want 3", got)
	}
}

func TestHelper(t *testing.T) {
	equal(t, Total(1), 1)
}

func TestOnlyHere(t *testing.T) {
	if testing.Short() {
		t.Skip("needs the whole data set")
	}
	mustTotal(1)
}

func TestEventually(t *testing.T) {
	select {
	case <-Fill():
	case <-time.After(time.Second):
		t.Error("not filled")
	}
}

func TestPolls(t *testing.T) {
	for range 100 {
		if Filled() {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Error("not filled")
}
