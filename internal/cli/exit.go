package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/org/qa-action/internal/gh"
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

// explained is what an error tells the user besides its message (Error) and its
// cause (Unwrap): what to do next, one step a line. An error that names its next
// step is one that the user can mend, of the command line, the configuration or
// the checkout; only a [hintError] leaves that to its cause.
type explained interface {
	error
	NextStep() string
}

// usageError is a wrong command line or configuration; its message says what was
// expected.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func (e usageError) NextStep() string { return "" }

// hintError adds next steps to an error.
type hintError struct {
	error
	hints []string
}

func (e hintError) Unwrap() error { return e.error }

func (e hintError) NextStep() string { return strings.Join(e.hints, "\n") }

// withHint adds next steps, one line each.
func withHint(err error, hints ...string) error { return hintError{err, hints} }

// concluded ends a command that did what it was asked for: the code says what
// came out, and the rest is already printed.
type concluded struct {
	code int
	text string
}

func (c concluded) Error() string { return c.text }

// done says that an event asks for nothing: no failure, and no verdict.
func done(reason string) error { return concluded{exitOK, "nothing to do: " + reason} }

// verdict makes the error of a finished run.
func verdict(v qa.Verdict) error {
	switch v {
	case qa.Pass, qa.Conditional:
		return nil
	case qa.Fail:
		return concluded{exitFail, "result " + string(v)}
	}
	return concluded{exitInconclusive, "result " + string(v)}
}

// report prints err and gives its exit code. An error that is none of the known
// kinds means that the run could not tell: inconclusive, never success.
func report(w io.Writer, err error) int {
	if err == nil {
		return exitOK
	}
	var end concluded
	if errors.As(err, &end) {
		if end.code == exitOK {
			fmt.Fprintf(w, "qa: %s\n", gh.Disarmed(end.text))
		}
		return end.code
	}
	message := gh.Disarmed(strings.TrimRight(err.Error(), "\n"))
	if strings.Contains(message, "\n") {
		message = "\n  " + strings.ReplaceAll(message, "\n", "\n  ")
	} else {
		message = " " + message
	}
	fmt.Fprintf(w, "qa: error:%s\n", message)
	usage := nextSteps(w, err, message)
	if rooted.NoRoom(err) {
		fmt.Fprintln(w, "qa: hint: make room on that disk, or name a directory on another one (--output-dir); what was done until then is kept, so go on with qa resume")
	}
	switch {
	case usage:
		return exitUsage
	case errors.Is(err, memory.ErrCeiling): // it also cancels
		return exitInconclusive
	case errors.Is(err, context.Canceled):
		return exitCancelled
	}
	return exitInconclusive
}

// nextSteps prints the next steps that the message does not name, and says whether
// the user can mend the error.
func nextSteps(w io.Writer, err error, message string) (usage bool) {
	for err != nil {
		var e explained
		if !errors.As(err, &e) {
			break
		}
		if step := e.NextStep(); step != "" && !strings.Contains(message, gh.Disarmed(step)) {
			for line := range strings.SplitSeq(step, "\n") {
				fmt.Fprintf(w, "qa: hint: %s\n", line)
			}
		}
		if _, hint := e.(hintError); !hint {
			usage = true
		}
		err = errors.Unwrap(e)
	}
	return usage
}
