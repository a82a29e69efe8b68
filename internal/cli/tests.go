package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/org/qa-action/internal/listing"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testreport"
	"github.com/org/qa-action/internal/testreport/collect"
	"github.com/org/qa-action/internal/wording"
)

// testsCommand is `qa tests`: what test reports say, in one line of counts and
// the failed tests, or as JSON. It exits 1 when a test failed, 3 when that
// cannot be told.
type testsCommand struct {
	Files  []string `arg:"" name:"file" help:"Test reports of one run; patterns such as reports/**/*.xml are expanded."`
	Format string   `help:"Format of the reports: ${test_formats}. Default: by content." placeholder:"NAME"`
	JSON   bool     `name:"json" help:"Print JSON with every case."`
	Root   string   `help:"Repository root that paths are made relative to. Default: the working directory." placeholder:"DIR"`
}

// Run reads the reports and prints what they say.
func (c *testsCommand) Run(env *Env) error {
	if c.Format != "" {
		if _, err := testreport.For(c.Format); err != nil {
			return usageError{err}
		}
	}
	root, err := rootFlag(env.Dir, c.Root, env.Dir)
	if err != nil {
		return usageError{err}
	}
	paths, err := expand(env.Dir, c.Files)
	if err != nil {
		return usageError{err}
	}
	suite, readErr := testreport.Read(paths, testreport.Options{Format: c.Format, Root: root})
	tally := suite.Tally()
	bad := tally.Failed+tally.Errors+len(suite.Problems) > 0
	switch { // an error is printed alone
	case errors.Is(readErr, collect.ErrLimit):
		return fmt.Errorf("read test reports: %w", readErr)
	case readErr != nil && !bad:
		return withHint(fmt.Errorf("read test reports: %w", readErr),
			"the outcome of the tests is unknown: check that the test command ran and wrote its report")
	}
	print := listing.Tests
	if c.JSON {
		print = listing.TestsJSON
	}
	if err := print(env.Stdout, suite); err != nil {
		return fmt.Errorf("print the tests: %w", err)
	}
	switch {
	case bad:
		if readErr != nil {
			fmt.Fprintln(env.Stderr, "qa:", wording.Logged(readErr.Error()))
		}
		return verdict(qa.Fail)
	case tally.Executed() == 0:
		return withHint(fmt.Errorf("no test was executed: all %d are skipped", tally.Tests), "check the test selection")
	}
	return nil
}

// rootFlag is the directory that --root names, seen from dir, else the usual one.
func rootFlag(dir, given, usual string) (string, error) {
	root := cmp.Or(given, usual)
	if !filepath.IsAbs(root) {
		root = filepath.Join(dir, root)
	}
	if info, err := os.Stat(root); err != nil || !info.IsDir() {
		return "", fmt.Errorf("--root %s: not a directory", given)
	}
	return root, nil
}

// expand resolves names against dir and patterns that no shell has expanded. A
// pattern without a match stays, so that reading it says that it is missing.
func expand(dir string, names []string) ([]string, error) {
	var out []string
	for _, name := range names {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) && strings.ContainsAny(name, "*?[{") {
			found, err := doublestar.FilepathGlob(path, doublestar.WithFilesOnly())
			if err != nil {
				return nil, fmt.Errorf("file pattern %q: %w", name, err)
			}
			if len(found) > 0 {
				out = append(out, found...)
				continue
			}
		}
		out = append(out, path)
	}
	return out, nil
}
