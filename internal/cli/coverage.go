package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/coverage"
	"github.com/org/qa-action/internal/coverage/measured"
	"github.com/org/qa-action/internal/listing"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/wording"
)

// coverageCommand is `qa coverage`: what coverage reports of one run say, for
// the whole and, with a diff, for the lines that a change wrote. It exits 1
// when that is under --fail-under, 3 when it cannot be told.
type coverageCommand struct {
	Files     []string `arg:"" name:"file" help:"Coverage reports of one run; patterns such as coverage/**/lcov.info are expanded."`
	Format    string   `help:"Format of the reports: ${coverage_formats}. Default: by content." placeholder:"NAME"`
	JSON      bool     `name:"json" help:"Print JSON."`
	DiffBase  string   `help:"Also measure the lines changed since this commit, branch or tag." placeholder:"REF" xor:"diff"`
	Diff      string   `help:"Also measure the lines that a unified diff adds; - is standard input." placeholder:"FILE" xor:"diff"`
	Root      string   `help:"Repository root that paths are made relative to. Default: the working copy's." placeholder:"DIR"`
	Exclude   []string `help:"Leave out files that match, such as gen/**." placeholder:"GLOB" sep:"none"`
	FailUnder string   `help:"Exit 1 when covered lines are under this percentage: of changed lines with a diff, else of all." placeholder:"PERCENT"`
}

// Run reads the reports and prints what they say.
func (c *coverageCommand) Run(ctx context.Context, env *Env) error {
	threshold, err := c.check()
	if err != nil {
		return usageError{err}
	}
	root, dir, err := c.place(ctx, env.Dir)
	if err != nil {
		return usageError{err}
	}
	paths, err := expand(env.Dir, c.Files)
	if err != nil {
		return usageError{err}
	}
	table, options := &listing.Table{}, coverage.Options{Format: c.Format, Root: root, Dir: dir}
	if c.DiffBase+c.Diff == "" && len(c.Exclude) == 0 {
		options.Each = table.Add
	}
	cov, err := coverage.Read(paths, options)
	switch {
	case errors.Is(err, measured.ErrLimit):
		return err // it says what to do
	case errors.Is(err, coverage.ErrNothingMapped):
		return withHint(err, "run in the repository that was measured, or name it with --root")
	case err != nil:
		return withHint(err, "coverage is unknown: check that the tests ran with coverage on and wrote the report")
	}
	var patch *qa.PatchCoverage
	if c.DiffBase != "" || c.Diff != "" {
		files, err := c.changed(ctx, env, root)
		if err != nil {
			return usageError{err}
		}
		p := coverage.Patch(cov, files, coverage.PatchOptions{Exclude: c.Exclude, Source: func(path string) []byte {
			text, _ := rooted.ReadIn(root, path, maxShown) // nil where it cannot be read
			return text
		}})
		patch = &p
	}
	cov = coverage.Without(cov, c.Exclude)
	print := listing.Coverage
	if c.JSON {
		print = listing.CoverageJSON
	}
	if err := print(env.Stdout, cov, table, patch); err != nil {
		return fmt.Errorf("print the coverage: %w", err)
	}
	if threshold == nil {
		return nil
	}
	return judgeCoverage(cov, patch, *threshold)
}

// check validates what needs no file; the threshold is nil when none is set.
func (c *coverageCommand) check() (threshold *float64, err error) {
	if _, err := coverage.For(c.Format); c.Format != "" && err != nil {
		return nil, err
	}
	if err := coverage.CheckGlobs(c.Exclude); err != nil {
		return nil, fmt.Errorf("--exclude: %w", err)
	}
	if c.FailUnder == "" {
		return nil, nil
	}
	_, decimals, _ := strings.Cut(c.FailUnder, ".")
	percent, err := strconv.ParseFloat(c.FailUnder, 64)
	if err != nil || !(percent >= 0 && percent <= 100) || len(decimals) > 2 {
		return nil, fmt.Errorf("--fail-under %q: expected a percentage from 0 to 100 with at most two decimals", c.FailUnder)
	}
	return &percent, nil
}

// place finds the repository root and where in it the command runs.
func (c *coverageCommand) place(ctx context.Context, dir string) (root, rel string, err error) {
	usual := dir // no working copy is needed to read a report
	if c.Root == "" {
		if top, err := change.Root(ctx, dir); err == nil {
			usual = top
		}
	}
	if root, err = rootFlag(dir, c.Root, usual); err != nil {
		return "", "", err
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		real = dir
	}
	for _, d := range []string{dir, real} {
		if rel, err := filepath.Rel(root, d); err == nil && filepath.IsLocal(rel) {
			return root, filepath.ToSlash(rel), nil
		}
	}
	return root, "", nil
}

// changed finds the lines of the change.
func (c *coverageCommand) changed(ctx context.Context, env *Env, root string) ([]qa.FileChange, error) {
	if c.DiffBase != "" {
		found, err := change.FromGit(ctx, change.Options{Dir: root, Base: c.DiffBase})
		return found.Files, err
	}
	in := env.Stdin
	if c.Diff != "-" {
		path := c.Diff
		if !filepath.IsAbs(path) {
			path = filepath.Join(env.Dir, path)
		}
		f, err := os.Open(path)
		if err != nil {
			return nil, fmt.Errorf("read diff: %w", err)
		}
		defer f.Close()
		in = f
	}
	return change.FromDiff(in)
}

// judgeCoverage holds the lines against the threshold. Nothing executable in a
// change passes; changed files that no report knows do not count as nothing.
func judgeCoverage(cov *qa.Coverage, patch *qa.PatchCoverage, percent float64) error {
	lines := cov.Lines
	if patch != nil {
		lines = &patch.Lines
		switch {
		case lines.Total == 0 && len(patch.Unmapped) > 0:
			return withHint(fmt.Errorf("coverage of the changed lines is unknown: no report knows %s", wording.Logged(strings.Join(patch.Unmapped, ", "))),
				"measure these files, or leave them out with --exclude")
		case lines.Total == 0:
			return nil
		}
	}
	if lines == nil || lines.Total == 0 {
		return errors.New("coverage is unknown: the reports list no executable line")
	}
	if !lines.Reaches(percent) {
		return verdict(qa.Fail)
	}
	return nil
}
