package mode

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
)

func TestTurnsGoInTheOrderOfEntering(t *testing.T) {
	t.Parallel()
	var (
		line  turns
		mu    sync.Mutex
		order []string
		all   sync.WaitGroup
	)
	ids := []string{"a", "b", "c", "d"}
	for _, id := range ids {
		line.enter(id)
	}
	for _, id := range []string{"d", "b", "c", "a"} {
		all.Go(func() {
			if err := line.wait(t.Context(), id); err != nil {
				t.Error(err)
			}
			mu.Lock()
			order = append(order, id)
			mu.Unlock()
			line.leave(id)
			line.leave(id)
		})
	}
	all.Wait()
	if !slices.Equal(order, ids) {
		t.Errorf("went in the order %v", order)
	}
}

func TestWhoGivesUpDoesNotLetTheNextOvertake(t *testing.T) {
	t.Parallel()
	var line turns
	for _, id := range []string{"a", "b", "c"} {
		line.enter(id)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := line.wait(gone, "b"); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	line.leave("b")
	if err := line.wait(gone, "c"); err == nil {
		t.Error("c went before a had left")
	}
	line.leave("a")
	if err := line.wait(t.Context(), "c"); err != nil {
		t.Error(err)
	}
	if err := line.wait(gone, "nobody"); err != nil {
		t.Errorf("one that never entered waited: %v", err)
	}
}
