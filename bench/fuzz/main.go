// Command fuzz runs every fuzz target of the module for a while, as many side by
// side as there are processors, and prints what each did: executions, new inputs,
// processor time. It ends with 1 when a target failed; the input that did it lies
// in that package's testdata/fuzz then, and stays there as a test.
//
//	go run ./bench/fuzz -time 30s
//	go run ./bench/fuzz -time 10m -run 'coverage|testreport'
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/org/qa-action/bench/repo"
	"github.com/org/qa-action/internal/process"
)

func main() {
	repo.Main("fuzz", func(ctx context.Context) error { return run(ctx, os.Args[1:], os.Stdout) })
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("fuzz", flag.ContinueOnError)
	each := flags.Duration("time", 10*time.Second, "how long each target runs")
	only := flags.String("run", "", "only targets whose \"package.Name\" the expression matches")
	tags := flags.String("tags", "", "build tags, those of the program that is shipped")
	beside := flags.Int("parallel", runtime.GOMAXPROCS(0), "how many run side by side")
	if err := flags.Parse(args); err != nil {
		return err
	}
	match, err := regexp.Compile(*only)
	if err != nil {
		return fmt.Errorf("-run: %w", err)
	}
	targets, err := list(ctx, *tags)
	if err != nil {
		return err
	}
	targets = slices.DeleteFunc(targets, func(t target) bool { return !match.MatchString(t.String()) })
	if len(targets) == 0 {
		return fmt.Errorf("no fuzz target matches %q", *only)
	}
	repo.Each(len(targets), max(*beside, 1), func(i int) { targets[i].fuzz(ctx, *each, *tags) })
	return report(out, targets)
}

// target is one fuzz function and what became of it.
type target struct {
	pkg, name   string
	executions  int64
	interesting int64
	processor   time.Duration
	failure     string // the end of the output of one that failed
}

func (t target) String() string { return t.pkg[strings.LastIndexByte(t.pkg, '/')+1:] + "." + t.name }

// list finds the targets of the module by their names.
func list(ctx context.Context, tags string) ([]target, error) {
	res, err := repo.Run(ctx, process.Command{Argv: []string{"go", "test", "-tags", tags, "-list", "^Fuzz", "./..."}, Dir: ".", Env: os.Environ(), Timeout: 20 * time.Minute, MaxOutput: 16 << 20})
	if err != nil {
		return nil, err
	}
	return listed(string(res.Stdout)), nil
}

// listed reads the names of a package before the line that names it.
func listed(text string) []target {
	var out []target
	var names []string
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 1 && strings.HasPrefix(fields[0], "Fuzz"):
			names = append(names, fields[0])
		case len(fields) > 1 && fields[0] == "ok":
			for _, name := range names {
				out = append(out, target{pkg: fields[1], name: name})
			}
			names = nil
		}
	}
	return out
}

// minimize is how long go test may look for a smaller form of an input. Its own
// minute for each input that reaches something new is more than many targets have.
const minimize = "1s"

// fuzz runs one target with one worker.
func (t *target) fuzz(ctx context.Context, each time.Duration, tags string) {
	res, err := process.Run(ctx, process.Command{
		Argv: []string{"go", "test", "-tags", tags, "-run", "^$", "-fuzz", "^" + t.name + "$", "-fuzztime", each.String(), "-parallel", "1", "-fuzzminimizetime", minimize, t.pkg},
		Dir:  ".", Env: os.Environ(), Timeout: each + 20*time.Minute, MaxOutput: 16 << 20,
	})
	t.executions, t.interesting = progress(string(res.Stdout))
	t.processor = res.Processor
	if err != nil {
		t.failure = err.Error()
	} else if res.ExitCode != 0 {
		t.failure = string(res.Stdout) + string(res.Stderr)
	}
}

var progressLine = regexp.MustCompile(`execs: (\d+) .*new interesting: (\d+)`)

// progress reads the last line in which go test counts.
func progress(text string) (executions, interesting int64) {
	for _, m := range progressLine.FindAllStringSubmatch(text, -1) {
		_, _ = fmt.Sscan(m[1], &executions)
		_, _ = fmt.Sscan(m[2], &interesting)
	}
	return executions, interesting
}

// report prints a line for each target and the sums.
func report(out io.Writer, targets []target) error {
	var executions int64
	var processor time.Duration
	failed := 0
	for _, t := range targets {
		end := "ok"
		if t.failure != "" {
			end = "FAILED"
			failed++
		}
		executions, processor = executions+t.executions, processor+t.processor
		_, _ = fmt.Fprintf(out, "%-34s %12d executions %6d new inputs %8.1f s of processor  %s\n", t, t.executions, t.interesting, t.processor.Seconds(), end)
	}
	_, _ = fmt.Fprintf(out, "%d targets: %d executions, %.2f processor hours, %d failed\n", len(targets), executions, processor.Hours(), failed)
	for _, t := range targets {
		if t.failure != "" {
			_, _ = fmt.Fprintf(out, "\n%s:\n%s\n", t, t.failure)
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d targets failed", failed, len(targets))
	}
	return nil
}
