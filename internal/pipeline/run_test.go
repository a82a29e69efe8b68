package pipeline

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// did makes a task that takes some time and returns its id.
func did(id string, takes time.Duration, needs ...string) Task[string] {
	return Task[string]{ID: id, Needs: needs, Run: func(ctx context.Context) (string, error) {
		select {
		case <-time.After(takes):
			return id, nil
		case <-ctx.Done():
			return id + " in part", context.Cause(ctx)
		}
	}}
}

func fails(id string, needs ...string) Task[string] {
	return Task[string]{ID: id, Needs: needs, Run: func(context.Context) (string, error) {
		return "", errors.New("broken")
	}}
}

// lines renders outcomes for comparison.
func lines[R any](outcomes []Outcome[R]) string {
	var b strings.Builder
	for _, o := range outcomes {
		fmt.Fprintf(&b, "%d %s %s", o.Wave, o.ID, o.State)
		if v := fmt.Sprint(o.Value); v != "" && v != o.ID {
			fmt.Fprintf(&b, " %q", v)
		}
		if o.Reused {
			b.WriteString(" reused")
		}
		if o.Err != nil {
			text, _, _ := strings.Cut(o.Err.Error(), "\n")
			b.WriteString(": " + text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func compare(t *testing.T, got, want string) {
	t.Helper()
	if diff := cmp.Diff(strings.TrimSpace(want), strings.TrimSpace(got)); diff != "" {
		t.Error(diff)
	}
}

func TestResultsAreAppliedInTaskOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log []string
		r := Runner[string]{
			Limits:      Limits{Concurrency: 2},
			WaveStarted: func(n int, ids []string) error { log = append(log, fmt.Sprint("wave ", n, ids)); return nil },
			Started:     func(id string, _ int) { log = append(log, "start "+id) },
			Finished:    func(o Outcome[string]) { log = append(log, "finish "+o.ID) },
			Apply: func(o Outcome[string]) (Addition[string], error) {
				log = append(log, "apply "+o.ID)
				return Addition[string]{}, nil
			},
			WaveDone: func(n int) error { log = append(log, fmt.Sprint("done ", n)); return nil },
		}
		start := time.Now()
		outcomes, err := r.Run(t.Context(), []Task[string]{
			did("slow", 3*time.Second), did("quick", time.Second), did("third", time.Second),
			did("next", time.Second, "slow", "quick"),
		})
		if err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start); took != 4*time.Second {
			t.Errorf("took %s", took)
		}
		compare(t, lines(outcomes), "1 slow completed\n1 quick completed\n1 third completed\n2 next completed")
		compare(t, strings.Join(log, "\n"), `
wave 1 [slow quick third]
start slow
start quick
finish quick
start third
finish third
finish slow
apply slow
apply quick
apply third
done 1
wave 2 [next]
start next
finish next
apply next
done 2`)
	})
}

func TestNeedsAndAfter(t *testing.T) {
	t.Parallel()
	analyst := did("ANA", 0)
	analyst.After = []string{"RUN", "GEN"}
	skipper := Task[string]{ID: "L3", Run: func(context.Context) (string, error) { return "", Skip("layer L3 not selected") }}
	outcomes, err := Runner[string]{}.Run(t.Context(), []Task[string]{
		did("SCOUT", 0), skipper, did("L3-RUN", 0, "L3"), fails("GEN", "SCOUT"), did("RUN", 0, "GEN"), analyst,
	})
	if err != nil {
		t.Fatal(err)
	}
	compare(t, lines(outcomes), `
1 SCOUT completed
1 L3 skipped: layer L3 not selected
2 L3-RUN skipped: needs L3, which was skipped
2 GEN failed: broken
3 RUN skipped: needs GEN, which failed
4 ANA completed`)
}

func TestAddedTasksRunBeforeTheOnesThatWaitForThem(t *testing.T) {
	t.Parallel()
	rounds := 0
	r := Runner[string]{Apply: func(o Outcome[string]) (Addition[string], error) {
		if !strings.HasPrefix(o.ID, "RUN") || rounds == 2 {
			return Addition[string]{}, nil
		}
		rounds++
		fix, again := fmt.Sprint("GEN-fix-", rounds), fmt.Sprint("RUN-gc-", rounds)
		return Addition[string]{Tasks: []Task[string]{did(fix, 0), did(again, 0, fix)}, Before: []string{"ANA"}}, nil
	}}
	outcomes, err := r.Run(t.Context(), []Task[string]{did("GEN", 0), did("RUN", 0, "GEN"), did("ANA", 0, "RUN")})
	if err != nil {
		t.Fatal(err)
	}
	compare(t, lines(outcomes), `
1 GEN completed
2 RUN completed
3 GEN-fix-1 completed
4 RUN-gc-1 completed
5 GEN-fix-2 completed
6 RUN-gc-2 completed
7 ANA completed`)
}

func TestBadAdditionsEndTheRunWithResultsKept(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		add  Addition[string]
		want string
	}{
		"unknown":   {Addition[string]{[]Task[string]{did("x", 0)}, []string{"nobody"}}, "add tasks [x] before nobody: no such task"},
		"over":      {Addition[string]{[]Task[string]{did("x", 0)}, []string{"a"}}, "add tasks [x] before a: it is over"},
		"duplicate": {Addition[string]{[]Task[string]{did("a", 0)}, []string{"b"}}, "add tasks [a]: invalid plan: duplicate id a"},
		"circle":    {Addition[string]{[]Task[string]{did("x", 0, "b")}, []string{"b"}}, "add tasks [x]: invalid plan: circle: x → b → x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := Runner[string]{Apply: func(o Outcome[string]) (Addition[string], error) { return tc.add, nil }}
			outcomes, err := r.Run(t.Context(), []Task[string]{did("a", 0), did("b", 0, "a")})
			if err == nil || err.Error() != tc.want {
				t.Errorf("error %v, want %s", err, tc.want)
			}
			compare(t, lines(outcomes), "1 a completed\n0 b pending")
		})
	}
}

