package cli

import (
	"context"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/output"
	"github.com/org/qa-action/internal/runtime"
)

// outputIn is a directory of the checkout in which runs leave things; commits
// are those of the change, of which nothing counts as left by a run.
func outputIn(ctx context.Context, root, name string, commits ...string) (*output.Dir, error) {
	return output.Open(output.Spec{
		Checkout: root, Name: name, Tests: runtime.TestsUser(),
		Tracked: func(name string) ([]string, error) { return change.Tracked(ctx, root, name, commits...) },
	})
}

// within is a directory of the checkout in which runs leave things.
func (s *setup) within(ctx context.Context, name string) (*output.Dir, error) {
	return outputIn(ctx, s.root, name, s.change.Head, s.change.Measured)
}
