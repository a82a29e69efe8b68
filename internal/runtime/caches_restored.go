package runtime

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/toolchain"
)

// What steps before ours restored or fetched on this machine lies where anybody may
// have written, code of the change included. It serves where it can be held against
// something that the change did not write: see decision 26.

// maxLock bounds the lock files that are read.
const maxLock = 64 << 20

// machine is where the cache of that folder is on the machine on which commands run;
// empty is nowhere.
func (c *caches) machine(folder string) string {
	for _, known := range language.Caches() {
		if known.Folder == folder && c.driver == "host" {
			return known.At(c.getenv)
		}
	}
	return ""
}

func (c *caches) getenv(name string) string { return environ.Lookup(c.env, name) }

// takeModules takes over the modules of Go for which base's sums vouch.
func (c *caches) takeModules(ctx context.Context) error {
	machine := c.machine("go-mod")
	if machine == "" || c.base == "" {
		return nil
	}
	var sums bytes.Buffer
	for _, name := range slices.Sorted(c.tree.Tracked.Files()) {
		if base := path.Base(name); sums.Len() > maxLock || base != "go.sum" && base != "go.work.sum" {
			continue
		}
		if f, err := c.repo.Committed(ctx, c.base, name); err == nil {
			_ = c.repo.Content(ctx, f, &sums) // what is not there vouches for nothing
			sums.WriteByte('\n')
		}
	}
	taken, err := c.layers().TakeModules(ctx, machine, sums.Bytes())
	c.say(taken, "modules of Go")
	return err
}

// layContents lays the packages of npm that the lock file of an installation names by
// their digest.
func (c *caches) layContents(ctx context.Context, in toolchain.Install) error {
	machine := c.machine("npm")
	if machine == "" || in.Manager != "npm" || !c.guarded() {
		return nil
	}
	laid := 0
	for _, name := range []string{"package-lock.json", "npm-shrinkwrap.json"} {
		lock, err := rooted.ReadIn(filepath.Join(c.box.Place.Tree, in.Dir), name, maxLock)
		if err != nil {
			continue
		}
		n, err := c.layers().LayContents(ctx, machine, lock)
		if laid += n; err != nil {
			return err
		}
	}
	c.say(laid, "packages of npm")
	return nil
}

// takeRestored takes over the caches of package managers as the job restored them, in a
// run of the default branch on a machine that GitHub made for this job alone: what such
// a job restores, a job of the default branch saved.
func (c *caches) takeRestored() error {
	if !c.trusted || c.driver != "host" || c.getenv("GITHUB_ACTIONS") != "true" || c.getenv("RUNNER_ENVIRONMENT") != "github-hosted" {
		return nil
	}
	refused, err := c.layers().TakeRestored(c.getenv)
	for _, dir := range refused {
		_, _ = fmt.Fprintf(c.log, "%q is too large to start from\n", dir)
	}
	return err
}

func (c *caches) say(n int, what string) {
	if n > 0 {
		_, _ = fmt.Fprintf(c.log, "%d %s from the machine's cache\n", n, what)
	}
}
