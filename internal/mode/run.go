package mode

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"time"

	"github.com/org/qa-action/internal/assemble"
	"github.com/org/qa-action/internal/baseline"
	"github.com/org/qa-action/internal/budget"
	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/copies"
	"github.com/org/qa-action/internal/notes"
	"github.com/org/qa-action/internal/past"
	"github.com/org/qa-action/internal/pipeline"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/strategist"
	"github.com/org/qa-action/internal/session"
	"github.com/org/qa-action/internal/task"
	"github.com/org/qa-action/internal/timing"
	"github.com/org/qa-action/internal/trials"
)

// run is a run under way. Its state is changed by the goroutine that applies
// outcomes, and by no other; what tasks share has locks of its own.
type run struct {
	Deps
	kind    task.Kind
	time    budget.Time
	session *session.Session
	resumed bool // an unfinished session was taken over
	past    past.Memory
	state   *task.State
	roles   roles
	base    *baseline.Run
	notes   *notes.Log
	results *trials.Results
	turns   *pipeline.Turns // of the tasks that change files of the copies
	// use is what was asked of the model, nil for a run without one.
	use func() qa.ModelUse
}

const (
	grace   = 2 * time.Minute // for a task to finish with partial results
	closing = 2 * time.Second // for what is under way when the run is cancelled
)

// Run carries a whole run out and always leaves a report, however it ended.
// The error is about our own side (the session could not be written, the plan
// is wrong) or the cancellation; Result is set whenever a report exists.
func Run(ctx context.Context, d Deps) (*Result, error) {
	r := newRun(d)
	if err := r.open(""); err != nil {
		return r.unopened(err)
	}
	r.writer().AtCeiling(ctx)
	r.recall(ctx)
	work, stop := r.time.Context(ctx)
	own := copies.New(r.runtime(ctx), r.Change.Base)
	r.base = baseline.Start(work, r.measuring(own))
	r.roles = r.bind(own)
	outcomes, err := r.runner().Run(ctx, r.tasks(r.state.Rows))
	if err == nil {
		r.base.Join()
	}
	stop()
	r.base.Join()
	for _, o := range outcomes {
		r.state.Outcomes[o.ID] = o
	}
	report, measured := r.assembly().Report(err != nil)
	res, err := r.leave(ctx, report, measured, err)
	return r.end(res, err, own.Close())
}

// leave enters a report into the history and writes it.
func (r *run) leave(ctx context.Context, p *qa.Report, measured []qa.Finding, err error) (*Result, error) {
	err = assemble.OutOfMemory(ctx, p, err)
	carry := r.enter(ctx, p)
	p.Manifest.Times = times(ctx)
	files, writeErr := r.writer().Write(p, measured)
	r.notes.Note(r.trace(ctx))
	return &Result{Report: p, Dir: r.session.Dir(), Files: files, Carry: carry}, errors.Join(err, writeErr)
}

// times is where the time went until now.
func times(ctx context.Context) []qa.PhaseTime {
	var out []qa.PhaseTime
	for _, s := range timing.Sums(timing.Of(ctx)) {
		out = append(out, qa.PhaseTime{Phase: string(s.Phase), Seconds: s.Wall.Seconds(), Processor: s.Processor.Seconds(), Programs: s.Programs})
	}
	return out
}

// trace leaves the same for a viewer.
func (r *run) trace(ctx context.Context) error {
	raw, err := timing.Trace(timing.Of(ctx))
	if err != nil {
		return err
	}
	return r.session.WriteFile("trace.json", raw)
}

// end leaves the session as it can be gone on with, until what is to be published
// was published. err is of the work and its report, late of what came after.
func (r *run) end(res *Result, err, late error) (*Result, error) {
	if full := r.writer().NoRoom(err); full != nil {
		err, res.Files = full, r.writer().WithoutRoom(res.Report, full)
	}
	err = errors.Join(err, r.session.Yield(), r.session.Finish(session.Interrupted), late)
	res.Done = done(r.session, err)
	return res, err
}

// done is what ends the session; what is missing after an error can be made by
// going on.
func done(s *session.Session, err error) func() error {
	return sync.OnceValue(func() error {
		if err != nil {
			return s.Close()
		}
		return errors.Join(s.Settle(session.Finished), s.Close())
	})
}

// unopened is a run without a session, or with one that has no room: its disk was
// full before it began.
func (r *run) unopened(err error) (*Result, error) {
	w := r.writer()
	full := w.NoRoom(err)
	if r.session == nil || full == nil {
		return nil, err
	}
	p := w.Blank(full)
	return &Result{Report: p, Dir: r.session.Dir(), Files: w.WithoutRoom(p, full), Done: done(r.session, full)}, full
}

// newRun is a run before it has a session.
func newRun(d Deps) *run {
	if d.Now == nil {
		d.Now = time.Now
	}
	if d.Progress == nil {
		d.Progress = io.Discard
	}
	if d.Output != nil {
		if rel, err := filepath.Rel(d.Root, d.Output.Path()); err == nil {
			d.Own = filepath.ToSlash(rel)
		}
	}
	r := &run{
		Deps: d, kind: task.Kind{Mode: Of(d.Config.Mode, d.Config.Task), Depth: d.Config.Depth, EndToEnd: len(d.Config.EndToEnd()) > 0},
		time: budget.Time{Whole: d.Config.Timeout, Started: d.Now(), Now: d.Now}, notes: &notes.Log{}, results: &trials.Results{}, turns: &pipeline.Turns{},
	}
	if r.kind.Depth == config.DepthAuto {
		r.kind.Depth = strategist.DepthOf(d.Change, r.kind.EndToEnd)
	}
	if d.Model != nil {
		r.use = d.Model.Use
	}
	r.state = task.NewState(r.kind.Table())
	return r
}

// inputs is the digest of what a task depends on beyond the session's key: the
// results of the tasks it builds on, by their findings, and of a scan what is dismissed.
func (r *run) inputs(id string) string {
	row := r.state.Row(id)
	text := id
	if row.Role == task.Scout {
		text += "\n" + session.Digest(r.Files.Dismissals, []byte(fmt.Sprint(r.Files.Commented)))
	} else {
		// What a resumed run takes over may stand on these numbers, and so do the
		// notes made of them.
		text += "\n" + r.base.Join().Digest()
	}
	for _, deps := range [][]string{row.Needs, row.After} {
		for _, dep := range deps {
			text += "\n" + dep + " " + r.state.Outcomes[dep].Value.Findings
		}
	}
	return session.Digest([]byte(text))
}
