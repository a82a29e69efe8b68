package cli

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/mode"
)

// mergeCommand joins the sessions of shards. It is run in a checkout of their
// commit and with their configuration, without what told them apart.
type mergeCommand struct {
	Dirs          []string `arg:"" optional:"" name:"dir" help:"Sessions, or directories that hold some (as downloaded artifacts); default: input session."`
	Expect        int      `help:"How many shards there must be; 0 is any number that covers all targets."`
	config.Inputs `embed:""`
	Quiet         bool `help:"Do not print progress."`
}

func (c *mergeCommand) Run(ctx context.Context, env *Env) error {
	given := c.Dirs
	if dir := env.Getenv("INPUT_SESSION"); len(given) == 0 && dir != "" {
		given = []string{dir}
	}
	if len(given) == 0 {
		return usageError{errors.New("merge: no sessions are named, expected their directories, or in a workflow the input session")}
	}
	var dirs []string
	for _, dir := range given {
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(env.Dir, dir)
		}
		dirs = append(dirs, dir)
	}
	s, err := setUp(ctx, env, c.Inputs, dirs...)
	if err != nil {
		return s.actions.stopped(ctx, env, c.Inputs, err)
	}
	return s.run(ctx, env, runOptions{quiet: c.Quiet, carry: func(ctx context.Context, d mode.Deps) (*mode.Result, error) {
		return mode.Merge(ctx, d, dirs, c.Expect)
	}})
}
