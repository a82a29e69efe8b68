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
	Outcome
}

// Outcome is what became of a task, the part of a row that a run fills in.
type Outcome struct {
	Wave   int // 1-based; 0 is unknown
	Status Status
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
