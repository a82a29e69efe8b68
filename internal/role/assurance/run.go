package assurance

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/source/edit"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/wording"
)

// outcome is what one run said of one test.
type outcome struct {
	status  qa.Status
	why     string
	output  string // what the failure left, the stack first where there is one
	errored bool   // it could not be judged: crash, setup, time limit
	late    bool   // it was ended from outside: by its time limit or a signal
	cases   []qa.Case
	// neighbours are the other tests of the run.
	neighbours []qa.Case
	seconds    float64
}

// suite is [Chain.once] with a second look at what was ended from outside: a
// busy machine is no fault of a test.
func (c *Chain) suite(ctx context.Context, tree Tree, tests []adapter.Selected, adjust func(*executor.Options)) (executor.Run, error) {
	run, err := c.once(ctx, tree, tests, adjust)
	if err == nil && ended(run) {
		run, err = c.once(ctx, tree, tests, func(o *executor.Options) {
			if adjust != nil {
				adjust(o)
			}
			o.Timeout, o.Within = 2*o.Timeout, 2*o.Within
		})
	}
	return run, err
}

// TimeLimit is how long a run of a candidate may take where the whole suite takes so
// many seconds: a candidate that waits for itself ends long before the task does.
func TimeLimit(suite float64, most time.Duration) time.Duration {
	const start, times = 30 * time.Second, 5
	if limit := start + time.Duration(times*suite*float64(time.Second)); suite > 0 && (limit < most || most <= 0) {
		return limit
	}
	return most
}

// TestTime is how long the tests of a candidate's run may take once they are built, where
// the whole suite took so many seconds and its tests what their cases say. What is set up
// before them is in no case, and took no longer than the suite.
func TestTime(suite float64, cases []qa.Case) time.Duration {
	const least, times = 5, 5
	sum := least + suite
	for _, c := range cases {
		sum += times * c.Seconds
	}
	return time.Duration(sum * float64(time.Second)).Round(time.Second)
}

// ended reports a run that did not end by itself.
func ended(run executor.Run) bool {
	_, hangs := hanging(run)
	return run.TimedOut || run.Killed || hangs
}

// expired is what Go says of tests that took longer than they may.
var expired = pattern.New(`panic: test timed out after \S+`)

// hanging is the test that Go ended because it took too long: what it prints then says
// where each goroutine is.
func hanging(run executor.Run) (qa.Case, bool) {
	return each.First(run.Suite.Cases, func(k qa.Case) bool { return k.Status.Bad() && expired.MatchString(k.Message+"\n"+k.Output) })
}

// waits is where a hanging test waits: the goroutine with a line of its file.
func waits(k qa.Case, file string) string {
	said := expired.FindString(k.Message + "\n" + k.Output)
	for goroutine := range strings.SplitSeq(k.Output, "\n\n") {
		if strings.Contains(goroutine, "/"+path.Base(file)+":") {
			return said + "\n" + wording.Bytes(strings.TrimSpace(goroutine), shownGoroutine)
		}
	}
	return said
}

const shownGoroutine = 1500 // characters of a goroutine that waits

// once runs a selection in a tree; every run has its own report directory.
func (c *Chain) once(ctx context.Context, tree Tree, tests []adapter.Selected, adjust func(*executor.Options)) (executor.Run, error) {
	c.runs++
	o := c.Options
	o.Name = strings.TrimPrefix(fmt.Sprintf("%s-trial-%d", c.Options.Name, c.runs), "-")
	o.Keep, o.Tests, o.Generated = c.Keep.Join(o.Name), tests, true
	if c.Options.Races {
		o.Timeout, o.Within = o.Timeout+building, watching*o.Within
	}
	if adjust != nil {
		adjust(&o)
	}
	return executor.Suite(ctx, tree, c.Target, o)
}

// outcome runs the file of a test and finds the test in it.
func (c *Chain) outcome(ctx context.Context, tree Tree, v *Verdict, name string) (outcome, error) {
	run, err := c.suite(ctx, tree, selection(v, nil), nil)
	if err != nil {
		return outcome{}, err
	}
	return found(run, v, name), nil
}

// again runs exactly the test on head.
func (t trial) again(ctx context.Context, adjust func(*executor.Options)) (outcome, error) {
	run, err := t.suite(ctx, t.Head, selection(t.v, t.head.cases), adjust)
	if err != nil {
		return outcome{}, err
	}
	return found(run, t.v, t.name), nil
}

// found is what a run says of a test of the file as it is placed.
func found(run executor.Run, v *Verdict, name string) outcome {
	return read(run, v.Path, Names(v.Path, v.placed, name)...)
}

