package pipeline

import (
	"context"
	"sync"
)

// Turns lets tasks that change the same files go one after the other, in the
// order in which they were started. The zero value is ready.
type Turns struct {
	mu   sync.Mutex
	last chan struct{} // closed when the last that entered has left
	mine map[string]turn
}

type turn struct{ before, over chan struct{} }

// Enter takes a place in the line; it does not block.
func (t *Turns) Enter(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.mine == nil {
		t.mine = map[string]turn{}
	}
	own := turn{before: t.last, over: make(chan struct{})}
	t.mine[id], t.last = own, own.over
}

// Wait blocks until all that entered before have left. Who never entered has
// nobody to wait for.
func (t *Turns) Wait(ctx context.Context, id string) error {
	t.mu.Lock()
	before := t.mine[id].before
	t.mu.Unlock()
	if before == nil {
		return nil
	}
	select {
	case <-before:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Leave gives the place to the next; leaving twice, or without having entered,
// does nothing.
func (t *Turns) Leave(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	own, ok := t.mine[id]
	if !ok {
		return
	}
	delete(t.mine, id)
	if own.before == nil {
		close(own.over)
		return
	}
	go func() { // one that gave up its turn does not let the next overtake
		<-own.before
		close(own.over)
	}()
}
