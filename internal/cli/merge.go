package cli

import (
	"context"
	"path/filepath"

	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/mode"
)

// mergeCommand joins the sessions of shards. It is run in a checkout of their
// commit and with their configuration, without what told them apart.
type mergeCommand struct {
	Dirs          []string `arg:"" name:"dir" help:"Sessions, or directories that hold some (as downloaded artifacts)."`
	Expect        int      `help:"How many shards there must be; 0 is any number that covers all targets."`
	config.Inputs `embed:""`
	Quiet         bool `help:"Do not print progress."`
}

func (c *mergeCommand) Run(ctx context.Context, env *Env) error {
	var dirs []string
	for _, dir := range c.Dirs {
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(env.Dir, dir)
		}
		dirs = append(dirs, dir)
	}
	s, err := setTheScene(ctx, env, c.Inputs, dirs...)
	if err != nil {
		return err
	}
	return s.run(ctx, env, runOptions{quiet: c.Quiet, carry: func(ctx context.Context, d mode.Deps) (*mode.Result, error) {
		return mode.Merge(ctx, d, dirs, c.Expect)
	}})
}
