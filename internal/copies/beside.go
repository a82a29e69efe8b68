package copies

import (
	"sync"
	"sync/atomic"
)

// beside counts the programs of scan engines, which run in the copy of head while its
// suites do: a file that one of them opens looks as if a test had.
type beside struct {
	programs       sync.RWMutex // read by each of them, written by a suite that they must not disturb
	running, begun atomic.Int64
}

// begin lets a program of an engine begin, behind a suite that runs alone.
func (b *beside) begin() (end func()) {
	b.programs.RLock()
	b.running.Add(1) // the first of both, see Watch
	b.begun.Add(1)
	return func() {
		b.running.Add(-1)
		b.programs.RUnlock()
	}
}

// Watch begins a suite, and ends it with shared, which says whether a program of an engine
// ran meanwhile. alone has them wait for the end: for a suite of which nothing but opened
// files shows what took part. One that runs already is waited for.
func (c *Copies) Watch(alone bool) (shared func() bool) {
	b := &c.beside
	if alone {
		b.programs.Lock()
	}
	begun := b.begun.Load() // what is counted here and has not ended is running still
	running := b.running.Load()
	return func() bool {
		if alone {
			defer b.programs.Unlock() // not before it is counted who ran: whoever waits begins at once
		}
		return running > 0 || b.begun.Load() > begun
	}
}
