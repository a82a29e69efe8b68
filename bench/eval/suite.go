package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testreport"
	"github.com/org/qa-action/internal/testreport/collect"
)

// commands run a whole suite and write the report that the last word names;
// go test prints it instead. Their programs are in the dependencies of the sample
// project of the same name, which make fixtures sets up.
var commands = map[string][]string{
	"vitest": {"node_modules/.bin/vitest", "run", "--reporter=json", "--outputFile=../report"},
	"jest":   {"node_modules/.bin/jest", "--json", "--outputFile=../report"},
	"mocha":  {"node_modules/.bin/mocha", "--reporter", "json", "--reporter-option", "output=../report"},
	"pytest": {".venv/bin/python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junitxml=../report"},
	"gotest": {"go", "test", "-json", "./..."},
}

// languages are what the changes of a framework are written in.
var languages = map[string]string{
	"vitest": "JavaScript and TypeScript", "jest": "JavaScript and TypeScript", "mocha": "JavaScript and TypeScript",
	"pytest": "Python", "gotest": "Go",
}

func frameworks() []string { return slices.Sorted(maps.Keys(commands)) }

// command runs the named tests, or all; of which kind the names are depends on the
// framework.
func (s *stage) command(tests []string) []string {
	argv := slices.Clone(commands[s.Framework])
	if s.races && s.Framework == "gotest" {
		argv = slices.Insert(argv, 2, "-race")
	}
	if s.upstream == nil {
		return argv
	}
	if s.Framework == "gotest" && len(tests) > 0 {
		argv = argv[:len(argv)-1] // ./...
	}
	argv = append(argv, s.upstream.library.Arguments...)
	if len(tests) == 0 {
		return append(argv, s.upstream.library.Suite...)
	}
	if s.Framework == "jest" {
		argv = append(argv, "--runTestsByPath")
	}
	return append(argv, tests...)
}

// testEnv is the environment of the bare test command.
func (s *stage) testEnv() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "GOCACHE=" + os.Getenv("GOCACHE"), "GOFLAGS=-mod=mod", "GOTOOLCHAIN=local", "TZ=UTC", "PYTHONDONTWRITEBYTECODE=1"}
}

// suite runs the named tests of the working copy, or all, without the product.
func (s *stage) suite(ctx context.Context, tests ...string) (qa.Suite, error) {
	report := filepath.Join(s.Top, "report")
	if err := os.RemoveAll(report); err != nil {
		return qa.Suite{}, err
	}
	res, err := process.Run(ctx, process.Command{
		Argv: s.command(tests), Dir: s.Repo, Timeout: 3 * time.Minute, Env: s.testEnv(),
	})
	if err != nil {
		return qa.Suite{}, fmt.Errorf("run tests: %w", err)
	}
	// mocha before 9.2 prints its report, too, whatever it is told.
	if s.Framework == "gotest" || s.Framework == "mocha" && !fileExists(report) {
		if err := os.WriteFile(report, res.Stdout, 0o600); err != nil {
			return qa.Suite{}, err
		}
	}
	suite, err := testreport.Read([]string{report}, testreport.Options{Root: s.Repo})
	if err != nil && !errors.Is(err, collect.ErrNoTests) {
		return suite, fmt.Errorf("%w\n%s", err, res.Stderr)
	}
	return suite, nil
}

// failing lists the tests that fail; a suite that does not start is one.
func failing(s qa.Suite) []string {
	var out []string
	for _, c := range s.Cases {
		if c.Status.Bad() {
			out = append(out, c.Name)
		}
	}
	return append(out, each.Of(s.Problems, func(p qa.Problem) string { return p.Kind + " " + p.Where })...)
}
