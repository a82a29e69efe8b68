package cli

import (
	"context"
	"sync"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/qa"
)

// contents reads files of commits for a run. The base side of a change is read at
// once when the first of its files is asked for: each file by itself costs four programs.
type contents struct {
	root   string
	change qa.Change
	// one reads any other file of a commit.
	one  func(ctx context.Context, commit, path string) ([]byte, error)
	once sync.Once
	base map[string][]byte
}

func (c *contents) read(ctx context.Context, commit, path string) ([]byte, error) {
	if commit == c.change.Base {
		c.once.Do(func() {
			var paths []string
			for _, f := range c.change.Files {
				if f.Status != qa.Added && !f.Binary && !f.Submodule {
					paths = append(paths, f.BasePath())
				}
			}
			if len(paths) > 0 {
				// What fails here is read again below, with its own error.
				c.base, _ = change.Contents(ctx, c.root, commit, paths)
			}
		})
		if data, ok := c.base[path]; ok {
			return data, nil
		}
	}
	return c.one(ctx, commit, path)
}

// messages are what the commits of the change say; a history that cannot be read
// says nothing.
func (c *contents) messages(ctx context.Context) []string {
	all, err := change.Messages(ctx, c.root, c.change.Base, c.change.Head)
	if err != nil {
		return nil
	}
	return all
}
