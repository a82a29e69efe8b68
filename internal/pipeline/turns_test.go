package pipeline

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
		line  Turns
		mu    sync.Mutex
		order []string
		all   sync.WaitGroup
	)
	ids := []string{"a", "b", "c", "d"}
	for _, id := range ids {
		line.Enter(id)
	}
	for _, id := range []string{"d", "b", "c", "a"} {
		all.Go(func() {
			if err := line.Wait(t.Context(), id); err != nil {
				t.Error(err)
			}
			mu.Lock()
			order = append(order, id)
			mu.Unlock()
			line.Leave(id)
			line.Leave(id)
		})
	}
	all.Wait()
	if !slices.Equal(order, ids) {
		t.Errorf("went in the order %v", order)
	}
}

func TestWhoGivesUpDoesNotLetTheNextOvertake(t *testing.T) {
	t.Parallel()
	var line Turns
	for _, id := range []string{"a", "b", "c"} {
		line.Enter(id)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := line.Wait(gone, "b"); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	line.Leave("b")
	if err := line.Wait(gone, "c"); err == nil {
		t.Error("c went before a had left")
	}
	line.Leave("a")
	if err := line.Wait(t.Context(), "c"); err != nil {
		t.Error(err)
	}
	if err := line.Wait(gone, "nobody"); err != nil {
		t.Errorf("one that never entered waited: %v", err)
	}
}
