package quota

import (
	"errors"
	"testing"
)

func TestTake(t *testing.T) {
	b := New(100)
	if err := b.Take(3, 30); err != nil || b.Left() != 10 {
		t.Fatalf("left %d, %v", b.Left(), err)
	}
	if err := b.Take(1, 11); !errors.Is(err, ErrExceeded) {
		t.Errorf("got %v", err)
	}
	if err := b.Take(-1, 5); err == nil {
		t.Error("negative count taken")
	}
	if err := b.Take(1, 10); err != nil || b.Left() != 0 {
		t.Errorf("left %d, %v", b.Left(), err)
	}
}

func TestGive(t *testing.T) {
	b := New(100)
	_ = b.Take(1, 40)
	b.Give(10)
	if b.Left() != 70 || b.Percent() != 30 {
		t.Errorf("left %d, %d %%", b.Left(), b.Percent())
	}
	b.Give(1000)
	if b.Left() != 100 {
		t.Errorf("left %d", b.Left())
	}
}
