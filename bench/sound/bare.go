package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/org/qa-action/internal/process"
)

// bareLimit is how long the bare command may take; all samples need seconds.
const bareLimit = 60 * time.Second

// outcome is what the bare test command said of one commit.
type outcome struct {
	exit    int
	ended   bool // by the clock
	failing []string
	passed  int // -1 where the output does not tell
	flaky   bool
}

// voice is how a runner's plain output names what fails and counts what passes.
// It is read here and not by the product's own readers, which are on trial.
type voice struct{ failing, passed *regexp.Regexp }

var voices = map[string]voice{
	"go":     {regexp.MustCompile(`(?m)^(?:\s*--- FAIL: (\S+)|FAIL\s+(\S+ \[.*\]))`), regexp.MustCompile(`(?m)^\s*--- PASS: ()`)},
	"pytest": {regexp.MustCompile(`(?m)^(?:FAILED|ERROR) (\S+)`), regexp.MustCompile(`(?m)\b(\d+) passed`)},
	"python": {regexp.MustCompile(`(?m)^(?:FAIL|ERROR): (.+)$`), nil},
	"tap":    {regexp.MustCompile(`(?m)^\s*not ok \d+ - (.+)$`), regexp.MustCompile(`(?m)^# pass (\d+)`)},
	"jest":   {regexp.MustCompile(`(?m)^  ● (.+)$`), regexp.MustCompile(`(?m)^Tests:.*?(\d+) passed`)},
	"vitest": {regexp.MustCompile(`(?m)^ FAIL  (.+)$`), regexp.MustCompile(`(?m)^\s+Tests .*?(\d+) passed`)},
	"mocha":  {regexp.MustCompile(`(?m)^\s+\d+\) (.+)$`), regexp.MustCompile(`(?m)^\s+(\d+) passing`)},
}

// bare runs the project's own test command on a commit. What fails is run once
// more in the same copy: what then passes is flaky and no failure.
func (s *stage) bare(ctx context.Context, commit string) (outcome, error) {
	if err := s.side(ctx, commit); err != nil {
		return outcome{}, err
	}
	first, err := s.suite(ctx)
	if err != nil || first.exit == 0 || first.ended {
		return first, err
	}
	again, err := s.suite(ctx)
	if err != nil {
		return again, err
	}
	again.flaky = again.exit == 0
	if again.exit != 0 {
		again.failing = slices.DeleteFunc(again.failing, func(n string) bool { return !slices.Contains(first.failing, n) })
	}
	return again, nil
}

func (s *stage) suite(ctx context.Context) (outcome, error) {
	o := outcome{passed: -1}
	var text strings.Builder
	for _, argv := range s.project.Bare {
		// A relative program is one of the working copy.
		program := argv[0]
		if strings.Contains(program, "/") {
			program = filepath.Join(s.Repo, filepath.FromSlash(program))
		}
		res, err := process.Run(ctx, process.Command{
			Argv: append([]string{program}, argv[1:]...), Dir: s.Repo, Timeout: bareLimit, Env: s.bareEnv(),
		})
		if err != nil {
			if ctx.Err() != nil {
				return o, err
			}
			o.exit = 127 // a program that is not there is a failure like any other
			fmt.Fprintln(&text, err)
			break
		}
		text.Write(res.Stdout)
		text.Write(res.Stderr)
		if o.exit, o.ended = res.ExitCode, res.TimedOut; o.exit != 0 || o.ended {
			break
		}
	}
	if s.project.Name != "" {
		_ = os.WriteFile(filepath.Join(s.Top, "bare.log"), []byte(text.String()), 0o600) // for -keep
	}
	s.listen(text.String(), &o)
	return o, nil
}

// listen takes names and numbers from what the runner printed.
func (s *stage) listen(text string, o *outcome) {
	for _, name := range s.project.Names {
		v := voices[name]
		for _, m := range v.failing.FindAllStringSubmatch(text, -1) {
			o.failing = append(o.failing, strings.Join(m[1:], ""))
		}
		if v.passed == nil {
			continue
		}
		o.passed = max(o.passed, 0)
		for _, m := range v.passed.FindAllStringSubmatch(text, -1) {
			n, err := strconv.Atoi(m[1])
			if err != nil {
				n = 1 // a line per test
			}
			o.passed += n
		}
	}
	slices.Sort(o.failing)
	o.failing = slices.Compact(o.failing)
}

func (s *stage) bareEnv() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(s.Top, "home"), "TMPDIR=" + filepath.Join(s.Top, "temp"),
		"GOCACHE=" + filepath.Join(s.shared, "go-build"), "GOTOOLCHAIN=local", "GOFLAGS=", "TZ=UTC", "CI=true", "NO_COLOR=1",
		"npm_config_offline=true", "npm_config_audit=false", "npm_config_fund=false", "npm_config_update_notifier=false",
	}
}

// fails reports whether head has a failure that base has not.
func fails(head, base outcome) bool {
	switch {
	case head.exit == 0 && !head.ended:
		return false
	case base.exit == 0 && !base.ended, head.ended != base.ended:
		return true
	}
	return slices.ContainsFunc(head.failing, func(n string) bool { return !slices.Contains(base.failing, n) })
}

func (o outcome) String() string {
	switch {
	case o.ended:
		return "never ends"
	case o.flaky:
		return "flaky"
	case o.exit == 0 && o.passed == 0:
		return "ok, 0 tests"
	case o.exit == 0:
		return "ok"
	case len(o.failing) > 0:
		return fmt.Sprintf("%d failing", len(o.failing))
	}
	return fmt.Sprintf("exit %d", o.exit)
}
