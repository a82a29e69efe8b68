package executor

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/coverage"
	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testreport"
	"github.com/org/qa-action/internal/testreport/collect"
	"github.com/org/qa-action/internal/wording"
)

// judge reads the test reports and decides whether the run can be judged. The
// exit code outranks the report: a runner that fails although every test passed
// is a problem of its own.
func (r *Run) judge(how adapter.Adapter, tree Tree, t Target, res process.Result, reports []string) {
	r.ended(res)
	suite, err := testreport.Read(reports, testreport.Options{Root: tree.Dir(), Dir: t.Framework.Dir, Failed: res.ExitCode != 0 || res.Signal != "" || res.TimedOut})
	if err != nil && t.Framework.ExitOnly { // what it printed is no report, or no whole one
		if r.exit(how, tree, res, t); errors.Is(err, collect.ErrTruncated) && res.ExitCode == 0 { // a part of it was never told
			r.inconclusive("what the test command printed ends too early: "+neutral(err.Error(), reports), how, res, t)
		}
		return
	}
	if len(reports) == 0 {
		r.inconclusive("the test command wrote no report", how, res, t)
		return
	}
	r.Suite = suite
	r.interrupted(how)
	settleNames(tree, r.Suite.Cases)
	none := errors.Is(err, collect.ErrNoTests) || err == nil && suite.Tally().Executed() == 0
	switch {
	case r.Inconclusive != "":
	case t.Part != nil && none && res.ExitCode == 0 && res.Limit == "" && len(suite.Problems) == 0:
		r.Empty = true // all that could be executed are in other parts
	case errors.Is(err, collect.ErrNoTests) && len(suite.Problems) > 0:
	case err != nil && (errors.Is(err, collect.ErrNoTests) || errors.Is(err, collect.ErrEmpty)) && how.Explain(res.ExitCode, r.Tail).Kind != "":
		r.inconclusive("no test ran", how, res, t) // and why is known
	case err != nil:
		r.inconclusive("the test report cannot be relied on: "+neutral(err.Error(), reports), how, res, t)
	case suite.Tally().Executed() == 0 && len(suite.Problems) == 0:
		r.inconclusive("no test was executed", how, res, t)
	}
	bad := len(r.Suite.Problems) + len(failing(r.Suite))
	// What a program prints excuses nothing by itself: see covered.
	r.Missed = bad == 0 && how.Explain(res.ExitCode, r.Tail).Kind == diagnosis.Threshold
	if res.ExitCode != 0 && !res.TimedOut && bad == 0 && r.Inconclusive == "" {
		r.Suite.Problems = append(r.Suite.Problems, qa.Problem{Kind: "crash", Where: t.Name,
			Message: "the test command ended with " + by(res) + " although no test failed" + r.because(how, tree, res)})
	}
}

// by is with what a command ended.
func by(res process.Result) string {
	if res.Signal != "" {
		return "signal " + res.Signal
	}
	return fmt.Sprintf("exit code %d", res.ExitCode)
}

// because is what is known of the end of a command that no test explains: the cause,
// which may stand on the stream that the last words are not of, and those words.
func (r *Run) because(how adapter.Adapter, tree Tree, res process.Result) string {
	for _, text := range []string{r.Tail, inTree(tree, lastLines(said(res.Stdout), tailLines))} {
		if d := how.Explain(res.ExitCode, text); d.Kind != "" && d.Kind != diagnosis.NoTests { // some passed
			return ": " + d.String() + "\n" + text
		}
	}
	return ":\n" + r.Tail
}

// Ended says why a command ended that no test explains, where that is known.
func (r *Run) Ended() string {
	for _, p := range r.Suite.Problems {
		first, _, _ := strings.Cut(p.Message, "\n")
		if p.Kind == "crash" && !strings.HasSuffix(first, ":") {
			return first
		}
	}
	return ""
}

// Broke is the first thing that failed outside of tests, by the line that names the error
// where there is one; empty is nothing.
func (r *Run) Broke() string {
	if len(r.Suite.Problems) == 0 {
		return ""
	}
	message := r.Suite.Problems[0].Message
	for line := range strings.Lines(message) {
		if errorLine.MatchString(strings.TrimSpace(line)) {
			return wording.Line(line, 300)
		}
	}
	return wording.Line(wording.First(message), 300)
}

