// Package checkout is the repository as a run finds it: the files of the working
// tree, what changed in them, and any file of a commit.
package checkout

import (
	"context"
	"io/fs"
	"slices"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/rooted"
)

// maxFile bounds what is read of one file.
const maxFile = 256 << 20

// Checkout is a working tree with a change in it.
type Checkout struct {
	// Root is the repository root, absolute.
	Root string
	// Own is a directory below Root, slash separated, that is ours and not the
	// project's; empty is none.
	Own    string
	Change qa.Change
	// Content reads a file of a commit.
	Content func(ctx context.Context, commit, path string) ([]byte, error)
	// Messages are those of the change's commits; nil has none.
	Messages func(ctx context.Context) []string
}

// Read reads a file, never following a link out of the checkout.
func (c Checkout) Read(path string) ([]byte, error) { return rooted.ReadIn(c.Root, path, maxFile) }

// Text is a file, nil when it cannot be read.
func (c Checkout) Text(path string) []byte {
	data, err := c.Read(path)
	if err != nil {
		return nil
	}
	return data
}

// Before is a changed file's text on base, empty when it has none.
func (c Checkout) Before(ctx context.Context, f qa.FileChange) []byte {
	if c.Change.Base == "" || f.Status == qa.Added {
		return nil
	}
	text, err := c.Content(ctx, c.Change.Base, f.BasePath())
	if err != nil {
		return nil
	}
	return text
}

// Stat looks at a file.
func (c Checkout) Stat(path string) (fs.FileInfo, error) { return fs.Stat(rooted.FS(c.Root), path) }

// Touches reports whether the change wrote, removed or renamed one of the files.
func (c Checkout) Touches(files ...string) bool {
	return slices.ContainsFunc(c.Change.Files, func(f qa.FileChange) bool {
		return slices.Contains(files, f.Path) || slices.Contains(files, f.BasePath())
	})
}
