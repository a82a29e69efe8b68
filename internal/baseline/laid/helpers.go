package laid

import (
	"context"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
)

// Helpers are the files of the change that tests have in common.
func (l Look) Helpers(ctx context.Context) []File {
	both := func(f qa.FileChange) (now, was []byte) { return l.Both(ctx, f) }
	return each.Of(executor.Shared(l.Change, both), func(f qa.FileChange) File { return File{FileChange: f, Text: l.Before(ctx, f)} })
}
