package laid

import (
	"context"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/impact"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
)

// Helpers are the files of the change that tests have in common.
func (l Look) Helpers(ctx context.Context) []File {
	shared := executor.Shared(l.Change, func(f qa.FileChange) (now, was []byte) { return l.Both(ctx, f) }, impact.Alone(l.Root))
	return each.Of(shared, func(f executor.Common) File { return File{FileChange: f.File, Text: f.Text} })
}
