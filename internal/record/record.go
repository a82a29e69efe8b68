// Package record writes what the tasks of a run found out into its session: the
// table, the artifacts, the board and the messages. Start at [Recorder.Record].
package record

import (
	"maps"
	"slices"
	"time"

	"github.com/org/qa-action/internal/artifact"
	"github.com/org/qa-action/internal/baseline"
	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/mutation"
	"github.com/org/qa-action/internal/notes"
	"github.com/org/qa-action/internal/pipeline"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/generator"
	"github.com/org/qa-action/internal/session"
	"github.com/org/qa-action/internal/task"
)

// Recorder writes into one session. It is used by the goroutine that applies
// outcomes, but for what the analyst writes.
type Recorder struct {
	Session *session.Session
	Notes   *notes.Log
	Config  *config.Config
	Version string
	Read    func(path string) ([]byte, error)
	Now     func() time.Time
	// Inputs is the digest of what a task depends on.
	Inputs func(id string) string
}

// Row is a row of tasks.csv.
func Row(row task.Row, c *config.Config) session.Task {
	t := session.Task{
		ID: row.ID, Title: row.Title, Description: row.Title, Role: row.Role, Layer: string(row.Layer),
		Deps: slices.Concat(row.Needs, row.After), ContextFrom: slices.Concat(row.Needs, row.After),
		ExecMode: session.OneShot, Outcome: session.Outcome{Status: session.Pending},
	}
	if c.Task != "" {
		t.Description += ": " + c.Task
	}
	switch row.Role {
	case task.Scout:
		t.Perspectives = each.Of(c.Perspectives, func(p qa.Perspective) string { return string(p) })
	case task.Executor:
		t.ExecMode = session.Interactive
	}
	if row.Layer != "" {
		target := c.Coverage[row.Layer]
		t.CoverageTarget = &target
	}
	return t
}

// Record writes an outcome into the session: the table, the artifacts, the
// board and the messages.
func (r Recorder) Record(o task.Outcome, row task.Row, b *baseline.Baseline) error {
	err := r.Session.Update(o.ID, func(t *session.Task) {
		t.Status, t.Findings, t.Error = session.Status(o.State), o.Value.Findings, ""
		if o.State == pipeline.Interrupted {
			t.Status = session.Pending
		}
		if o.Err != nil {
			t.Error = o.Err.Error()
		}
		t.QualityScore = o.Value.Score
		if s := o.Value.Scan; s != nil {
			n := each.Count(s.Findings, qa.Finding.Open)
			t.IssuesFound = &n
		}
		t.TestFiles = testFiles(o.Value)
		if l := o.Value.Layer; l != nil {
			t.PassRate = l.PassRate
			if percent := l.Patch.Percentage(); percent != nil {
				t.CoverageAchieved = percent
			}
		}
	})
	if err != nil {
		return err
	}
	if o.State == pipeline.Completed && !o.Reused {
		if err := r.Session.Keep(o.ID, r.Inputs(o.ID), o.Value); err != nil {
			return err
		}
	}
	if row.Role == task.Executor && o.State == pipeline.Completed {
		if err := r.Session.EndInteractive(o.ID); err != nil {
			return err
		}
	}
	r.tell(o, row, b)
	return nil
}

// testFiles are the files of the tests that a task proposed, or kept.
func testFiles(v task.Result) []string {
	files := each.Of(v.Candidates, func(c generator.Candidate) string { return c.Path })
	if v.Trial != nil {
		files = slices.AppendSeq(files, maps.Keys(v.Trial.Files))
	}
	return each.Sorted(files)
}

// file writes an artifact.
func (r Recorder) file(rel string, value any) { r.Notes.Note(r.Session.WriteJSON(rel, value)) }

// Listed is a value as files of the session show it: lists are [], never null.
func Listed[T any](log *notes.Log, value T) T {
	own, err := qa.WithLists(value)
	log.Note(err)
	return own
}

// Mutants writes mutation.json, when there were mutants. killers name the kept
// test that notices each.
func (r Recorder) Mutants(set *mutation.Set, killers map[string]string) {
	if set != nil && len(set.All) > 0 {
		r.file("mutation.json", mutation.Artifact(set.All, killers, r.Version, r.Read))
	}
}

// evidence.patch is the failing tests as a unified diff, apart from the kept
// ones: whoever applies it sees them fail.
const evidencePatch = "evidence.patch"

// Evidence writes what proves something.
func (r Recorder) Evidence(files map[string]string) {
	if len(files) == 0 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		r.Notes.Note(r.Session.WriteFile("tests/evidence/"+name, []byte(files[name])))
	}
	r.Notes.Note(r.Session.WriteFile(evidencePatch, []byte(artifact.Diff(r.Read, files))))
}
