package assemble

import (
	"context"
	"errors"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/memory"
	"github.com/org/qa-action/internal/output"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
	"github.com/org/qa-action/internal/reporter"
	"github.com/org/qa-action/internal/session"
)

// TestBlankReport: what is left by a run that had to exit is a whole report, which
// `qa report` publishes, and never green.
func TestBlankReport(t *testing.T) {
	t.Parallel()
	c, err := config.Load(config.Sources{Getenv: func(string) string { return "" }})
	assert.NilError(t, err)
	own, err := session.Create(output.At(t.TempDir()), session.Spec{Mode: "full"})
	assert.NilError(t, err)
	defer func() { assert.NilError(t, own.Close()) }()
	w := Writer{About: About{Config: c, Session: own.ID(), Checkout: checkout.Checkout{Change: qa.Change{Head: "aaaa", Base: "bbbb"}}}, Session: own}
	raw, err := w.blankJSON(&memory.Error{Ceiling: 100 << 20})
	assert.NilError(t, err)
	p, err := reporter.Parse(raw)
	assert.NilError(t, err)
	assert.NilError(t, quality.Verify(p))
	assert.Equal(t, p.Result, qa.Inconclusive)
	assert.ErrorContains(t, errors.New(p.Reason), "out of memory: the program itself reached its ceiling of 100 MiB")
}

// TestOutOfMemory: the ceiling is the reason, whatever it brought about, and a
// run that was over before is what it was.
func TestOutOfMemory(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	late := errors.New("the session could not be written")
	p := &qa.Report{Result: qa.Pass, Reason: "every gate passed"}
	assert.Equal(t, OutOfMemory(ctx, p, late), late)
	cancel(&memory.Error{Ceiling: 1 << 20})
	assert.NilError(t, OutOfMemory(ctx, p, nil))
	assert.Equal(t, p.Result, qa.Pass)
	assert.ErrorIs(t, OutOfMemory(ctx, p, context.Canceled), memory.ErrCeiling)
	assert.Equal(t, p.Result, qa.Inconclusive)
}
