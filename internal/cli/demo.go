package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/demo"
	"github.com/org/qa-action/internal/mode"
	"github.com/org/qa-action/internal/reporter"
)

// demoCommand runs the loop on a project of ours, so that a newcomer sees what it
// makes before there is anything to set up.
type demoCommand struct {
	Dir   string `arg:"" optional:"" help:"Folder to unpack it into, which stays; it must be empty or not there. Default: a temporary one."`
	Keep  bool   `help:"Let the temporary folder stay."`
	Quiet bool   `help:"Do not print progress."`
}

// Run succeeds when the run came to the verdict that the demo's change deserves.
func (c *demoCommand) Run(ctx context.Context, env *Env) (err error) {
	if c.Dir != "" && !filepath.IsAbs(c.Dir) {
		c.Dir = filepath.Join(env.Dir, c.Dir)
	}
	p, err := demo.Unpack(ctx, c.Dir)
	if err != nil {
		return err
	}
	if c.Keep {
		p.Keep()
	}
	defer func() { err = errors.Join(err, p.Remove()) }()
	there := *env
	there.Dir, there.Getenv = p.Dir, demo.Getenv(env.Getenv)
	// On the host: a container might have to be fetched first.
	s, err := setTheScene(ctx, &there, config.Inputs{
		AboutInputs: config.AboutInputs{Base: demo.Base}, SuiteInputs: config.SuiteInputs{Runtime: "host"},
		EffortInputs: config.EffortInputs{History: "none"},
	})
	if err != nil {
		return err
	}
	var res *mode.Result
	err = s.run(ctx, &there, runOptions{quiet: c.Quiet, carry: func(ctx context.Context, d mode.Deps) (_ *mode.Result, err error) {
		res, err = mode.Run(ctx, d)
		return res, err
	}})
	if end := (concluded{}); res == nil || err != nil && !errors.As(err, &end) {
		return err
	}
	if err := demo.Check(res.Report); err != nil {
		return withHint(fmt.Errorf("the demo did not come out as it should:\n%w", err), "qa doctor says what this machine lacks")
	}
	var comment bytes.Buffer
	if err := reporter.Render(&comment, "comment", res.Report, reporter.Options{}); err != nil {
		return err
	}
	return p.Tell(env.Stdout, res.Dir, comment.Bytes())
}
