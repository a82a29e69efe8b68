package session

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/org/qa-action/internal/wording"
)

func waveFile(n int) string { return fmt.Sprintf("wave-%d.csv", n) }

// BeginWave notes which rows run now: their wave becomes n, and wave-<n>.csv
// holds them with prev_context, the findings of the tasks they build on as the
// table has them.
func (s *Session) BeginWave(n int, ids []string) error {
	var rows []Task
	for _, id := range ids {
		if err := s.Update(id, func(t *Task) { t.Wave = n }); err != nil {
			return err
		}
		row, _ := s.Task(id)
		rows = append(rows, row)
	}
	data, err := encodeTasks(rows, s.rows.prevContext)
	if err != nil {
		return err
	}
	return s.disk.write(waveFile(n), data)
}

// EndWave makes the table last and removes the wave's own file.
func (s *Session) EndWave(n int) error {
	if err := s.rows.save(s.disk); err != nil {
		return err
	}
	return s.disk.remove(waveFile(n))
}

// TaskStarted notes that a task runs, for [Look].
func (s *Session) TaskStarted(id string) error {
	s.meta.Clocks[id] = Clock{Started: exact(s.now())}
	return s.saveMeta()
}

// TaskEnded notes that a task is over.
func (s *Session) TaskEnded(id string) error {
	clock := s.meta.Clocks[id]
	if clock.Ended = exact(s.now()); clock.Started == "" {
		clock.Started = clock.Ended
	}
	s.meta.Clocks[id] = clock
	return s.saveMeta()
}

// kept is the content of resume/<task>.json.
type kept struct {
	Task   string          `json:"task"`
	Inputs string          `json:"inputs"`
	Value  json.RawMessage `json:"value"`
}

func keptFile(id string) string { return "resume/" + id + ".json" }

// Keep stores the full result of a completed task together with the digest of
// everything it depended on, for [Session.Kept] of a resumed run.
func (s *Session) Keep(id, inputs string, value any) error {
	raw, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("keep result of %s: %w", id, err)
	}
	return s.disk.json(keptFile(id), kept{Task: id, Inputs: inputs, Value: raw})
}

// Kept reads the result of a task into value, a pointer. It is false when
// there is none for these inputs; an unreadable one counts as none, the task
// simply runs again.
func (s *Session) Kept(id, inputs string, value any) bool {
	data, err := s.disk.read(keptFile(id))
	if err != nil {
		return false
	}
	var k kept
	if json.Unmarshal(data, &k) != nil || k.Task != id || k.Inputs != inputs {
		return false
	}
	return json.Unmarshal(k.Value, value) == nil
}

// interactiveResult is the content of interactive/<task>-result.json.
type interactiveResult struct {
	TaskID    string `json:"task_id"`
	Status    Status `json:"status"`
	Findings  string `json:"findings"`
	Timestamp string `json:"timestamp"`
}

// EndInteractive writes the result file of a task with a loop of its own.
func (s *Session) EndInteractive(id string) error {
	t, ok := s.Task(id)
	if !ok {
		return fmt.Errorf("end task %s: not in the task table", id)
	}
	return s.disk.json("interactive/"+id+"-result.json", interactiveResult{
		TaskID: id, Status: t.Status, Findings: wording.Cut(t.Findings, maxFindings), Timestamp: stamp(s.now()),
	})
}

// Finish writes tasks.csv, results.csv and context.md and sets the state:
// [Finished], or [Interrupted] for a run that can be resumed. What can be
// written is written even when a part fails; then the state stays as it was.
func (s *Session) Finish(state State) error {
	data, err := encodeTasks(s.rows, nil)
	if err != nil {
		return err
	}
	whole := summary{meta: s.meta, rows: s.rows, rounds: s.Loop.Rounds()}
	if whole.board, whole.said, err = told(s.disk); err != nil {
		return err
	}
	err = errors.Join(
		s.disk.write(tasksFile, data),
		s.disk.write("results.csv", data),
		s.disk.write("context.md", []byte(whole.text())),
	)
	if err != nil {
		return err
	}
	return s.Settle(state)
}

// Settle sets the state alone.
func (s *Session) Settle(state State) error {
	s.meta.State = state
	return s.saveMeta()
}
