package runtime

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/org/qa-action/internal/runtime/cache"
	"github.com/org/qa-action/internal/runtime/repository"
	"github.com/org/qa-action/internal/runtime/sandbox"
	"github.com/org/qa-action/internal/runtime/tree"
)

// caches are those of compilers and package managers in one copy.
type caches struct {
	box     *sandbox.Sandbox
	tree    *tree.Tree
	repo    repository.Repository
	driver  string
	env     []string // ours, which says where the machine's caches are
	base    string   // as Preparation.Base
	trusted bool     // what is fetched may serve later runs
	laid    bool     // what package managers fetched earlier is at hand
	log     io.Writer
}

// layers are those that the caches consist of.
func (c *caches) layers() cache.Layers {
	l := cache.Layers{Lower: c.box.Place.Layers(), Upper: c.box.Place.Packages()}
	if c.box.User != nil {
		l.Own = c.box.User.Own
	}
	return l
}

// guarded reports whether the code cannot write to what outlives the run.
func (c *caches) guarded() bool {
	return c.box.Guarded() || c.driver == "container"
}

// lay fills the workspace's caches with what earlier runs compiled and
// fetched before any test. Where the code could change that, it starts with
// nothing.
func (c *caches) lay(ctx context.Context) error {
	if err := c.box.Place.LayHomes(c.box.Machine.Homes, c.tree.Tracked, c.box.User); err != nil {
		return err
	}
	if !c.guarded() || !c.tree.Tracked.HasGo() {
		return nil
	}
	if err := os.MkdirAll(c.box.Place.Layers(), 0o755); err != nil {
		return fmt.Errorf("make cache: %w", err)
	}
	return errors.Join(c.takeModules(ctx), c.layers().Lay())
}

// layDownloads brings what package managers have fetched, once.
func (c *caches) layDownloads() error {
	if c.laid || !c.guarded() {
		return nil
	}
	c.laid = true
	return errors.Join(c.takeRestored(), c.layers().LayDownloads())
}

// keepDownloads takes over what package managers fetched for trusted code.
func (c *caches) keepDownloads() error {
	if !c.laid || !c.trusted {
		return nil
	}
	return c.layers().PromoteDownloads()
}
