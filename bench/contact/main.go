// Command contact runs the product on clones of public repositories of which nothing
// is installed, and compares what it says with what their own test commands said:
// the facts of testdata/contact/repositories.csv. Run it by make contact DIR=….
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/org/qa-action/bench/repo"
	"github.com/org/qa-action/internal/process"
)

func main() {
	var b bench
	only := ""
	flag.StringVar(&b.program, "qa", "bin/qa", "the built program")
	flag.StringVar(&b.clones, "dir", "", "the folder with the clones")
	flag.StringVar(&b.facts, "facts", filepath.Join("testdata", "contact", "repositories.csv"), "what is known of the repositories")
	flag.StringVar(&b.page, "write", "", "the page to write; rows of repositories that are not run stay")
	flag.StringVar(&only, "run", "", "only repositories that match this")
	flag.DurationVar(&b.limit, "limit", 20*time.Minute, "how long one run may take")
	flag.Parse()
	repo.Main("contact", func(ctx context.Context) error { return b.run(ctx, only) })
}

// bench is one call.
type bench struct {
	program, clones, facts, page string
	limit                        time.Duration
}

func (b *bench) run(ctx context.Context, only string) error {
	match, err := regexp.Compile(only)
	if err != nil {
		return fmt.Errorf("-run: %w", err)
	}
	if err := repo.Absolute(&b.program); err != nil {
		return err
	}
	if info, err := os.Stat(b.clones); err != nil || !info.IsDir() {
		return fmt.Errorf("-dir %q is no folder: %w", b.clones, err)
	}
	facts, err := readFacts(b.facts)
	if err != nil {
		return err
	}
	rows, err := readRows(b.page)
	if err != nil {
		return err
	}
	for _, f := range facts {
		if !match.MatchString(f.repository) {
			continue
		}
		clone, err := repo.Clone(b.clones, f.repository)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			continue
		}
		row, err := b.try(ctx, f, clone)
		if err != nil {
			return fmt.Errorf("%s: %w", f.repository, err)
		}
		rows[f.repository] = row.line()
		fmt.Println(row.line())
		if b.page != "" { // after each, because a whole sheet takes long
			if err := os.WriteFile(b.page, []byte(sheet(facts, rows)), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// try runs the product on a fresh copy of the commit.
func (b *bench) try(ctx context.Context, f fact, clone string) (row, error) {
	work, err := os.MkdirTemp("", "qa-contact-")
	if err != nil {
		return row{}, err
	}
	defer func() { _ = os.RemoveAll(work) }() // a folder of temporary files
	dir := filepath.Join(work, filepath.Base(f.repository))
	for _, argv := range [][]string{
		{"git", "clone", "-q", "--no-hardlinks", "--no-checkout", clone, dir},
		{"git", "-C", dir, "checkout", "-q", "--detach", f.commit},
	} {
		if _, err := repo.Run(ctx, process.Command{Argv: argv, Dir: work, Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + work}, Timeout: b.limit}); err != nil {
			return row{}, err
		}
	}
	return b.ask(ctx, f, dir)
}
