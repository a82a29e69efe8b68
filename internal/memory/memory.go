// Package memory holds the program itself to a share of the machine's memory, so
// that it can still say why it ends: whom the kernel kills says nothing. Start
// at [Guard].
//
// Readers have limits of their own that are asked before they allocate; this is
// for what got past them. From a first mark on the garbage collector works
// harder. At the ceiling the run's context ends with an [Error]: commands are
// stopped, and the run writes its report of what there is. Code that does not
// look at its context goes on; when there is half as much again, or nothing has
// ended after a while, the last words are written, which were ready since the
// run began, and the program exits.
package memory

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

// ErrCeiling is the end of a run whose program used too much memory.
var ErrCeiling = errors.New("out of memory")

// Error says how much there was.
type Error struct{ Ceiling int64 }

func (e *Error) Error() string {
	return fmt.Sprintf("%v: the program itself reached its ceiling of %d MiB; run it where there is more memory, or on a part of the repository (input working-directory)", ErrCeiling, e.Ceiling>>20)
}

// Is makes it an [ErrCeiling].
func (e *Error) Is(target error) bool { return target == ErrCeiling }

const (
	maxCeiling = 8 << 30 // on large machines
	minCeiling = 256 << 20
	interval   = 50 * time.Millisecond
	grace      = 20 * time.Second // for a run to end by itself
)

// ceiling is half of the machine, because the tests need the other, or a third
// above the limit that was set for the collector (GOMEMLIMIT).
func ceiling(machine, collector int64) int64 {
	switch {
	case collector < math.MaxInt64:
		return collector / 3 * 4
	case machine == 0:
		return maxCeiling
	}
	return min(max(machine/2, minCeiling), maxCeiling)
}

// guard watches one run of the program.
type guard struct {
	error  *Error
	cancel context.CancelCauseFunc
	used   func() int64
	exit   func(error)

	mu    sync.Mutex
	words []func(error)
}

type guardKey struct{}

// Guard limits the program until stop is called. exit ends the process with an
// error that was not seen in time.
func Guard(ctx context.Context, exit func(error)) (guarded context.Context, stop func()) {
	collector := debug.SetMemoryLimit(-1)
	top := ceiling(Machine(), collector)
	if collector == math.MaxInt64 {
		debug.SetMemoryLimit(top / 4 * 3)
	}
	g := &guard{error: &Error{top}, used: used, exit: exit}
	ctx, g.cancel = context.WithCancelCause(ctx)
	done, tick := make(chan struct{}), time.NewTicker(interval)
	over := sync.WaitGroup{}
	over.Go(func() { g.watch(tick.C, done) })
	return context.WithValue(ctx, guardKey{}, g), func() {
		tick.Stop()
		close(done)
		over.Wait()
		g.cancel(nil)
		debug.SetMemoryLimit(collector)
	}
}

// LastWords has write called when the program has to exit without having ended
// the run. It must need next to no memory and nothing that the run changes.
func LastWords(ctx context.Context, write func(error)) {
	if g, ok := ctx.Value(guardKey{}).(*guard); ok {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.words = append(g.words, write)
	}
}

// Ceiling is the error that the program of this context would end with, nil
// where nobody watches.
func Ceiling(ctx context.Context) error {
	if g, ok := ctx.Value(guardKey{}).(*guard); ok {
		return g.error
	}
	return nil
}

// watch looks at each tick, until done.
func (g *guard) watch(tick <-chan time.Time, done <-chan struct{}) {
	var since time.Time // of the first look above the ceiling
	for {
		select {
		case <-done:
			return
		case now := <-tick:
			n := g.used()
			if n <= g.error.Ceiling {
				continue
			}
			if since.IsZero() {
				since = now
				g.cancel(g.error)
			}
			if n > g.error.Ceiling/2*3 || now.Sub(since) > grace {
				g.say()
				return
			}
		}
	}
}

func (g *guard) say() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, write := range g.words {
		write(g.error)
	}
	g.exit(g.error)
}

// used is what the collector's limit is about: memory that the program has from
// the system and has not given back.
func used() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64() - sample[1].Value.Uint64()) //nolint:gosec // no machine has so much
}
