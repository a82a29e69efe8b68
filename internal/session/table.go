package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/wording"
)

// table is tasks.csv as it stands, also where not yet written.
type table []Task

func (t table) find(id string) (row Task, i int) {
	if i = slices.IndexFunc(t, func(row Task) bool { return row.ID == id }); i < 0 {
		return Task{}, i
	}
	return t[i], i
}

func (t table) save(d *disk) error {
	data, err := encodeTasks(t, nil)
	if err != nil {
		return err
	}
	return d.write(tasksFile, data)
}

// without is the table without rows, and without dependencies on them.
func (t table) without(ids []string) table {
	var out table
	gone := func(id string) bool { return slices.Contains(ids, id) }
	for _, row := range t {
		if !gone(row.ID) {
			row.Deps = slices.DeleteFunc(slices.Clone(row.Deps), gone)
			out = append(out, row)
		}
	}
	return out
}

// inWaves is the table with the wave of each row that waits: the one after the last
// of those that it depends on.
func (t table) inWaves() table {
	out := slices.Clone(t)
	for range out { // no chain of dependencies is longer
		for i, row := range out {
			if row.Status != Pending {
				continue
			}
			out[i].Wave = 1
			for _, id := range row.Deps {
				dep, _ := out.find(id)
				out[i].Wave = max(out[i].Wave, dep.Wave+1)
			}
		}
	}
	return out
}

// prevContext is "[ID] findings" per line, of the rows that one builds on.
func (t table) prevContext(of Task) string {
	var lines []string
	for _, id := range of.ContextFrom {
		if from, i := t.find(id); i >= 0 && from.Findings != "" {
			lines = append(lines, "["+id+"] "+wording.Cut(from.Findings, maxFindings))
		}
	}
	return strings.Join(lines, "\n")
}

// Task looks a row up.
func (s *Session) Task(id string) (Task, bool) {
	row, i := s.rows.find(id)
	return row, i >= 0
}

// Update changes a row; the change reaches tasks.csv with [Session.EndWave].
func (s *Session) Update(id string, change func(*Task)) error {
	_, i := s.rows.find(id)
	if i < 0 {
		return fmt.Errorf("update task %s: not in the task table", id)
	}
	updated := slices.Clone(s.rows)
	change(&updated[i])
	if err := validate(updated); err != nil {
		return fmt.Errorf("update task %s: %w", id, err)
	}
	s.rows = updated
	return nil
}

// Add puts rows in front of the first of waiting (or at the end), and makes
// those of waiting depend on them. Rows whose id is already there replace nothing.
func (s *Session) Add(rows []Task, waiting ...string) error {
	updated, at := slices.Clone(s.rows), len(s.rows)
	var ids []string
	rows = slices.DeleteFunc(slices.Clone(rows), func(row Task) bool {
		ids = append(ids, row.ID)
		_, i := s.rows.find(row.ID)
		return i >= 0
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
	updated = slices.Insert(updated, at, rows...).inWaves()
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
	s.rows = updated
	return nil
}
