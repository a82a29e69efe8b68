package checkout

import (
	"context"
	"io/fs"
	"path"

	"github.com/org/qa-action/internal/ci"
	"github.com/org/qa-action/internal/rooted"
)

// Workflows are the repository's workflow files as they stand on base, by their
// paths: a change decides nothing with those that it writes. Without a base they are
// the checkout's.
func (c Checkout) Workflows(ctx context.Context) map[string][]byte {
	out := map[string][]byte{}
	entries, _ := fs.ReadDir(rooted.FS(c.Root), ci.Folder)
	for _, e := range entries {
		name := path.Join(ci.Folder, e.Name())
		if ci.IsWorkflow(name) && (c.Change.Base == "" || !c.Touches(name)) {
			if text := c.Text(name); text != nil {
				out[name] = text
			}
		}
	}
	for _, f := range c.Change.Files {
		if name := f.BasePath(); c.Change.Base != "" && ci.IsWorkflow(name) {
			if text := c.Before(ctx, f); text != nil {
				out[name] = text
			}
		}
	}
	return out
}
