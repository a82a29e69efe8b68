// Package inspect finds out what a run would work with, without running any
// test. Start at [Look].
package inspect

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/copies"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/runtime/toolchain"
	"github.com/org/qa-action/internal/targets"
)

// Setup is what a run would work with, found out without running any test.
type Setup struct {
	// Driver is where the repository's code would run, Why the reason for it.
	Driver, Why string
	// Levels are the isolation layers, in force or off with the reason.
	Levels  []string
	Targets []executor.Target
	// Missing are targets that could not be found, Also frameworks that were
	// found and would not be run, with the reason.
	Missing []qa.TargetRow
	Also    map[string]string
	Tools   []Toolchain
	// Installs are the commands that a run would install with before its tests.
	Installs []string
}

// Toolchain is a language's toolchain as the targets would get it.
type Toolchain struct {
	Name   string // node, go, python
	Spec   string // the version that is asked for; empty is no wish
	Source string // the file and key that ask for it
	Has    string // the version that is there; empty is none
	Fault  string // why it does not do; empty when it does
}

// versionTime bounds a toolchain's answer.
const versionTime = 30 * time.Second

// Look opens the place where a run would happen and looks around: nothing is
// installed but what the driver itself provides, and no test is run.
func Look(ctx context.Context, o runtime.Options, base string, c *config.Config) (setup Setup, err error) {
	installs := o.Install != "never"
	packages := o.Packages
	o.Install, o.Setup, o.Packages = "never", nil, nil
	o.GoTests = func(context.Context, *runtime.Workspace) []runtime.GoTest { return nil }
	own := copies.New(o, base)
	ws, err := own.Open(ctx)
	if err != nil {
		return Setup{}, err
	}
	defer func() { err = errors.Join(err, own.Close()) }()
	setup.Driver, setup.Why = ws.Driver()
	setup.Levels = ws.Levels()
	if installs {
		setup.Installs = ws.WouldInstall(ctx, packages)
	}
	found, err := targets.In(ctx, ws, c)
	if err != nil {
		return setup, err
	}
	setup.Targets, setup.Missing, setup.Also = found.Targets, found.Rows, found.Also
	for _, t := range found.Targets {
		setup.Tools = each.Added(setup.Tools, toolchains(ctx, ws, t)...)
	}
	return setup, nil
}

// toolchains compares what a target's directory asks for with what is there.
func toolchains(ctx context.Context, ws *runtime.Workspace, t executor.Target) []Toolchain {
	wants := toolchain.Resolve(rooted.FS(ws.Dir()), t.Dir)
	python := "python3"
	if p := t.Framework.Program; len(p) > 0 && strings.HasPrefix(path.Base(p[0]), "python") {
		python = p[0]
	}
	var out []Toolchain
	for _, tool := range []struct {
		name string
		want *toolchain.Want
		argv []string
		fits func(has string) error
	}{
		{"node", wants.Node, []string{"node", "--version"}, func(has string) error {
			if toolchain.Newest(wants.Node.Spec) || wants.Node.Spec == "" {
				return nil
			}
			_, err := toolchain.PickNode(wants.Node.Spec, []string{has})
			return err
		}},
		// Go itself refuses a module that asks for a later version.
		{"go", wants.Go, []string{"go", "env", "GOVERSION"}, func(string) error { return nil }},
		{"python", wants.Python, []string{python, "--version"}, func(has string) error {
			if wants.Python.Spec == "" {
				return nil
			}
			_, err := toolchain.PickPython(wants.Python.Spec, []string{has})
			return err
		}},
	} {
		if tool.want == nil {
			continue
		}
		row := Toolchain{Name: tool.name, Spec: tool.want.Spec, Source: tool.want.Source}
		has, err := version(ctx, ws, t.Dir, tool.argv)
		if row.Has = has; err == nil {
			err = tool.fits(has)
		}
		if err != nil {
			row.Fault = err.Error()
		}
		out = append(out, row)
	}
	return out
}

// version asks a program for its version: "Python 3.12.1", "v22.1.0" and
// "go1.26.0" become plain numbers.
func version(ctx context.Context, ws *runtime.Workspace, dir string, argv []string) (string, error) {
	res, err := ws.Run(ctx, runtime.Command{Argv: argv, Dir: dir, Timeout: versionTime})
	if err != nil {
		return "", err
	}
	if res.ExitCode != 0 {
		return "", fmt.Errorf("%s: %s", strings.Join(argv, " "), strings.TrimSpace(string(res.Stderr)))
	}
	fields := strings.Fields(string(res.Stdout))
	if len(fields) == 0 {
		return "", fmt.Errorf("%s printed nothing", strings.Join(argv, " "))
	}
	return strings.TrimPrefix(strings.TrimPrefix(fields[len(fields)-1], "go"), "v"), nil
}
