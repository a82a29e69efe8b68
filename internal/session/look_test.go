package session

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"gotest.tools/v3/golden"

	"github.com/org/qa-action/internal/output"
)

func render(v View) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s alive=%t %d/%d %d%% rounds %v of %d\n", v.Meta.State, v.Alive, v.Done, len(v.Tasks), v.Percent(), v.Rounds, v.MaxRounds)
	for _, t := range v.Tasks {
		fmt.Fprintf(&b, "%s %s running=%t %s\n", t.ID, t.Status, t.Running, t.Elapsed)
	}
	fmt.Fprintf(&b, "ready %v\nblocked %v\n%s", v.Ready, v.Blocked, strings.Join(v.Stalls, "\n"))
	return b.String()
}

func TestLook(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	s := mustCreate(t, out)
	check(t, s.BeginWave(1, []string{"SCOUT-001"}))
	check(t, s.TaskStarted("SCOUT-001"))
	look := func(after time.Duration, limit time.Duration) string {
		v, err := Look(output.At(out), s.ID(), noon.Add(after), limit)
		check(t, err)
		return render(v)
	}
	want := `active alive=true 0/4 0% rounds map[] of 3
SCOUT-001 pending running=true 20m0s
QASTRAT-001 pending running=false 0s
QARUN-L1-001 pending running=false 0s
QAANA-001 pending running=false 0s
ready []
blocked [{QASTRAT-001 [SCOUT-001]} {QARUN-L1-001 [QASTRAT-001]} {QAANA-001 [QARUN-L1-001]}]
SCOUT-001 has been running for 20m0s without a result (limit 15m0s)`
	if diff := cmp.Diff(want, look(20*time.Minute, 15*time.Minute)); diff != "" {
		t.Error(diff)
	}
	s.now = at(noon.Add(time.Minute))
	check(t, s.TaskEnded("SCOUT-001"))
	check(t, s.Update("SCOUT-001", func(task *Task) { task.Status = Completed }))
	check(t, s.Loop.Record(Round{Layer: "L1", Round: 1}))
	check(t, s.EndWave(1))
	check(t, s.Close())
	want = `active alive=false 1/4 25% rounds map[L1:1] of 3
SCOUT-001 completed running=false 1m0s
QASTRAT-001 pending running=false 0s
QARUN-L1-001 pending running=false 0s
QAANA-001 pending running=false 0s
ready [QASTRAT-001]
blocked [{QARUN-L1-001 [QASTRAT-001]} {QAANA-001 [QARUN-L1-001]}]
no process is working on this session; go on with: qa resume ` + s.ID()
	if diff := cmp.Diff(want, look(time.Hour, 0)); diff != "" {
		t.Error(diff)
	}
}

func TestLookNamesWhatBlocks(t *testing.T) {
	t.Parallel()
	v := View{Meta: Meta{State: Active}, Alive: true}
	// A table that somebody edited: two rows wait for each other.
	v.fill([]Task{{ID: "a", Deps: []string{"b"}, Outcome: Outcome{Status: Pending}}, {ID: "b", Deps: []string{"a"}, Outcome: Outcome{Status: Pending}}}, noon, 0)
	want := []string{"a waits for b, which is neither running nor ready", "b waits for a, which is neither running nor ready"}
	if diff := cmp.Diff(want, v.Stalls); diff != "" {
		t.Error(diff)
	}
}

func TestContextIsReadableAndInert(t *testing.T) {
	t.Parallel()
	s := mustCreate(t, t.TempDir())
	check(t, drive(s, map[string]int{}))
	check(t, s.Update("SCOUT-001", func(task *Task) {
		task.Findings, task.IssuesFound = "<img src=x> @admin [click](http://x) | cell\n# head `code`", ptr(3)
	}))
	check(t, s.Update("QARUN-L1-001", func(task *Task) {
		task.Status, task.Error, task.PassRate, task.CoverageAchieved = Failed, "2 tests fail", ptr(0.5), ptr(61.5)
	}))
	check(t, s.Update("QAANA-001", func(task *Task) { task.QualityScore = ptr(72) }))
	check(t, s.Finish(Finished))
	data, err := s.ReadFile("context.md")
	check(t, err)
	golden.Assert(t, string(data), "context.md")
}
