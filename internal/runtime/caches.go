package runtime

import (
	"fmt"
	"os"

	"github.com/org/qa-action/internal/runtime/cache"
)

// caches are the layers of this workspace.
func (w *Workspace) caches() cache.Layers {
	l := cache.Layers{Lower: w.box.Place.Layers(), Upper: w.box.Place.Packages()}
	if w.box.User != nil {
		l.Own = w.box.User.Own
	}
	return l
}

// guarded reports whether the code cannot write to what outlives the run.
func (w *Workspace) guarded() bool {
	return w.box.Guarded() || w.opts.Driver == "container"
}

// layCaches fills the workspace's caches with what earlier runs compiled and
// fetched before any test. Where the code could change that, it starts with
// nothing.
func (w *Workspace) layCaches() error {
	if err := w.box.Place.LayHomes(w.box.Machine.Homes, w.tree.Tracked, w.box.User); err != nil {
		return err
	}
	if !w.guarded() || !w.tree.Tracked.HasGo() {
		return nil
	}
	if err := os.MkdirAll(w.box.Place.Layers(), 0o755); err != nil {
		return fmt.Errorf("make cache: %w", err)
	}
	return w.caches().Lay()
}

// layDownloads brings what package managers have fetched, once.
func (w *Workspace) layDownloads() error {
	if w.deps.laid || !w.guarded() {
		return nil
	}
	w.deps.laid = true
	return w.caches().LayDownloads()
}

// keepDownloads takes over what package managers fetched for trusted code.
func (w *Workspace) keepDownloads() error {
	if !w.deps.laid || !w.opts.Trusted {
		return nil
	}
	return w.caches().PromoteDownloads()
}
