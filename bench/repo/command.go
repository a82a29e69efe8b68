package repo

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sync/errgroup"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter"
)

// Main is the main function of a benchmark: a signal ends it, and an error ends it
// with 1.
func Main(name string, run func(context.Context) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx)
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, name+":", err)
		os.Exit(1)
	}
}

// Each does something for the numbers below n, so many at once.
func Each(n, parallel int, do func(i int)) {
	var g errgroup.Group
	g.SetLimit(parallel)
	for i := range n {
		g.Go(func() error { do(i); return nil })
	}
	_ = g.Wait() // none gives an error
}

// Absolute makes paths absolute. An empty one stays empty.
func Absolute(paths ...*string) error {
	for _, p := range paths {
		if *p == "" {
			continue
		}
		abs, err := filepath.Abs(*p)
		if err != nil {
			return err
		}
		*p = abs
	}
	return nil
}

// Run runs a program that has to succeed.
func Run(ctx context.Context, c process.Command) (process.Result, error) {
	res, err := process.Run(ctx, c)
	if err == nil && res.ExitCode != 0 {
		err = fmt.Errorf("%s: exit code %d: %s", filepath.Base(c.Argv[0]), res.ExitCode, res.Stderr)
	}
	return res, err
}

// Answer is what the product said.
type Answer struct {
	process.Result
	Report  *qa.Report // nil when it wrote none
	Session string     // the folder of the report
	Last    string     // its last words
}

// Ask runs the product.
func Ask(ctx context.Context, c process.Command) (Answer, error) {
	res, err := process.Run(ctx, c)
	if err != nil {
		return Answer{}, fmt.Errorf("run the product: %w", err)
	}
	a := Answer{Result: res, Last: LastLine(res.Stderr, res.Stdout)}
	if res.TimedOut {
		a.Last = "no end after " + c.Timeout.String()
		return a, nil
	}
	a.Report, a.Session, err = Report(c.Dir)
	return a, err
}

// LastLine is the last line of the first stream that has any.
func LastLine(streams ...[]byte) string {
	for _, s := range streams {
		if lines := strings.Split(string(bytes.TrimSpace(s)), "\n"); lines[0] != "" {
			return lines[len(lines)-1]
		}
	}
	return "nothing was said"
}

// Report is what the only run of the product left in dir, and the folder it is in;
// nil where there is none.
func Report(dir string) (*qa.Report, string, error) {
	found, err := filepath.Glob(filepath.Join(dir, "qa-report", "*", "report.json"))
	if err != nil || len(found) == 0 {
		return nil, "", err
	}
	if len(found) > 1 {
		return nil, "", fmt.Errorf("%d reports in qa-report, expected one", len(found))
	}
	raw, err := os.ReadFile(found[0])
	if err != nil {
		return nil, "", err
	}
	r, err := reporter.Parse(raw)
	return r, filepath.Dir(found[0]), err
}
