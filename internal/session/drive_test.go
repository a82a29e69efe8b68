package session

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/org/qa-action/internal/pipeline"
)

// result stands for what a role returns.
type result struct {
	Findings string
	Coverage float64
}

// drive runs the task table of a session with a round of the generator-critic
// loop, recording everything as a real run does. ran counts the tasks that did
// their work.
func drive(s *Session, ran map[string]int) error {
	results := map[string]result{}
	inputs := func(id string) string {
		digest := ""
		row, _ := s.Task(id)
		for _, dep := range row.Deps {
			digest += fmt.Sprint(dep, results[dep], ";")
		}
		return digest
	}
	var failures []error
	note := func(err error) {
		if err != nil {
			failures = append(failures, err)
		}
	}
	work := func(id string) func(context.Context) (result, error) {
		return func(context.Context) (result, error) {
			ran[id]++
			return result{Findings: "did " + id, Coverage: float64(40 + 5*len(id))}, nil
		}
	}
	var tasks []pipeline.Task[result]
	for _, row := range s.Tasks() {
		tasks = append(tasks, pipeline.Task[result]{ID: row.ID, After: row.Deps, Run: work(row.ID)})
	}
	runner := pipeline.Runner[result]{
		Limits:      pipeline.Limits{Concurrency: 2},
		WaveStarted: s.BeginWave,
		Started:     func(id string, _ int) { note(s.TaskStarted(id)) },
		Reuse: func(id string) (result, bool) {
			var r result
			ok := s.Kept(id, inputs(id), &r)
			return r, ok
		},
		Apply: func(o pipeline.Outcome[result]) (pipeline.Addition[result], error) {
			results[o.ID] = o.Value
			return record(s, o, inputs(o.ID), work)
		},
		WaveDone: s.EndWave,
	}
	_, err := runner.Run(context.Background(), tasks)
	if err = errors.Join(append(failures, err)...); err != nil {
		return err
	}
	return s.Finish(Finished)
}

func record(s *Session, o pipeline.Outcome[result], inputs string, work func(string) func(context.Context) (result, error)) (pipeline.Addition[result], error) {
	none := pipeline.Addition[result]{}
	row, _ := s.Task(o.ID)
	if err := s.Keep(o.ID, inputs, o.Value); err != nil {
		return none, err
	}
	steps := []error{
		s.Update(o.ID, func(t *Task) { t.Status, t.Findings = Completed, o.Value.Findings }),
		s.TaskEnded(o.ID),
	}
	post := func(kind string) {
		steps = append(steps, s.Messages.Post(Message{From: row.Role, Type: kind, Summary: "done", Ref: o.ID}))
	}
	switch row.Role {
	case "scout":
		_, err := s.Board.Add(o.ID, "issue_found", map[string]any{"file": "a.go", "line": 3, "rule": "r", "severity": "high", "perspective": "bug", "description": "d"})
		steps = append(steps, err, s.Memory.Remember("scout", "discovered_issues", []string{"SCOUT-ISSUE-1"}), s.Wisdom.Learn(Issues, o.ID, "a.go is risky"))
		post("issues_found")
	case "strategist":
		post("strategy_ready")
	case "executor":
		steps = append(steps, s.EndInteractive(o.ID), s.WriteFile("results/run-L1.json", []byte(o.ID)),
			s.Memory.Remember("executor", "execution_results/L1", o.Value))
		post("tests_passed")
	case "analyst":
		steps = append(steps, s.WriteFile("analysis/quality-report.md", []byte("# fine\n")))
		post("quality_report")
	}
	if o.ID == "QARUN-L1-001" {
		steps = append(steps, s.Loop.Record(Round{Layer: "L1", Round: 1, Coverage: ptr(o.Value.Coverage)}),
			s.Add([]Task{
				{ID: "QAGEN-L1-fix-1", Title: "Fix", Role: "generator", Layer: "L1", Deps: []string{"QARUN-L1-001"}, ExecMode: OneShot, Outcome: Outcome{Status: Pending}},
				{ID: "QARUN-L1-gc-1", Title: "Again", Role: "executor", Layer: "L1", Deps: []string{"QAGEN-L1-fix-1"}, ExecMode: Interactive, Outcome: Outcome{Status: Pending}},
			}, "QAANA-001"))
		return pipeline.Addition[result]{Tasks: []pipeline.Task[result]{
			{ID: "QAGEN-L1-fix-1", After: []string{"QARUN-L1-001"}, Run: work("QAGEN-L1-fix-1")},
			{ID: "QARUN-L1-gc-1", After: []string{"QAGEN-L1-fix-1"}, Run: work("QARUN-L1-gc-1")},
		}, Before: []string{"QAANA-001"}}, errors.Join(steps...)
	}
	return none, errors.Join(steps...)
}

func TestDriveRunsEverythingOnce(t *testing.T) {
	t.Parallel()
	s := mustCreate(t, t.TempDir())
	ran := map[string]int{}
	check(t, drive(s, ran))
	if len(ran) != 6 {
		t.Errorf("ran %v", ran)
	}
	for id, n := range ran {
		if n != 1 {
			t.Errorf("%s ran %d times", id, n)
		}
	}
}
