// Package laid knows which files of a change may bend what its tests say without being a
// test, and lays them into the copy of head as base has them. Start at [Look].
package laid

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"path"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/targets"
)

// File is a file of the change as a run on head has it once more.
type File struct {
	qa.FileChange
	Text []byte // nil when base has none
	How  string // how head's own differs, where it is no configuration
	// Product tells that head's has a part of the product in it, which base's takes along.
	Product bool
	// Named tells a source of which only its name in a configuration or a command makes one
	// to lay back: it may stand there for another reason, and base's product hides what
	// another file lets pass. Tested tells, of those, what tests are seen to load.
	Named, Tested bool
}

// Lay puts it into the copy of head.
func (f File) Lay(ws *runtime.Workspace) error {
	name := f.Path
	if f.Status == qa.Renamed {
		name = f.BasePath()
	}
	if f.Text == nil || name != f.Path {
		if err := ws.Remove(f.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if f.Text == nil {
		return nil
	}
	return ws.Write(name, f.Text)
}

// Names are the files' paths, with how they differ.
func Names(files []File) []string {
	return each.Of(files, func(f File) string { return f.Path + f.How })
}

// Look finds them by what the change did, by texts, and by what the suites showed.
type Look struct {
	checkout.Checkout
	targets.Found
	Runs []executor.Baseline
	// Tracked are the files that git knows in the copy of head.
	Tracked func() iter.Seq[string]
}

// Both is the text of a file on head and on base.
func (l Look) Both(ctx context.Context, f qa.FileChange) (now, was []byte) {
	if f.Status != qa.Deleted {
		now = l.Text(f.Path)
	}
	if f.Status != qa.Added && f.Status != qa.Copied { // a copy has no base of its own
		was = l.Before(ctx, f)
	}
	return now, was
}

// gather enters what the files of a folder say together: which tells whether one is meant,
// part what of it counts.
func (l Look) gather(into map[string][]byte, dir string, which func(name string) bool, part func(name string, text []byte) []byte) {
	entries, err := fs.ReadDir(rooted.FS(l.Root), dir)
	if _, seen := into[dir]; seen || err != nil {
		return
	}
	into[dir] = nil
	for _, e := range entries {
		if e.Type().IsRegular() && which(e.Name()) {
			into[dir] = append(into[dir], part(e.Name(), l.Text(path.Join(dir, e.Name())))...)
		}
	}
}
