// Command sound holds the verdicts of the built program against the bare test
// command. For every sample project, seeded fault and environment of
// testdata/sound it runs the project's own tests on head and on base, without
// the product, and then the product; where the two disagree, the cell is a
// false green or a false red. Start at run.
//
// What a cell is and how it is judged stands at the head of docs/soundness.md,
// which this program writes.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/org/qa-action/bench/repo"
)

// bench is what the command was told, and where it works.
type bench struct {
	projects, program, work, shared string

	parallel int
	limit    time.Duration
	keep     bool
	check    bool // asks the oracle alone
	out      io.Writer
}

func main() {
	repo.Main("sound", func(ctx context.Context) error { return run(ctx, os.Args[1:], os.Stdout) })
}

func run(ctx context.Context, args []string, out io.Writer) error {
	b := bench{out: out}
	flags := flag.NewFlagSet("sound", flag.ContinueOnError)
	set := flags.String("set", "testdata/sound", "folder of the projects, faults and environments")
	only := flags.String("run", "", "regular expression of the cells to run (project/fault/environment)")
	list := flags.Bool("list", false, "print the cells and run nothing")
	repos := flags.String("repos", "", "CSV file of local clones, or a folder with repos.csv: dir,command[,fault…]")
	results := flags.String("results", "", "file that keeps the result of every cell: what is in it is not run again")
	page := flags.String("write", "", "file to write the matrix to")
	flags.StringVar(&b.projects, "projects", "testdata/repo", "folder of the sample projects whose dependencies are used")
	flags.StringVar(&b.program, "qa", "bin/qa", "the program to hold to account")
	flags.StringVar(&b.work, "work", "", "folder to work in; default: a temporary one")
	flags.StringVar(&b.shared, "cache", "", "folder of the compilers' caches, kept for the next call; default: one below -work")
	flags.IntVar(&b.parallel, "j", 2, "cells at once")
	flags.DurationVar(&b.limit, "limit", 4*time.Minute, "longest time of one run of the product")
	flags.BoolVar(&b.check, "check", false, "only look whether the faults are what they say, without the product")
	flags.BoolVar(&b.keep, "keep", false, "leave the folder of every cell behind, for a look")
	if err := flags.Parse(args); err != nil {
		return err
	}
	want, err := regexp.Compile(*only)
	if err != nil {
		return fmt.Errorf("select cells: -run: %w", err)
	}
	cells, err := readCells(*set)
	if err != nil {
		return err
	}
	if *repos != "" {
		if cells, err = readClones(*repos); err != nil {
			return err
		}
	}
	cells = matching(cells, want)
	if len(cells) == 0 {
		return fmt.Errorf("no cell matches %q; -list prints them all", *only)
	}
	if *list {
		for _, c := range cells {
			fmt.Fprintln(out, c.id())
		}
		return nil
	}
	if err := b.settle(); err != nil {
		return err
	}
	if !b.keep {
		defer os.RemoveAll(b.work)
	}
	kept, err := openResults(*results)
	if err != nil {
		return err
	}
	err = b.runAll(ctx, cells, kept)
	rows := kept.of(cells)
	if ctx.Err() != nil {
		err = errors.Join(err, fmt.Errorf("stopped after %d of %d cells: %w", len(rows), len(cells), context.Cause(ctx)))
	}
	return errors.Join(err, b.conclude(rows, len(cells), *page))
}

// settle makes the folder to work in; the tests run under another user, who
// must be able to enter it.
func (b *bench) settle() error {
	if err := repo.Absolute(&b.projects, &b.program, &b.shared); err != nil {
		return err
	}
	if _, err := os.Stat(b.program); err != nil {
		return fmt.Errorf("find the program: %w; run make build", err)
	}
	dir, err := os.MkdirTemp(b.work, "qa-sound-")
	if err != nil {
		return err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return err
	}
	if b.work = dir; b.shared == "" {
		b.shared = filepath.Join(dir, "shared")
	}
	return errors.Join(os.Chmod(dir, 0o755), os.MkdirAll(b.shared, 0o755))
}