// read finds a test in a run by its names; sub-tests and parameters of one test count
// together, the worst of them decides. A run that goes wrong as a whole although
// the test passed (an error nobody caught, a runner that ends badly) counts
// against the test.
func read(run executor.Run, file string, names ...string) outcome {
	o := outcome{status: qa.NotRun, why: run.Inconclusive, seconds: run.Seconds}
	unfinished := each.Count(run.Suite.Cases, func(k qa.Case) bool { return k.Status == qa.Errored })
	for _, k := range run.Suite.Cases {
		if !Matches(k, file, names...) {
			o.neighbours = append(o.neighbours, k)
			continue
		}
		o.cases = append(o.cases, k)
		if died := ownDeath(k); died != "" && unfinished == 1 && !ended(run) {
			k.Status, k.Message = qa.Failed, died
		}
		switch {
		case k.Status == qa.Errored:
			o.status, o.why, o.output, o.errored = qa.Errored, k.Message, k.Output, true
		case k.Status == qa.Failed && o.status != qa.Errored:
			o.status, o.why, o.output = qa.Failed, cmp.Or(meeting(k.Message+"\n"+k.Output), k.Message), k.Output
		case k.Status == qa.Flaky && !o.status.Bad():
			o.status, o.why = qa.Flaky, "it passed only when it was tried again"
		case k.Status == qa.Passed && o.status == qa.NotRun:
			o.status, o.why = qa.Passed, ""
		}
	}
	if ended(run) {
		o.status, o.why, o.errored, o.late = qa.Errored, run.Inconclusive, true, true
		if k, ok := hanging(run); ok {
			o.why = waits(k, file)
		}
		return o
	}
	for _, p := range run.Suite.Problems {
		switch {
		case o.status == qa.Passed:
			o.status, o.why, o.errored = qa.Errored, p.Kind+": "+p.Message, true
		case o.status == qa.NotRun:
			o.status, o.why = qa.BuildFailed, p.Kind+": "+p.Message
		}
	}
	return o
}

// fatal is what the runtime of Go says before it ends the program because of what the
// code did, or its race detector: it is the test's verdict, as no assertion comes to speak
// any more.
var fatal = pattern.New(`(?m)^(?:fatal error: (?:concurrent map [\w ]+|all goroutines are asleep - deadlock!)|WARNING: DATA RACE)$`)

// ownDeath is why the program ended in the middle of a test, empty when that is
// nothing that the code did.
func ownDeath(k qa.Case) string {
	if k.Status != qa.Errored {
		return ""
	}
	return fatal.FindString(k.Message)
}

// compared is what a test says on base. When base does not end within its time and
// head, asked again, does not either, nobody knows.
func (t trial) compared(ctx context.Context) (outcome, error) {
	base, err := t.onBase(ctx)
	if err != nil || !base.late {
		return base, err
	}
	head, err := t.outcome(ctx, t.Head, t.v, t.name)
	if head.late {
		base.status = qa.NotRun
	}
	return base, err
}

// onBase runs the same test with the sources of base: in base's own test file,
// or, where it needs more than that has, in head's without its other tests,
// which may need what base does not have.
func (t trial) onBase(ctx context.Context) (outcome, error) {
	o := outcome{status: qa.NotRun}
	if t.Base == nil {
		return o, nil
	}
	raw, err := t.before(t.v.Path)
	if err != nil {
		return o, err
	}
	add := t.v.Candidate.New()
	if add.Package == "" {
		if parsed, err := outline.Parse(t.v.Path, t.v.placed); err == nil {
			add.Package = parsed.Package
		}
	}
	var tries [][]byte
	if own, err := edit.Place(raw, t.v.Path, add); err == nil && slices.Contains(names(t.v.Path, own), t.name) {
		tries = append(tries, own)
	}
	others := fresh(t.v.Path, t.v.placed, []string{t.name})
	// The source file of head is no code of base.
	if alone, err := edit.Remove(t.v.Path, t.v.placed, others); err == nil && !inline(t.v.Path) {
		tries = append(tries, alone)
	}
	for _, text := range tries {
		if err := t.Base.Write(t.v.Path, text); err != nil {
			return o, err
		}
		if o, err = t.outcome(ctx, t.Base, t.v, t.name); err != nil {
			return o, err
		}
		if o.status != qa.NotRun && o.status != qa.BuildFailed {
			return o, nil
		}
	}
	o.status = qa.BuildFailed
	return o, nil
}

// selection names one test of a file by its cases, or the whole file.
func selection(v *Verdict, cases []qa.Case) []adapter.Selected {
	if len(cases) > 0 {
		return adapter.Select(cases)
	}
	return []adapter.Selected{{File: v.Path}}
}