// errorLine begins with the name of an error, as runtimes write it below the place.
var errorLine = pattern.New(`^(?:E\s+)?[\w.]*(?:Error|Exception|Warning)\b`)

// The exit codes with which a shell says that a program could not be started.
const (
	notExecutable = 126
	notFound      = 127
)

// exit judges a command that tells nothing but its exit code. One that could
// not be started is no failing test.
func (r *Run) exit(how adapter.Adapter, tree Tree, res process.Result, t Target) {
	r.ExitOnly = true
	kind := how.Explain(res.ExitCode, r.Tail).Kind
	switch {
	case r.Inconclusive != "" || res.ExitCode == 0 && res.Signal == "":
	case res.ExitCode == notExecutable || res.ExitCode == notFound || kind == diagnosis.Missing || kind == diagnosis.Version:
		r.inconclusive("the test command could not be started", how, res, t)
	default:
		r.Suite.Problems = append(r.Suite.Problems, qa.Problem{Kind: "exit", Where: t.Name,
			Message: framework.CommandLine(t.Framework) + " ended with " + by(res) + ":\n" + inTree(tree, wholeTail(res))})
	}
}

// inconclusive notes why the run cannot be judged, with the adapter's
// explanation of the runner's last words when it knows them.
func (r *Run) inconclusive(why string, how adapter.Adapter, res process.Result, t Target) {
	if r.Inconclusive != "" {
		return
	}
	if res.Signal != "" {
		why += " (killed by " + res.Signal + ")"
	} else if res.ExitCode != 0 {
		why += fmt.Sprintf(" (exit code %d)", res.ExitCode)
	}
	d := how.Explain(res.ExitCode, r.Tail)
	hint := t.Framework.Hint
	if missing := !t.Framework.Installed && hint.Cause != "" && d.Kind == diagnosis.Missing; missing {
		d = diagnosis.Diagnosis{} // that the runner is not there is known, with what installs it
	}
	if d.Kind == "" && hint == (diagnosis.Diagnosis{}) {
		d = diagnosis.Of(res.ExitCode, []byte(r.Tail), nil, nil)
	}
	if said := cmp.Or(d.String(), hint.String()); said != "" {
		why += "; " + said
	}
	r.Inconclusive = why
}

// measure reads the coverage reports. Unknown coverage is nil with its reason,
// never zero.
func measure(run *Run, tree Tree, t Target, inv qa.Invocation, reports []string) {
	switch {
	case run.Suite.Tally().Executed() == 0 && !run.Empty && !(run.ExitOnly && len(inv.Coverage) == 0):
		// A coverage tool writes "nothing covered" for a run that never was.
		run.CoverageReason = "no test was executed"
		return
	case len(inv.Coverage) == 0:
		run.CoverageReason = cmp.Or(t.Framework.CoverageHint, "the test command measures no coverage")
		return
	case len(reports) == 0:
		run.CoverageReason = "the test command wrote no coverage report"
		return
	}
	options := coverage.Options{Root: tree.Dir(), Dir: t.Dir}
	if a, err := framework.For(t.Framework.Framework); err == nil {
		options.Aside = aside(a, t)
	}
	cov, err := coverage.Read(reports, options)
	if err != nil {
		run.CoverageReason = neutral(err.Error(), reports)
		return
	}
	run.Coverage = cov
}

// aside tells the files that count only where tests ran them. Where the project does not
// say what counts we ask for all files, and those that show it, or how fast it is, came so.
func aside(a adapter.Adapter, t Target) func(file string) bool {
	if len(t.Framework.Sources) == 0 || a.Language == "go" { // whose sources the command names
		return a.Habits.Aside
	}
	return func(file string) bool {
		return change.IsExample(strings.TrimPrefix(file, t.Dir+"/")) || a.Habits.Aside != nil && a.Habits.Aside(file)
	}
}

// neutral takes our own directories out of a message.
func neutral(message string, reports []string) string {
	for _, r := range reports {
		message = strings.ReplaceAll(message, r, filepath.Base(r))
	}
	return message
}
