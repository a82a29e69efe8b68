package copies

import (
	"sync"
	"testing"
	"time"

	"gotest.tools/v3/assert"
)

func TestWatch(t *testing.T) {
	t.Parallel()
	var c Copies
	shared := c.Watch(false)
	assert.Assert(t, !shared(), "nobody ran")

	end := c.beside.begin()
	shared = c.Watch(false)
	assert.Assert(t, !c.beside.programs.TryLock(), "a suite that runs alone would not wait")
	end()
	assert.Assert(t, shared(), "one ran already")

	shared = c.Watch(false)
	c.beside.begin()()
	assert.Assert(t, shared(), "one came and went")

	alone := c.Watch(true)
	assert.Assert(t, !c.beside.programs.TryRLock(), "a program would run beside it")
	assert.Assert(t, !alone(), "nobody ran beside it")
	c.beside.begin()()
}

// TestWatchAlone has programs wait for the end of a suite: they begin with it, and did not
// run beside it.
func TestWatchAlone(t *testing.T) {
	t.Parallel()
	var c Copies
	for range 300 {
		alone := c.Watch(true)
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() { c.beside.begin()() })
		}
		time.Sleep(100 * time.Microsecond) // enough for most of them to wait
		assert.Assert(t, !alone())
		group.Wait()
	}
}
