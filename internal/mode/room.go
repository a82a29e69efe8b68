package mode

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

// noRoom names the disk in an error that comes from a full one; nil for every
// other.
func (r *run) noRoom(err error) *NoRoomError {
	if !rooted.NoRoom(err) {
		return nil
	}
	e := &NoRoomError{Place: r.Output.Name(), What: "no room to write", cause: err}
	if full := (*fs.PathError)(nil); errors.As(err, &full) {
		e.What = fmt.Sprintf("%s %s: %v", full.Op, filepath.Base(full.Path), full.Err)
		if rel, err := filepath.Rel(r.Output.Path(), full.Path); filepath.IsAbs(full.Path) && (err != nil || !filepath.IsLocal(rel)) {
			e.Place = filepath.Dir(full.Path)
		}
	}
	return e
}

// margin is what writing files costs beyond them.
const margin = 64 << 10

// reserve keeps room for a report that says that there is none. It is as large
// as that report in its two forms, old and new.
func (r *run) reserve() error {
	text, err := r.lastWords(&NoRoomError{Place: r.Output.Path()})
	if err != nil {
		return err
	}
	return r.session.Reserve(4*len(text) + margin)
}

// withoutRoom leaves the report of a run whose disk is full, in the room that was
// kept for it. What was rendered before may be half of it or say something else,
// and goes. It gives the reporters whose files are there.
func (r *run) withoutRoom(p *qa.Report, why *NoRoomError) []string {
	p.Result, p.Reason, p.Partial = qa.Inconclusive, why.Error(), true
	r.notes.Note(r.session.Yield())
	for _, name := range reporter.Names() {
		if rep, err := reporter.For(name); err == nil && rep.File != "" {
			r.notes.Note(r.session.Discard(rep.File))
		}
	}
	var written []string
	// Without what the run has seen the report is small and fits for sure; then
	// the whole one takes its place, if it fits as well.
	if text, err := r.lastWords(why); err == nil && r.session.WriteFile("report.json", text) == nil {
		written = append(written, "json")
	}
	for _, name := range []string{"json", "markdown"} {
		rep, err := reporter.For(name)
		var b bytes.Buffer
		if err == nil && reporter.Render(&b, name, p, reporter.Options{Source: r.headSource}) == nil && r.session.WriteFile(rep.File, b.Bytes()) == nil && name != "json" {
			written = append(written, name)
		}
	}
	return written
}

// stillborn is a run whose disk was full before it began.
func (r *run) stillborn(why *NoRoomError) (*Result, error) {
	p := r.blank(why)
	files := r.withoutRoom(p, why)
	return &Result{Report: p, Dir: r.session.Dir(), Files: files, Done: r.done(why)}, why
}
