// Package copies is where the repository's code runs: a private copy of head, and
// one of base that is made when it is first needed.
package copies

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/wording"
)

// Copies are the copies of one run. They are safe for concurrent use.
type Copies struct {
	opts   runtime.Options
	commit string // base
	once   sync.Once
	head   *runtime.Workspace
	err    error
	mu     sync.Mutex // of base
	base   *runtime.Workspace
	beside beside
}

// New are copies that are not made yet. commit is base, empty for none.
func New(o runtime.Options, commit string) *Copies { return &Copies{opts: o, commit: commit} }

// None are copies that cannot be opened, and why.
func None(why error) *Copies {
	c := &Copies{err: why}
	c.once.Do(func() {})
	return c
}

// Open makes the copy of head, once.
func (c *Copies) Open(ctx context.Context) (*runtime.Workspace, error) {
	c.once.Do(func() {
		if c.head, c.err = runtime.Open(ctx, c.opts); c.err == nil && c.commit != "" {
			c.err = c.head.Against(ctx, c.commit)
		}
	})
	if c.err != nil {
		return nil, c.err
	}
	return c.head, nil
}

// Sides are the trees the executor compares.
func (c *Copies) Sides(head *runtime.Workspace) executor.Sides {
	s := executor.Sides{Head: head}
	if c.commit != "" {
		s.Base = func(ctx context.Context) (executor.Tree, error) {
			c.mu.Lock()
			defer c.mu.Unlock()
			if c.base == nil {
				base, err := head.At(ctx, c.commit)
				if err != nil {
					return nil, err
				}
				c.base = base
			}
			return c.base, nil
		}
	}
	return s
}

// Wrote are files that git knows or that were built, and that commands wrote, moved or
// removed on head and on base, wherever they put them back, and what they laid where
// something else is looked for.
type Wrote struct{ Head, Base, Laid []string }

// Restore undoes what tests did to the project's files in the copies, so that
// what runs next starts from the same ones, and lists those that git knows or that a
// build left.
func (c *Copies) Restore(ctx context.Context) (out Wrote) {
	c.mu.Lock()
	defer c.mu.Unlock()
	out.Head, out.Laid = c.restore(ctx, "head", c.head)
	out.Base, _ = c.restore(ctx, "base", c.base)
	return out
}

func (c *Copies) restore(ctx context.Context, side string, w *runtime.Workspace) (known, laid []string) {
	if w == nil {
		return nil, nil
	}
	had := slices.DeleteFunc(w.Had(), framework.Kept)
	laid = displaced(w, had)
	touched, err := w.Restore(ctx)
	known = each.Where(touched, func(name string) bool {
		_, built := slices.BinarySearch(had, name)
		return built || w.Tracks(name)
	})
	if len(touched) > 0 {
		_, _ = fmt.Fprintf(c.opts.Log, "copy of %s: files of the project that were written to are put back: %s\n", side, wording.Some(each.Of(touched, strconv.Quote), 3)) // a name may hold anything
	}
	if err != nil {
		_, _ = fmt.Fprintf(c.opts.Log, "copy of %s: %q\n", side, err)
	}
	return slices.Compact(slices.Sorted(slices.Values(append(known, laid...)))), laid
}

// displaced lists what commands moved, removed or made under names where runners look
// for the project's code, though it may all be as before in the end.
// had are the files that git does not know and that were built before.
func displaced(w *runtime.Workspace, had []string) []string {
	earlier, since := w.Stirred()
	there := slices.AppendSeq(slices.Clone(had), w.Tracked())
	return append(among(w, earlier, framework.PlacesOf(w.Tracked())), among(w, since, framework.PlacesOf(slices.Values(there)))...)
}

func among(w *runtime.Workspace, stir runtime.Stir, places framework.Places) []string {
	var out []string
	for name := range stir.Made {
		if places.Takes(name) {
			out = append(out, name)
		}
	}
	for name := range stir.Gone {
		if places.Known(name) && !w.Tracks(name) || w.Packages(name) {
			out = append(out, name)
		}
	}
	if stir.Lost {
		out = append(out, "more than could be followed")
	}
	return out
}

// Exec runs a scan engine's program in the copy of head.
func (c *Copies) Exec(ctx context.Context, command process.Command) (process.Result, error) {
	w, err := c.Open(ctx)
	if err != nil {
		return process.Result{}, fmt.Errorf("no place to run %s: %w", command.Argv[0], err)
	}
	dir, err := filepath.Rel(w.Dir(), command.Dir)
	if err != nil || strings.HasPrefix(dir, "..") {
		return process.Result{}, fmt.Errorf("run %s: directory %s is outside the copy", command.Argv[0], command.Dir)
	}
	defer c.beside.begin()()
	return w.Run(ctx, runtime.Command{
		Argv: command.Argv, Dir: filepath.ToSlash(dir), Env: command.Env, Timeout: command.Timeout, MaxOutput: command.MaxOutput,
		Live: command.Live, Stdin: command.Stdin,
	})
}

// Close removes the copies.
func (c *Copies) Close() error {
	var errs []error
	for _, w := range []*runtime.Workspace{c.base, c.head} {
		if w != nil {
			errs = append(errs, w.Close())
		}
	}
	return errors.Join(errs...)
}

// Shell is how a command line of the user's configuration is run. It comes from
// the base commit or the workflow, never from the change.
func Shell(command string) []string { return []string{"sh", "-c", command} }
