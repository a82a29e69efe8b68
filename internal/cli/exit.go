package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/org/qa-action/internal/memory"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/rooted"
)

// The exit codes; in Actions they are the required status check.
const (
	exitOK           = 0   // PASS or CONDITIONAL
	exitFail         = 1   // a gate failed
	exitUsage        = 2   // bad usage or configuration
	exitInconclusive = 3   // environment or infrastructure: could not tell
	exitCancelled    = 130 // interrupted
)

// usageError is a wrong command line or configuration.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// verdictError carries a verdict that is already printed.
type verdictError struct{ verdict qa.Verdict }

func (e verdictError) Error() string { return "result " + string(e.verdict) }

// unwellError is what the doctor found, which is already printed.
type unwellError struct {
	problems int
	usage    bool // one of them at least is of usage or configuration
}

func (e unwellError) Error() string { return plural(e.problems, "problem") }

// hintError adds next steps to an error.
type hintError struct {
	error
	hints []string
}

func (e hintError) Unwrap() error { return e.error }

// withHint adds next steps, one line each.
func withHint(err error, hints ...string) error { return hintError{err, hints} }

// verdict makes the error of a finished run.
func verdict(v qa.Verdict) error {
	if v == qa.Pass || v == qa.Conditional {
		return nil
	}
	return verdictError{v}
}

// report prints err and gives its exit code. An error that is none of the known
// kinds means that the run could not tell: inconclusive, never success.
func report(w io.Writer, err error) int {
	var (
		v      verdictError
		usage  usageError
		hint   hintError
		done   doneError
		unwell unwellError
	)
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &v):
		if v.verdict == qa.Fail {
			return exitFail
		}
		return exitInconclusive
	case errors.As(err, &unwell):
		if unwell.usage {
			return exitUsage
		}
		return exitInconclusive
	case errors.As(err, &done):
		fmt.Fprintf(w, "qa: %s\n", disarmed(done.Error()))
		return exitOK
	}
	message := disarmed(strings.TrimRight(err.Error(), "\n"))
	if strings.Contains(message, "\n") {
		message = "\n  " + strings.ReplaceAll(message, "\n", "\n  ")
	} else {
		message = " " + message
	}
	fmt.Fprintf(w, "qa: error:%s\n", message)
	if errors.As(err, &hint) {
		for _, h := range hint.hints {
			fmt.Fprintf(w, "qa: hint: %s\n", h)
		}
	}
	if rooted.NoRoom(err) {
		fmt.Fprintln(w, "qa: hint: make room on that disk, or name a directory on another one (--output-dir); what was done until then is kept, so go on with qa resume")
	}
	switch {
	case errors.As(err, &usage):
		return exitUsage
	case errors.Is(err, memory.ErrCeiling): // it also cancels
		return exitInconclusive
	case errors.Is(err, context.Canceled):
		return exitCancelled
	}
	return exitInconclusive
}

// disarmed keeps the runner from reading commands in text of others: "::" at
// the start of a line, "##[" anywhere. Each gets a mark of no width in between.
func disarmed(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "##[", "#\u200b#["), "\n")
	for i, l := range lines {
		if rest, ok := strings.CutPrefix(strings.TrimLeft(l, " \t\r"), "::"); ok {
			lines[i] = ":\u200b:" + rest
		}
	}
	return strings.Join(lines, "\n")
}
