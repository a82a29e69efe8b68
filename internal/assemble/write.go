package assemble

import (
	"bytes"
	"context"
	"errors"

	"github.com/org/qa-action/internal/notes"
	"github.com/org/qa-action/internal/output"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/record"
	"github.com/org/qa-action/internal/reporter"
	"github.com/org/qa-action/internal/session"
	"github.com/org/qa-action/internal/task"
)

// Writer writes the reports of one session.
type Writer struct {
	About
	Session  *session.Session
	Output   *output.Dir
	Notes    *notes.Log
	HeadLine HeadLine
}

// Write renders every reporter that is a file of the session. One that cannot
// be written keeps none of the others from being.
func (w Writer) Write(p *qa.Report, measured []qa.Finding) ([]string, error) {
	var written []string
	var failed []error
	for _, name := range reporter.Names() {
		rep, err := reporter.For(name)
		if err != nil {
			return written, err
		}
		if rep.File == "" || name == "patch" && len(p.Generated) == 0 {
			continue
		}
		var b bytes.Buffer
		shown := p
		if name == "sarif" { // it is uploaded for the commit that is checked out
			shown = onMeasured(p, measured)
		}
		if err := reporter.Render(&b, name, shown, reporter.Options{Source: w.source}); err != nil {
			w.Notes.Note(err)
			continue
		}
		if err := w.Session.WriteFile(rep.File, b.Bytes()); err != nil {
			failed = append(failed, err)
			continue
		}
		written = append(written, name)
	}
	w.Notes.Note(w.Session.Memory.Remember(task.Analyst, "quality_score", p.Score.Value))
	w.Notes.Note(w.Session.Memory.Remember(task.Analyst, "defect_patterns", record.Listed(w.Notes, p.Patterns)))
	return written, errors.Join(failed...)
}

// source reads a file as head has it.
func (w Writer) source(path string) ([]byte, error) {
	if w.HeadLine == nil {
		return w.Read(path)
	}
	return w.Content(context.Background(), w.Change.Head, path)
}
