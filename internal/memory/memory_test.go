package memory

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"gotest.tools/v3/assert"
)

func TestCeiling(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ machine, collector, want int64 }{
		{8 << 30, math.MaxInt64, 4 << 30},
		{128 << 30, math.MaxInt64, 8 << 30},
		{64 << 20, math.MaxInt64, 256 << 20},
		{0, math.MaxInt64, 8 << 30},
		{8 << 30, 300 << 20, 400 << 20},
	} {
		assert.Equal(t, ceiling(tt.machine, tt.collector), tt.want, "%+v", tt)
	}
}

func TestMachine(t *testing.T) {
	t.Parallel()
	assert.Check(t, Machine() >= 0)
	assert.Check(t, used() > 1<<20)
}

// TestWatch: what is looked at, each time, and what comes of it.
func TestWatch(t *testing.T) {
	t.Parallel()
	const mib = 1 << 20
	for name, tt := range map[string]struct {
		used             []int64
		each             time.Duration
		cancelled, exits bool
	}{
		"below":                    {used: []int64{50 * mib, 100 * mib, 100 * mib}},
		"above for a moment":       {used: []int64{101 * mib, 50 * mib, 50 * mib}, cancelled: true},
		"above and it ends":        {used: []int64{101 * mib, 120 * mib}, cancelled: true},
		"above and it never ends":  {used: []int64{101 * mib, 120 * mib, 120 * mib}, each: grace, cancelled: true, exits: true},
		"far above at the first":   {used: []int64{151 * mib}, cancelled: true, exits: true},
		"far above later":          {used: []int64{101 * mib, 151 * mib}, cancelled: true, exits: true},
		"above, below, then again": {used: []int64{101 * mib, 50 * mib, 120 * mib}, each: grace, cancelled: true, exits: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancelCause(t.Context())
			var said []string
			at := -1
			g := &guard{error: &Error{100 * mib}, cancel: cancel, used: func() int64 { at++; return tt.used[at] },
				exit: func(err error) { said = append(said, "exit "+err.Error()) }}
			ctx = context.WithValue(ctx, guardKey{}, g)
			LastWords(ctx, func(error) { said = append(said, "words") })
			tick, done := make(chan time.Time), make(chan struct{})
			over := make(chan struct{})
			go func() { g.watch(tick, done); close(over) }()
			start := time.Now()
			for i := range tt.used {
				select {
				case tick <- start.Add(time.Duration(i) * tt.each):
				case <-over:
				}
			}
			close(done)
			<-over
			assert.Equal(t, errors.Is(context.Cause(ctx), ErrCeiling), tt.cancelled)
			if !tt.exits {
				assert.Equal(t, len(said), 0)
				return
			}
			assert.DeepEqual(t, said, []string{"words", "exit out of memory: the program itself reached its ceiling of 100 MiB; run it where there is more memory, or on a part of the repository (input working-directory)"})
		})
	}
}

// TestNobodyWatches: a run without a guard has no last words.
func TestNobodyWatches(t *testing.T) {
	t.Parallel()
	LastWords(t.Context(), func(error) { t.Error("called") })
	assert.NilError(t, Ceiling(t.Context()))
}
