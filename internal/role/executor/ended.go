package executor

import (
	"fmt"
	"slices"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
)

// sent are the signals that programs do not die of by themselves.
var sent = []string{"killed", "terminated", "hangup", "interrupt"}

// fromOutside are the words in which the go command and jest say that a program
// of theirs was ended by somebody else, byItself those of one that went wrong.
var (
	fromOutside = pattern.New(`\bsignal: (?:killed|terminated)\b|\bsignal=SIG(?:KILL|TERM)\b`)
	byItself    = pattern.New(`(?m)^(?:panic: |fatal error: |exit status |signal: |\*\*\* Test killed)`)
)

// lingers is how jest and vitest say that all tests are done and the program does not end.
var lingers = pattern.New(`Jest did not exit|something prevents (?:the main process|\S+ server) from exiting`)

// ended notes that the command did not end by itself.
func (r *Run) ended(res process.Result) {
	switch {
	case res.TimedOut:
		r.Inconclusive = fmt.Sprintf("the test command %s (%.0f s)", quality.NotInTime, res.Seconds)
		if lingers.MatchString(r.Tail) {
			r.Inconclusive += ": its tests are done, and something that they opened keeps it from ending"
		}
	case res.Limit != "":
		r.Killed, r.Inconclusive = true, "the test command was ended because it used more "+res.Limit+" than its limit"
	case slices.Contains(sent, res.Signal):
		r.Killed, r.Inconclusive = true, "the test command was ended by a signal from outside: "+res.Signal
	}
}

// cut reports whether something else than the tests ended the run: what fails in
// its report may have failed for that.
func (r *Run) cut() bool { return r.TimedOut || r.Killed }

// interrupted takes out of the suite what is no result: the tests that
// were running when they, or the whole command, were ended from outside, and the
// crash that such an end looks like. Whether the tests were at fault or the
// machine had no memory or time to spare, a report cannot tell; the run is
// inconclusive for it.
func (r *Run) interrupted(adapter adapter.Adapter) {
	whole := r.Inconclusive != ""
	outside := func(said string) bool {
		return fromOutside.MatchString(said) || whole && adapter.Habits.Silent && !byItself.MatchString(said)
	}
	var unfinished []string
	r.Suite.Cases = slices.DeleteFunc(r.Suite.Cases, func(c qa.Case) bool {
		cut := c.Status == qa.Errored && outside(c.Message)
		if cut {
			unfinished = append(unfinished, c.ID())
		}
		return cut
	})
	r.Suite.Problems = slices.DeleteFunc(r.Suite.Problems, func(p qa.Problem) bool {
		cut := fromOutside.MatchString(p.Message) || p.Kind == "crash" && outside(p.Message)
		if cut {
			unfinished = append(unfinished, p.Where)
		}
		return cut
	})
	if len(unfinished) == 0 {
		return
	}
	if !whole {
		r.Killed, r.Inconclusive = true, "tests were ended by a signal from outside, as happens when memory runs out"
	}
	r.Inconclusive += "; not finished: " + unfinished[0]
	if more := len(unfinished) - 1; more > 0 {
		r.Inconclusive += fmt.Sprintf(" and %d more", more)
	}
}

// endsOtherwise reports whether the command ended on head in a way that neither the
// failing tests, which are the same on base, nor base explains, as for an error after
// the last test. Runners say by 1, or by their number, that tests fail.
func (b *Baseline) endsOtherwise(base Run) bool {
	h, bad := b.Head, failing(b.Head.Suite)
	if len(bad) == 0 || base.Inconclusive != "" || base.Well || h.cut() || len(h.Suite.Problems)+len(base.Suite.Problems) > 0 ||
		h.ExitCode == base.ExitCode || h.ExitCode == 0 || h.ExitCode == 1 || h.ExitCode == len(bad) {
		return false
	}
	was := quality.Match(base.Suite, qa.Suite{Cases: bad})
	return len(failing(base.Suite)) == len(bad) && !slices.ContainsFunc(bad, func(c qa.Case) bool { return !was[c.ID()].Status.Bad() })
}

// otherwise takes such an end for a failure of its own.
func (b *Baseline) otherwise() {
	if b.Base == nil || b.Added || !b.endsOtherwise(*b.Base) {
		return
	}
	p := qa.Problem{Kind: qa.OutsideTests, Where: b.Target.Name, Message: fmt.Sprintf("the test command ended with exit code %d, and with %d on base, although the same tests fail:\n%s", b.Head.ExitCode, b.Base.ExitCode, b.Head.Tail)}
	b.Tests.Problems = append(b.Tests.Problems, p)
	b.Head.Suite.Problems = append(b.Head.Suite.Problems, p)
}
