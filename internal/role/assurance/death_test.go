package assurance

import (
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
)

// A program that its own code ends in the middle of a test has failed that test; one
// that is ended from outside, or of which nobody knows in which test, has not.
func TestAProgramThatDiesOfItsCode(t *testing.T) {
	t.Parallel()
	const never = "started and never finished: killed or crashed\n"
	for name, c := range map[string]struct {
		message string
		killed  bool
		others  []qa.Case
		want    qa.Status
	}{
		"race on a map":       {never + "fatal error: concurrent map writes\nexit status 2", false, nil, qa.Failed},
		"read beside a write": {never + "fatal error: concurrent map read and map write", false, nil, qa.Failed},
		"a race before":       {never + "==================\nWARNING: DATA RACE\nWrite at 0x00c0000a2f60 by goroutine 9:", false, nil, qa.Failed},
		"all wait":            {never + "fatal error: all goroutines are asleep - deadlock!", false, []qa.Case{{Name: "TestOther", Status: qa.Passed}}, qa.Failed},
		"out of memory":       {never + "fatal error: runtime: out of memory", false, nil, qa.Errored},
		"a signal":            {never + "signal: killed", false, nil, qa.Errored},
		"ended by its limit":  {never + "fatal error: concurrent map writes", true, nil, qa.Errored},
		"one of two at once":  {never + "fatal error: concurrent map writes", false, []qa.Case{{Name: "TestOther", Status: qa.Errored}}, qa.Errored},
		"words of the test":   {never + "panic: fatal error: concurrent map writes", false, nil, qa.Errored},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run := executor.Run{Suite: qa.Suite{Cases: append([]qa.Case{{Name: "TestRace", Status: qa.Errored, Message: c.message}}, c.others...)}, Ending: executor.Ending{TimedOut: c.killed}}
			got := read(run, "a_test.go", "TestRace")
			assert.Equal(t, got.status, c.want)
			assert.Equal(t, got.errored, c.want == qa.Errored)
			if c.want == qa.Failed {
				assert.Assert(t, got.crashed(), "of a mutant it is no assertion that noticed")
			}
		})
	}
}

// Where a suite takes milliseconds, a candidate that waits for itself takes seconds, and
// what Go says of it tells where it waits.
func TestHangingCandidates(t *testing.T) {
	t.Parallel()
	assert.Equal(t, TestTime(1.2, []qa.Case{{Seconds: 0.001}, {Seconds: 0.01}}), 6*time.Second)
	assert.Equal(t, TestTime(20, []qa.Case{{Seconds: 2}, {Seconds: 10}}), 85*time.Second)
	dump := "panic: test timed out after 5s\n\trunning tests:\n\t\tTestHang (5s)\n\ngoroutine 17 [running]:\ntesting.(*M).startAlarm.func1()\n\n" +
		"goroutine 7 [sync.Mutex.Lock]:\nx.TestHang(0x1)\n\t/copy/a_test.go:9 +0x1d\n\ngoroutine 8 [sleep]:\n"
	hang := qa.Case{Name: "TestHang", Status: qa.Failed, Message: "panic: test timed out after 5s", Output: dump}
	run := executor.Run{Suite: qa.Suite{Cases: []qa.Case{{Name: "TestOK", Status: qa.Passed}, hang}}}
	assert.Assert(t, ended(run))
	got := read(run, "a_test.go", "TestHang")
	assert.Assert(t, got.late && got.errored, "it may be the machine: nothing is proven")
	assert.Equal(t, got.why, "panic: test timed out after 5s\ngoroutine 7 [sync.Mutex.Lock]:\nx.TestHang(0x1)\n\t/copy/a_test.go:9 +0x1d")
	assert.Assert(t, !ended(executor.Run{Suite: qa.Suite{Cases: []qa.Case{{Name: "TestHang", Status: qa.Passed, Output: dump}}}}))
}

func TestPatience(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		suite      float64
		most, want time.Duration
	}{{2, 300 * time.Second, 40 * time.Second}, {200, 300 * time.Second, 300 * time.Second}, {0, 300 * time.Second, 300 * time.Second}, {1, 0, 35 * time.Second}} {
		assert.Equal(t, TimeLimit(c.suite, c.most), c.want)
	}
}
