package mode

import (
	"errors"
	"fmt"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/record"
	"github.com/org/qa-action/internal/session"
	"github.com/org/qa-action/internal/task"
)

// open creates the session or takes over an unfinished one. joins tells the
// session of a merge from that of a run.
func (r *run) open(joins string) error {
	key := session.Key{Repository: r.Repository, Head: r.Commit(), Config: r.Config.Digest() + joins}
	if r.Resume != nil {
		s, err := session.Resume(r.Output, r.Resume.ID, key, r.Now)
		var none *session.NoneError
		switch {
		case err == nil:
			r.session, r.resumed = s, true
			fmt.Fprintf(r.Progress, "going on with session %s\n", s.ID())
			return r.ready() // the kill may have come before it
		case !errors.As(err, &none) || r.Resume.Must:
			return err
		}
	}
	s, err := session.Create(r.Output, session.Spec{
		Key: key, Mode: string(r.kind.Mode), Depth: string(r.kind.Depth), Task: r.Config.Task,
		Tasks: r.table(r.state.Rows), MaxRounds: r.Config.MaxRounds, Now: r.Now,
	})
	if err != nil {
		return err
	}
	r.session = s
	r.notes.Note(r.Output.Ignore())
	return r.ready()
}

// table is what tasks.csv says of tasks before they begin.
func (r *run) table(rows []task.Row) []session.Task {
	return each.Of(rows, func(row task.Row) session.Task { return record.Row(row, r.Config) })
}

// ready is what a session needs before there is work: room for a report, and a
// word of what was chosen. A message that is there already is not posted again.
func (r *run) ready() error {
	return errors.Join(r.writer().Reserve(), r.session.Messages.Post(session.Message{From: "coordinator", Type: "mode_selected", Ref: r.session.ID(),
		Summary: fmt.Sprintf("mode %s, depth %s, %d tasks", r.kind.Mode, r.kind.Depth, len(r.kind.Table()))}))
}
