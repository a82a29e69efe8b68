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

func copyOf(c counter) int {
	return c.n
}

func greet(name string) string {
	return fmt.Sprintf("hello %d", name)
}

func work(ctx context.Context) context.Context {
	ctx, _ = context.WithCancel(ctx)
	return ctx
}
