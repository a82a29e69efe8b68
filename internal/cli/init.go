package cli

import (
	"context"
	"fmt"
	"os"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/mode"
	"github.com/org/qa-action/internal/scaffold"
)

// initCommand writes the files with which a repository begins. Inputs that are
// given as flags become the configuration.
type initCommand struct {
	config.Inputs `embed:""`
	Matrix        bool `help:"Write a job for each package, whatever their number."`
	DryRun        bool `help:"Show what would be written, and write nothing."`
}

// Run looks at the repository as a run would, and writes what fits it.
func (c *initCommand) Run(ctx context.Context, env *Env) error {
	s, err := setUp(ctx, env, c.Inputs)
	if err != nil {
		return err
	}
	p, err := s.found(ctx, c.Inputs)
	if err != nil {
		return err
	}
	p.Matrix = c.Matrix
	root, err := os.OpenRoot(s.root)
	if err != nil {
		return fmt.Errorf("open the repository: %w", err)
	}
	defer func() { _ = root.Close() }() // nothing is buffered
	if err := scaffold.Place(env.Stdout, root, scaffold.Files(p), c.DryRun); err != nil || c.DryRun {
		return err
	}
	return scaffold.Next(env.Stdout, p)
}

// found is the repository as a run would find it.
func (s *setup) found(ctx context.Context, in config.Inputs) (scaffold.Project, error) {
	var p scaffold.Project
	out, err := s.within(ctx, s.config.OutputDir)
	if err != nil {
		return p, err
	}
	defer func() { _ = out.Close() }() // nothing is buffered
	result, err := mode.Inspect(ctx, mode.Deps{
		Checkout: checkout.Checkout{Root: s.root, Change: s.change, Content: (&contents{root: s.root, change: s.change, one: s.content}).read}, Config: s.config, Output: out, Machine: mode.Machine{Env: os.Environ()}, Version: Version,
	})
	if err != nil {
		return p, err
	}
	p.Installs = result.Installs
	for _, t := range result.Targets {
		p.Suites = append(p.Suites, scaffold.Suite{
			Dir: t.Dir, Framework: t.Framework.Framework, Command: framework.CommandLine(t.Framework), Evidence: t.Framework.Evidence, Browser: t.Framework.Browser, Absent: absent(t.Framework.Framework),
		})
	}
	for _, t := range result.Tools {
		p.Tools = append(p.Tools, scaffold.Tool{Name: t.Name, Spec: t.Spec, Source: t.Source})
	}
	for _, m := range result.Missing {
		p.Missing = append(p.Missing, m.Name+": "+m.Reason)
	}
	for _, g := range in.Given() {
		p.Settings = append(p.Settings, scaffold.Setting{Name: g.Name, Value: g.Text})
	}
	return p, nil
}

// absent reports whether the action's image lacks the toolchain of a framework.
func absent(name string) bool {
	how, err := framework.For(name)
	return err == nil && language.Named(how.Language).Tools.Absent
}
