package session

import (
	"fmt"
	"slices"
	"strings"
)

// Status is the state of a task in tasks.csv.
type Status string

// The statuses. A running task is pending here; when it runs is told by
// session.json and wave-<n>.csv.
const (
	Pending   Status = "pending"
	Completed Status = "completed"
	Failed    Status = "failed"
	Skipped   Status = "skipped"
)

func (s Status) over() bool { return s == Completed || s == Failed || s == Skipped }

// The execution modes of the seeds: one shot, or with a loop of its own.
const (
	OneShot     = "csv-wave"
	Interactive = "interactive"
)

// Task is one row of tasks.csv. Pointers are nil where the cell is empty.
type Task struct {
	ID, Title, Description string
	Role                   string
	Perspectives           []string
	Layer                  string
	CoverageTarget         *float64 // percent
	Deps, ContextFrom      []string // ids
	ExecMode               string
	Wave                   int // 1-based; 0 is unknown
	Status                 Status
	// Findings is what the task found in at most 500 characters; longer text
	// is cut when written.
	Findings         string
	IssuesFound      *int
	PassRate         *float64 // 0..1
	CoverageAchieved *float64 // percent
	TestFiles        []string
	QualityScore     *int
	Error            string // why it failed or was skipped
}

// maxFindings is the length of Findings in characters.
const maxFindings = 500

// roles that may stand in a row.
var roles = []string{"scout", "strategist", "generator", "executor", "analyst"}

// validate checks the rules of the table and names every broken one.
func validate(tasks []Task) error {
	var problems []string
	broken := func(t Task, format string, args ...any) {
		problems = append(problems, t.ID+": "+fmt.Sprintf(format, args...))
	}
	known := map[string]bool{}
	for i, t := range tasks {
		if t.ID == "" {
			problems = append(problems, fmt.Sprintf("row %d has no id", i+1))
			continue
		}
		if strings.ContainsAny(t.ID, "/\\;\n\r\x00") || strings.HasPrefix(t.ID, ".") {
			broken(t, "not usable as an id")
		}
		if known[t.ID] {
			broken(t, "duplicate id")
		}
		known[t.ID] = true
		if !slices.Contains(roles, t.Role) {
			broken(t, "unknown role %q (valid: %s)", t.Role, strings.Join(roles, ", "))
		}
		if t.Status != Pending && !t.Status.over() {
			broken(t, "unknown status %q (valid: pending, completed, failed, skipped)", t.Status)
		}
		if t.ExecMode != OneShot && t.ExecMode != Interactive {
			broken(t, "unknown exec_mode %q (valid: csv-wave, interactive)", t.ExecMode)
		}
		if t.Layer != "" && t.Layer != "L1" && t.Layer != "L2" && t.Layer != "L3" {
			broken(t, "unknown layer %q (valid: L1, L2, L3)", t.Layer)
		}
	}
	for _, t := range tasks {
		for _, id := range slices.Concat(t.Deps, t.ContextFrom) {
			if !known[id] {
				broken(t, "unknown task %q", id)
			} else if id == t.ID {
				broken(t, "depends on itself")
			}
		}
	}
	if len(problems) > 0 {
		return fmt.Errorf("invalid task table: %s", strings.Join(problems, "; "))
	}
	return nil
}

// Tasks are the rows as they stand, also where not yet written.
func (s *Session) Tasks() []Task { return slices.Clone(s.tasks) }

// Task looks a row up.
func (s *Session) Task(id string) (Task, bool) {
	i := slices.IndexFunc(s.tasks, func(t Task) bool { return t.ID == id })
	if i < 0 {
		return Task{}, false
	}
	return s.tasks[i], true
}

// Update changes a row; the change reaches tasks.csv with [Session.EndWave].
func (s *Session) Update(id string, change func(*Task)) error {
	i := slices.IndexFunc(s.tasks, func(t Task) bool { return t.ID == id })
	if i < 0 {
		return fmt.Errorf("update task %s: not in the task table", id)
	}
	updated := slices.Clone(s.tasks)
	change(&updated[i])
	if err := validate(updated); err != nil {
		return fmt.Errorf("update task %s: %w", id, err)
	}
	s.tasks = updated
	return nil
}

// Add puts rows in front of the first of waiting (or at the end), and makes
// those of waiting depend on them. Rows whose id is already there replace nothing.
func (s *Session) Add(rows []Task, waiting ...string) error {
	updated, at := slices.Clone(s.tasks), len(s.tasks)
	var ids []string
	rows = slices.DeleteFunc(slices.Clone(rows), func(row Task) bool {
		ids = append(ids, row.ID)
		_, there := s.Task(row.ID)
		return there
	})
	for i, t := range updated {
		if !slices.Contains(waiting, t.ID) {
			continue
		}
		at = min(at, i)
		for _, id := range ids {
			if !slices.Contains(t.Deps, id) {
				updated[i].Deps = append(slices.Clip(updated[i].Deps), id)
			}
		}
	}
	updated = slices.Insert(updated, at, rows...)
	if err := validate(updated); err != nil {
		return fmt.Errorf("add tasks: %w", err)
	}
	// Known as added before they can be in the table.
	for _, row := range rows {
		s.meta.Added = append(s.meta.Added, row.ID)
	}
	if err := s.saveMeta(); err != nil {
		return err
	}
	s.tasks = updated
	return nil
}

// plan is the table without the rows that were added.
func (s *Session) plan() []Task {
	var out []Task
	added := func(id string) bool { return slices.Contains(s.meta.Added, id) }
	for _, t := range s.tasks {
		if !added(t.ID) {
			t.Deps = slices.DeleteFunc(slices.Clone(t.Deps), added)
			out = append(out, t)
		}
	}
	return out
}
