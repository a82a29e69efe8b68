package assemble

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter"
	"github.com/org/qa-action/internal/rooted"
)

// NoRoomError is the end of a run whose session could not be written, because
// the disk is full.
type NoRoomError struct {
	Place string // on that disk
	What  string // was tried
	cause error
}

func (e *NoRoomError) Error() string {
	return fmt.Sprintf("the disk that holds %s is full (%s); make room there, or name a directory on another disk (input output-dir)", e.Place, e.What)
}

func (e *NoRoomError) Unwrap() error { return e.cause }

// NoRoom names the disk in an error that comes from a full one; nil for every
// other.
func (w Writer) NoRoom(err error) *NoRoomError {
	if !rooted.NoRoom(err) {
		return nil
	}
	e := &NoRoomError{Place: w.Output.Name(), What: "no room to write", cause: err}
	if full := (*fs.PathError)(nil); errors.As(err, &full) {
		e.What = fmt.Sprintf("%s %s: %v", full.Op, filepath.Base(full.Path), full.Err)
		if rel, err := filepath.Rel(w.Output.Path(), full.Path); filepath.IsAbs(full.Path) && (err != nil || !filepath.IsLocal(rel)) {
			e.Place = filepath.Dir(full.Path)
		}
	}
	return e
}

// margin is what writing files costs beyond them.
const margin = 64 << 10

// Reserve keeps room for a report that says that there is none. It is as large
// as that report in its two forms, old and new.
func (w Writer) Reserve() error {
	text, err := w.blankJSON(&NoRoomError{Place: w.Output.Path()})
	if err != nil {
		return err
	}
	return w.Session.Reserve(4*len(text) + margin)
}

// WithoutRoom leaves the report of a run whose disk is full, in the room that was
// kept for it. What was rendered before may be half of it or say something else,
// and goes. It gives the reporters whose files are there.
func (w Writer) WithoutRoom(p *qa.Report, why *NoRoomError) []string {
	p.Result, p.Reason, p.Partial = qa.Inconclusive, why.Error(), true
	w.Notes.Note(w.Session.Yield())
	for _, name := range reporter.Names() {
		if rep, err := reporter.For(name); err == nil && rep.File != "" {
			w.Notes.Note(w.Session.Discard(rep.File))
		}
	}
	var written []string
	// Without what the run has seen the report is small and fits for sure; then
	// the whole one takes its place, if it fits as well.
	if text, err := w.blankJSON(why); err == nil && w.Session.WriteFile("report.json", text) == nil {
		written = append(written, "json")
	}
	for _, name := range []string{"json", "markdown"} {
		rep, err := reporter.For(name)
		var b bytes.Buffer
		if err == nil && reporter.Render(&b, name, p, reporter.Options{Source: w.source}) == nil && w.Session.WriteFile(rep.File, b.Bytes()) == nil && name != "json" {
			written = append(written, name)
		}
	}
	return written
}
