package copies

import (
	"testing"

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
