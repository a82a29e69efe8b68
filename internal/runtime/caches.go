package runtime

import (
	"fmt"
	"os"

	"github.com/org/qa-action/internal/runtime/cache"
)

// caches are the layers of this workspace.
func (w *Workspace) caches() cache.Layers {
	l := cache.Layers{Lower: w.place.Layers(), Upper: w.place.Packages()}
	if w.user != nil {
		l.Own = w.user.Own
	}
	return l
}

// guarded reports whether the code cannot write to what outlives the run.
func (w *Workspace) guarded() bool {
	return w.user != nil || w.walls.confines() || w.driver.name() == "container"
}

// layCaches fills the workspace's caches with what earlier runs compiled and
// fetched before any test. Where the code could change that, it starts with
// nothing.
func (w *Workspace) layCaches() error {
	if err := w.place.LayHomes(w.homes, w.tracked, w.user); err != nil {
		return err
	}
	if !w.guarded() || !w.tracked.HasGo() {
		return nil
	}
	if err := os.MkdirAll(w.place.Layers(), 0o755); err != nil {
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
