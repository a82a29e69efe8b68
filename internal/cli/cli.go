// Package cli is the front door: one file per command, each a struct whose
// fields are its flags and whose Run method does the work. [Main] is the only
// way in, and exit.go the only place where errors become exit codes.
package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/coverage"
	"github.com/org/qa-action/internal/gh"
	"github.com/org/qa-action/internal/memory"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/scan"
	"github.com/org/qa-action/internal/testreport"
	"github.com/org/qa-action/internal/timing"
)

// Version is set by the release build.
var Version = "dev"

// Env is what a command may see of the world.
type Env struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	// Dir is the directory to work from; empty is the current one.
	Dir string
}

// commands is the command line. A new command is one line here and one file.
type commands struct {
	Scan     scanCommand     `cmd:"" help:"Scan a change, or everything, and print the findings."`
	Run      runCommand      `cmd:"" default:"withargs" help:"Run the whole loop on a working copy; in Actions also publish."`
	Plan     planCommand     `cmd:"" help:"Print the task table with its waves; run nothing."`
	Status   statusCommand   `cmd:"" aliases:"check" help:"Show how far a session is; change nothing."`
	Resume   resumeCommand   `cmd:"" aliases:"continue" help:"Go on with an interrupted session."`
	Report   reportCommand   `cmd:"" help:"Render and publish a finished session."`
	Explain  explainCommand  `cmd:"" help:"Say everything that a finished session knows of one finding."`
	Merge    mergeCommand    `cmd:"" help:"Join the sessions of shards of one commit into one."`
	Coverage coverageCommand `cmd:"" help:"Say what coverage reports of any format say, and what they say of a change."`
	Tests    testsCommand    `cmd:"" help:"Say what test reports of any format say."`
	Demo     demoCommand     `cmd:"" help:"Show what a run makes: run on a small project with a change that breaks a test."`
	Init     initCommand     `cmd:"" help:"Write the workflow, and a config file where one is needed; overwrite nothing."`
	Doctor   doctorCommand   `cmd:"" help:"Check git, toolchains, frameworks, isolation, token and model; print the fix for each problem."`
	Version  versionCommand  `cmd:"" help:"Print the version."`
}

// Main runs one command line and returns the exit code; see exit.go.
func Main(ctx context.Context, env Env, args []string) int {
	// The sandbox around the repository's code is set up by this program in a
	// process of its own, because some of them cannot be taken down again.
	if handled, code := runtime.MaybeSandbox(append([]string{"qa"}, args...)); handled {
		return code
	}
	stop, err := process.Reap() // as process 1 of a container, orphans are ours
	if err != nil {
		return report(env.Stderr, err)
	}
	defer stop()
	ctx, unguard := memory.Guard(ctx, func(err error) { os.Exit(report(env.Stderr, err)) })
	defer unguard()
	ctx = timing.New().In(ctx)
	if env.Dir == "" {
		dir, err := os.Getwd()
		if err != nil {
			return report(env.Stderr, fmt.Errorf("find the current directory: %w", err))
		}
		env.Dir = dir
	}
	var cmds commands
	done := -1
	parser, err := kong.New(&cmds,
		kong.Name("qa"),
		kong.Description("Scans a change, runs and writes its tests, measures coverage and gates on evidence."),
		kong.UsageOnError(),
		kong.Vars{"coverage_formats": strings.Join(coverage.Names(), ", "), "test_formats": strings.Join(testreport.Names(), ", "), "scan_engines": strings.Join(scan.Names(), ", ")},
		kong.Writers(env.Stdout, env.Stderr),
		kong.Exit(func(code int) { done = code }),
		kong.TypeMapper(reflect.TypeFor[config.Bool](), boolMapper{}),
		kong.ValueFormatter(explain),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(&env),
	)
	if err != nil {
		return report(env.Stderr, fmt.Errorf("build the command line: %w", err))
	}
	parsed, err := parser.Parse(args)
	if done >= 0 { // --help was printed
		return done
	}
	if err != nil {
		err = usageError{err}
	} else {
		err = parsed.Run()
	}
	annotate(gh.NewJob(env.Getenv, env.Stdout), err)
	return report(env.Stderr, err)
}

// explain adds default and valid values to an input's help, which kong cannot
// know because config decides them.
func explain(v *kong.Value) string {
	help := v.Help
	if oneof := v.Tag.Get("oneof"); oneof != "" {
		help += " One of " + strings.ReplaceAll(oneof, ",", ", ") + "."
	}
	if fallback := v.Tag.Get("fallback"); fallback != "" {
		help += " Default: " + config.Shown(fallback) + "."
	}
	return help
}

// boolMapper lets a bare flag mean "true" while keeping "unset" apart.
type boolMapper struct{}

func (boolMapper) IsBool() bool { return true }

func (boolMapper) Decode(ctx *kong.DecodeContext, target reflect.Value) error {
	text := "true"
	if ctx.Scan.Peek().Type == kong.FlagValueToken {
		text = fmt.Sprint(ctx.Scan.Pop().Value)
	}
	target.SetString(text)
	return nil
}

type versionCommand struct{}

func (versionCommand) Run(env *Env) error {
	_, err := fmt.Fprintln(env.Stdout, "qa", Version)
	return err
}
