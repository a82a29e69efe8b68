package a

import (
	"context"
	"fmt"
	"sync"
)

type counter struct {
	mu sync.Mutex
	n  int
}

func valueOf(c *counter) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

func greet(name string) string {
	return fmt.Sprintf("hello %s", name)
}

func work(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithCancel(ctx)
}
