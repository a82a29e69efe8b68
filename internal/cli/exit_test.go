package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/output"
	"github.com/org/qa-action/internal/qa"
)

// TestErrorsThatTheUserCanMend say what to do in their message, once, and are
// wrong usage however deep they lie.
func TestErrorsThatTheUserCanMend(t *testing.T) {
	t.Parallel()
	_, place := output.Open(output.Spec{Checkout: t.TempDir(), Name: "../elsewhere"})
	_, outside := change.FromGit(t.Context(), change.Options{Dir: t.TempDir()})
	for _, err := range []error{outside, place} {
		var e explained
		assert.Assert(t, errors.As(err, &e), "%T is not explained", err)
		assert.Assert(t, e.NextStep() != "" && strings.Contains(err.Error(), e.NextStep()), "%T: %s", err, err)
		var out bytes.Buffer
		assert.Equal(t, report(&out, fmt.Errorf("look: %w", errors.Join(err, errors.New("x")))), exitUsage)
		assert.Assert(t, !strings.Contains(out.String(), "hint:"), out.String())
	}
}

func TestHowErrorsEnd(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		code int
		text string
	}{
		{nil, exitOK, ""},
		{done("nothing moved"), exitOK, "qa: nothing to do: nothing moved\n"},
		{verdict(qa.Fail), exitFail, ""},
		{verdict(qa.Inconclusive), exitInconclusive, ""},
		{errors.New("a"), exitInconclusive, "qa: error: a\n"},
		{usageError{errors.New("a\nb")}, exitUsage, "qa: error:\n  a\n  b\n"},
		{withHint(errors.New("a"), "b", "c"), exitInconclusive, "qa: error: a\nqa: hint: b\nqa: hint: c\n"},
		{withHint(usageError{errors.New("a")}, "b"), exitUsage, "qa: error: a\nqa: hint: b\n"},
		{usageError{withHint(errors.New("a"), "b")}, exitUsage, "qa: error: a\nqa: hint: b\n"},
		{fmt.Errorf("write: %w", syscall.ENOSPC), exitInconclusive, "qa: error: write: no space left on device\nqa: hint: make room on that disk, or name a directory on another one (--output-dir); what was done until then is kept, so go on with qa resume\n"},
		{fmt.Errorf("stop: %w", context.Canceled), exitCancelled, "qa: error: stop: context canceled\n"},
	} {
		var out bytes.Buffer
		assert.Equal(t, report(&out, c.err), c.code, "%v", c.err)
		assert.Equal(t, out.String(), c.text)
	}
}
