package cli

import (
	"context"

	"github.com/org/qa-action/internal/assemble"
	"github.com/org/qa-action/internal/change"
)

// headLine follows lines of the test merge that is checked out to the head of
// the pull request; nil when head itself is checked out. Where head cannot be
// read, lines stay those of the test merge, and the log says so.
func (s *setup) headLine(ctx context.Context) assemble.HeadLine {
	if s.change.Measured == "" {
		return nil
	}
	m, err := change.MapLines(ctx, s.actions.options(change.Options{Dir: s.root}), s.change.Measured, s.change.Head)
	if err != nil {
		s.actions.Say("lines are those of the test merge: %v", err)
		return nil
	}
	return m.ToHead
}
