package runtime

import (
	"context"
	"path/filepath"

	"github.com/org/qa-action/internal/runtime/place"
	"github.com/org/qa-action/internal/runtime/stage"
)

// moves reports whether commands see the home at another path than we do.
func (w *Workspace) moves() bool {
	return w.parent != nil && !w.foreign && w.walls.namespaces && !w.apart
}

// probeViews finds out whether base can be shown where head stands.
func (w *Workspace) probeViews(ctx context.Context) error {
	if !w.moves() {
		return nil
	}
	if err := w.place.Hand(w.user); err != nil {
		return err
	}
	return w.probe(ctx)
}

// views are what the workspace's commands see at another path: base's home in the place of head's,
// and head's, for reading, below it.
func (w *Workspace) views() []stage.View {
	if !w.moves() {
		return nil
	}
	seen := w.parent.place.Home
	return []stage.View{{From: w.place.Home, At: seen}, {From: seen, At: filepath.Join(seen, place.HeadDir), ReadOnly: true}}
}
