package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/org/qa-action/bench/repo"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
)

// plain runs the product on every case without a model, and prints what it saw of
// the tests. In every case they pass on base and on head, so a run that found no
// test, or one that fails, is an error of the product or of the case.
func (e *evaluation) plain(ctx context.Context, cases []change) error {
	lines, errs := make([]string, len(cases)), make([]error, len(cases))
	repo.Each(len(cases), e.parallel, func(i int) {
		line, err := e.look(ctx, cases[i])
		lines[i] = fmt.Sprintf("%s\t%s\t%s", cases[i].ID, cases[i].Library, line)
		if err != nil {
			errs[i] = fmt.Errorf("case %s: %w", cases[i].ID, err)
		}
		fmt.Fprintln(os.Stderr, lines[i])
	})
	t := tabwriter.NewWriter(e.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "CASE\tLIBRARY\tVERDICT\tPASSED\tFAILED\tBASE\tSECONDS\tREASON")
	fmt.Fprintln(t, strings.Join(lines, "\n"))
	return errors.Join(append(errs, t.Flush())...)
}

func (e *evaluation) look(ctx context.Context, c change) (string, error) {
	s, err := e.lay(ctx, c, filepath.Join(e.work, "plain", c.ID))
	if err != nil {
		return "not laid", err
	}
	argv := []string{
		e.program, "run", "--quiet", "--mode", "testing", "--install", "never", "--runtime", "host", "--history", "none", "--timeout", "15m",
	}
	a, err := repo.Ask(ctx, process.Command{Argv: argv, Dir: s.Repo, Env: s.env(), Timeout: 20 * time.Minute})
	if err != nil {
		return "not run", err
	}
	if err := os.WriteFile(filepath.Join(s.Top, "log"), append(a.Stdout, a.Stderr...), 0o600); err != nil {
		return "not run", err
	}
	if a.Report == nil {
		return "no report", fmt.Errorf("exit code %d: %s", a.ExitCode, a.Last)
	}
	tests, base := a.Report.Tests, "not run"
	if tests.Base != nil {
		base = strconv.Itoa(tests.Base.Passed)
	}
	line := fmt.Sprintf("%s\t%d\t%d\t%s\t%.0f\t%s", a.Report.Result, tests.Head.Passed, tests.Head.Failed, base, a.Seconds, a.Report.Reason)
	switch {
	case tests.Head.Passed == 0:
		err = errors.New("no test was found or passed on head")
	case tests.Head.Failed > 0 || a.Report.Result == qa.Fail:
		err = fmt.Errorf("%s although base and head pass their tests: %s", a.Report.Result, a.Report.Reason)
	}
	return line, err
}