func TestTimeouts(t *testing.T) {
	t.Parallel()
	slow := func(id string, onEnd func(ctx context.Context) (string, error)) Task[string] {
		return Task[string]{ID: id, Timeout: time.Minute, Run: func(ctx context.Context) (string, error) {
			<-ctx.Done()
			return onEnd(ctx)
		}}
	}
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		outcomes, err := Runner[string]{Limits: Limits{Concurrency: 9, Task: time.Hour, Grace: 2 * time.Minute}}.Run(t.Context(), []Task[string]{
			slow("finalises", func(context.Context) (string, error) {
				time.Sleep(time.Minute)
				return "half", nil
			}),
			slow("gives up", func(ctx context.Context) (string, error) { return "some", context.Cause(ctx) }),
			slow("own error", func(context.Context) (string, error) { return "some", errors.New("killed") }),
			slow("hangs", func(context.Context) (string, error) { <-release; return "late", nil }),
			did("fast", time.Second),
		})
		close(release)
		if err != nil {
			t.Fatal(err)
		}
		compare(t, lines(outcomes), `
1 finalises completed "half": time limit of the task reached
1 gives up failed "some": time limit of the task reached
1 own error failed "some": time limit of the task reached: killed
1 hangs failed: time limit of the task reached, and it did not end within 2m0s after that
1 fast completed`)
	})
}

func TestCancellationKeepsPartialResultsAndStillReports(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		stop := errors.New("terminated")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(90*time.Second, func() { cancel(stop) })
		report := did("report", time.Second)
		report.Always, report.After = true, []string{"c"}
		hangs := report
		hangs.ID, hangs.After = "hangs", []string{"report"}
		start := time.Now()
		hangs.Run = func(context.Context) (string, error) { time.Sleep(time.Hour); return "", nil }
		outcomes, err := Runner[string]{Limits: Limits{Grace: time.Hour, Closing: 2 * time.Second}}.Run(ctx, []Task[string]{
			did("a", time.Minute), did("b", time.Minute, "a"), did("c", time.Minute, "b"), report, hangs,
		})
		if !errors.Is(err, stop) {
			t.Errorf("error %v", err)
		}
		compare(t, lines(outcomes), `
1 a completed
2 b interrupted "b in part": terminated
0 c pending
3 report completed
4 hangs failed: time limit of the task reached, and it did not end within 2s after that`)
		if took := time.Since(start) - 90*time.Second; took != 5*time.Second {
			t.Errorf("took %s after the signal", took)
		}
		time.Sleep(2 * time.Hour) // let the hanging task end inside the bubble
	})
}

func TestBudget(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		report := did("report", time.Second)
		report.Always, report.After = true, []string{"b", "c"}
		outcomes, err := Runner[string]{Limits: Limits{Budget: 90 * time.Second, Grace: time.Minute}}.Run(t.Context(), []Task[string]{
			did("a", time.Minute), did("b", time.Minute, "a"), did("c", time.Minute), did("d", 0, "c"), report,
		})
		if err != nil {
			t.Fatal(err)
		}
		compare(t, lines(outcomes), `
1 a completed
2 b skipped: time budget of the run used up
1 c failed "c in part": time budget of the run used up
2 d skipped: needs c, which failed
3 report completed`)
	})
}

func TestPanicIsAFailure(t *testing.T) {
	t.Parallel()
	crash := Task[string]{ID: "a", Run: func(context.Context) (string, error) { panic("ouch") }}
	outcomes, err := Runner[string]{}.Run(t.Context(), []Task[string]{crash, did("b", 0)})
	if err != nil {
		t.Fatal(err)
	}
	compare(t, lines(outcomes), "1 a failed: crashed: ouch\n1 b completed")
}

func TestReuse(t *testing.T) {
	t.Parallel()
	r := Runner[string]{Reuse: func(id string) (string, bool) { return "old " + id, id == "a" }}
	outcomes, err := r.Run(t.Context(), []Task[string]{fails("a"), did("b", 0, "a")})
	if err != nil {
		t.Fatal(err)
	}
	compare(t, lines(outcomes), "1 a completed \"old a\" reused\n2 b completed")
}

func TestErrorsOfTheRecorderStopTheRun(t *testing.T) {
	t.Parallel()
	full := errors.New("disk full")
	for name, r := range map[string]Runner[string]{
		"begin wave 1: disk full":      {WaveStarted: func(int, []string) error { return full }},
		"apply result of a: disk full": {Apply: func(Outcome[string]) (Addition[string], error) { return Addition[string]{}, full }},
		"end wave 1: disk full":        {WaveDone: func(int) error { return full }},
	} {
		outcomes, err := r.Run(t.Context(), []Task[string]{did("a", 0), did("b", 0, "a")})
		if err == nil || err.Error() != name || !errors.Is(err, full) {
			t.Errorf("error %v, want %s", err, name)
		}
		if outcomes[1].State != Pending {
			t.Errorf("%s: b is %s", name, outcomes[1].State)
		}
	}
}
