// Command impact puts faults into clones and holds runs with tests: impacted against runs
// of everything: what the whole suite catches, the part must catch, too. A clone is a
// folder whose dependencies are installed. Run it by make impact CLONES="DIR…".
// It commits on branches of the clones, which are not to be used for anything else.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"time"

	"github.com/org/qa-action/bench/repo"
)

func main() {
	var b bench
	flag.StringVar(&b.program, "qa", "bin/qa", "the built program")
	flag.IntVar(&b.faults, "faults", 10, "how many faults that a test catches are put into each clone, one after the other")
	flag.Uint64Var(&b.seed, "seed", 1, "of the choice of faults")
	flag.DurationVar(&b.limit, "limit", 5*time.Minute, "how long one run may take")
	rulesAlone := flag.Bool("rules", false, "work the selection out, for pytest in .venv or for jest, and run the bare suite alone")
	flag.Parse()
	repo.Main("impact", func(ctx context.Context) error {
		if *rulesAlone {
			return b.rules(ctx, flag.Args())
		}
		return b.run(ctx, flag.Args())
	})
}

// bench is one call.
type bench struct {
	program string
	faults  int
	seed    uint64
	limit   time.Duration
}

func (b *bench) run(ctx context.Context, clones []string) error {
	if err := repo.Absolute(&b.program); err != nil {
		return err
	}
	fmt.Println("| repository | faults that the suite catches | caught | everything ran | units left out, of all | tests run, of all | seconds, of those of everything |")
	fmt.Println("|---|---|---|---|---|---|---|")
	var all outcome
	for _, dir := range clones {
		r := repository{dir: dir, bench: b, random: rand.New(rand.NewPCG(b.seed, 0))}
		o, err := r.try(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		fmt.Println(o.row(filepath.Base(filepath.Dir(dir + "/x"))))
		all.add(o)
	}
	fmt.Println(all.row("all"))
	return nil
}

// rules is a call that holds the rules alone against bare suites.
func (b *bench) rules(ctx context.Context, clones []string) error {
	fmt.Println("| repository | faults that the suite catches | every failing test selected | executed tells | test files left out, of all | tests left out, of all | seconds of the suite | with noting |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	var all chosen
	for _, dir := range clones {
		if err := repo.Absolute(&dir); err != nil {
			return err
		}
		r := rules{repository: repository{dir: dir, bench: b, random: rand.New(rand.NewPCG(b.seed, 0))}}
		o, err := r.try(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		fmt.Println(o.row(filepath.Base(dir)))
		all.add(o)
	}
	fmt.Println(all.row("all"))
	return nil
}

// outcome is what became of the faults of a repository.
type outcome struct {
	faults, caught, whole int
	left, units           int
	tests, allTests       int
	seconds, allSeconds   float64
}

func (o *outcome) add(p outcome) {
	o.faults, o.caught, o.whole = o.faults+p.faults, o.caught+p.caught, o.whole+p.whole
	o.left, o.units = o.left+p.left, o.units+p.units
	o.tests, o.allTests = o.tests+p.tests, o.allTests+p.allTests
	o.seconds, o.allSeconds = o.seconds+p.seconds, o.allSeconds+p.allSeconds
}

func share(a, of float64) string {
	if of == 0 {
		return "unknown"
	}
	return fmt.Sprintf("%.0f %%", 100*a/of)
}

func (o outcome) row(name string) string {
	return fmt.Sprintf("| %s | %d | %d | %d | %s | %s | %s |", name, o.faults, o.caught, o.whole,
		share(float64(o.left), float64(o.units)), share(float64(o.tests), float64(o.allTests)), share(o.seconds, o.allSeconds))
}
