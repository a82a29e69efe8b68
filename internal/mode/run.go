package mode

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"time"

	"github.com/org/qa-action/internal/baseline"
	"github.com/org/qa-action/internal/budget"
	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/copies"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/llm"
	"github.com/org/qa-action/internal/mutation"
	"github.com/org/qa-action/internal/notes"
	"github.com/org/qa-action/internal/output"
	"github.com/org/qa-action/internal/past"
	"github.com/org/qa-action/internal/pipeline"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
	"github.com/org/qa-action/internal/role/generator"
	"github.com/org/qa-action/internal/role/strategist"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/scan"
	"github.com/org/qa-action/internal/session"
	"github.com/org/qa-action/internal/source"
	"github.com/org/qa-action/internal/targets"
)

// Deps is what a run works with.
type Deps struct {
	checkout.Checkout
	Config     *config.Config
	Output     *output.Dir
	Repository string // owner/name or the directory's name
	Version    string
	Env        []string // environment to choose from, "K=V"
	// JobContainer is the id of the job's container, empty when it has none.
	JobContainer string
	// HeadLine follows lines of the checkout to the head commit; nil when the
	// head commit is what is checked out.
	HeadLine   HeadLine
	Dismissals []byte
	Codeowners []byte
	// Model is nil for a run without a model.
	Model *llm.Client
	// Past is what earlier runs taught.
	Past past.Source
	// Resume goes on with an unfinished session of the same commit and
	// configuration; ResumeID names one, empty is the newest.
	Resume   bool
	ResumeID string
	// Progress gets one line per step, Live the output of test commands; both
	// may be nil.
	Progress io.Writer
	Live     io.Writer
	Now      func() time.Time
}

// Result is a finished run.
type Result struct {
	Report *qa.Report
	Dir    string   // the session's directory, absolute
	Files  []string // reporters whose files were written
	// Carry is what the check run of this run is to carry for later ones.
	Carry string
	// Done ends the session. It is called when what is published was published:
	// a run that is killed before can be gone on with, and publishes again.
	Done func() error
}

// run is a run under way. Fields below the line are changed by the scheduler's
// goroutine only; tasks read what earlier waves left there.
type run struct {
	Deps
	mode    config.Mode
	depth   config.Depth
	rows    map[string]Row
	order   []string
	session *session.Session
	resumed bool // an unfinished session was taken over
	copies  *copies.Copies
	base    *baseline.Run
	started time.Time
	past    past.Memory
	code    *related.Code // what stands around the change
	merged  []qa.Finding  // of the report, where the checkout has them
	carry   string        // what this run's check run is to carry
	use     *qa.ModelUse  // of the shards of a merge
	joins   string        // what tells the session of a merge from that of a run
	// ---
	scan       *scan.Result
	gaps       *scan.Result // coverage gaps, found when the baseline is joined
	regression *scan.Result
	strategy   *qa.Strategy
	layers     map[qa.Layer]qa.LayerResult
	generated  []qa.GeneratedTest
	candidates map[string][]generator.Candidate // by executor task
	proofs     []proof
	written    map[string]string // test files with what was kept
	gained     map[string][]int  // changed lines that kept tests cover
	killed     map[string]bool   // mutants that kept tests kill
	mutation   *mutation.Set
	mutants    []source.Mutant // that the project's own tests let live
	outcomes   map[string]pipeline.Outcome[result]
	advice     []string // a model's recommendations
	// ---
	notes  notes.Log
	time   budget.Time
	tokens *budget.Tokens
	mu     sync.Mutex
	tried  []trial        // guarded by mu, in the order in which they ended
	turns  pipeline.Turns // of the tasks that change files of the copies
}

// result is what a task returns; it is kept for resume, so it is plain data.
type result struct {
	Findings   string                `json:"findings"` // the table's cell
	Scan       *scan.Result          `json:"scan,omitempty"`
	Strategy   *qa.Strategy          `json:"strategy,omitempty"`
	Gaps       *scan.Result          `json:"gaps,omitempty"`
	Layer      *qa.LayerResult       `json:"layer,omitempty"`
	Candidates []generator.Candidate `json:"candidates,omitempty"`
	Trial      *trial                `json:"trial,omitempty"`
	Mutation   *mutation.Set         `json:"mutation,omitempty"`
	Score      *int                  `json:"score,omitempty"`
	Advice     []string              `json:"advice,omitempty"` // a model's recommendations
}

// grace is what a task gets to finish with partial results.
const grace = 2 * time.Minute

// Run carries a whole run out and always leaves a report, however it ended.
// The error is about our own side (the session could not be written, the plan
// is wrong) or the cancellation; Result is set whenever a report exists.
func Run(ctx context.Context, d Deps) (*Result, error) {
	r := newRun(d)
	if err := r.open(); err != nil {
		return r.unopened(err)
	}
	r.bequeath(ctx)
	r.recall(ctx)
	work, stop := r.time.Context(ctx)
	r.copies = copies.New(runtimeOptions(r.Deps), d.Change.Base)
	r.base = baseline.Start(work, r.baselineOptions())
	outcomes, err := r.runner().Run(ctx, r.tasks())
	if err == nil {
		r.base.Join()
	}
	stop()
	r.base.Join()
	for _, o := range outcomes {
		r.outcomes[o.ID] = o
	}
	report := r.assemble(err != nil)
	err = outOfMemory(ctx, report, err)
	r.enter(ctx, report)
	files, writeErr := r.write(report)
	return r.end(report, files, errors.Join(err, writeErr), r.copies.Close())
}

// unopened is a run without a session, or with one that has no room.
func (r *run) unopened(err error) (*Result, error) {
	full := r.noRoom(err)
	if r.session == nil || full == nil {
		return nil, err
	}
	return r.stillborn(full)
}

// end leaves the session as it can be gone on with, until what is to be published
// was published. err is of the work and its report, late of what came after.
func (r *run) end(p *qa.Report, files []string, err, late error) (*Result, error) {
	if full := r.noRoom(err); full != nil {
		err, files = full, r.withoutRoom(p, full)
	}
	err = errors.Join(err, r.session.Yield(), r.session.Finish(session.Interrupted), late)
	return &Result{Report: p, Dir: r.session.Dir(), Files: files, Carry: r.carry, Done: r.done(err)}, err
}

// done is what ends the session; what is missing after an error can be made by
// going on.
func (r *run) done(err error) func() error {
	return sync.OnceValue(func() error {
		if err != nil {
			return r.session.Close()
		}
		return errors.Join(r.session.Settle(session.Finished), r.session.Close())
	})
}

// newRun is a run before it has a session.
func newRun(d Deps) *run {
	if d.Now == nil {
		d.Now = time.Now
	}
	if d.Progress == nil {
		d.Progress = io.Discard
	}
	r := &run{Deps: d, mode: Of(d.Config.Mode, d.Config.Task), depth: d.Config.Depth, rows: map[string]Row{},
		layers: map[qa.Layer]qa.LayerResult{}, outcomes: map[string]pipeline.Outcome[result]{}, candidates: map[string][]generator.Candidate{},
		written: map[string]string{}, gained: map[string][]int{}, killed: map[string]bool{}, started: d.Now()}
	if d.Output != nil {
		if rel, err := filepath.Rel(d.Root, d.Output.Path()); err == nil {
			r.Own = filepath.ToSlash(rel)
		}
	}
	r.code = related.New(r.Checkout)
	r.time = budget.Time{Whole: d.Config.Timeout, Started: r.started, Now: d.Now}
	if d.Model != nil {
		r.tokens = budget.NewTokens(d.Model.Left, r.notes.Cut)
	}
	if r.depth == config.DepthAuto {
		r.depth = strategist.DepthOf(d.Change)
	}
	return r
}

// open creates the session or takes over an unfinished one.
func (r *run) open() error {
	key := session.Key{Repository: r.Repository, Head: r.Change.Head + treeDigest(r.Root, r.Change), Config: r.Config.Digest() + r.joins}
	table := Table(r.mode, r.depth, r.Config.E2eCommand != "")
	for _, row := range table {
		r.rows[row.ID] = row
		r.order = append(r.order, row.ID)
	}
	if r.Resume {
		s, err := session.Resume(r.Output, r.ResumeID, key, r.Now)
		var none *session.NoneError
		switch {
		case err == nil:
			r.session, r.resumed = s, true
			fmt.Fprintf(r.Progress, "going on with session %s\n", s.ID())
			return r.ready(len(table)) // the kill may have come before it
		case !errors.As(err, &none) || r.ResumeID != "":
			return err
		}
	}
	s, err := session.Create(r.Output, session.Spec{
		Key: key, Mode: string(r.mode), Depth: string(r.depth), Task: r.Config.Task,
		Tasks: r.sessionTasks(table), MaxRounds: r.Config.MaxRounds, Now: r.Now,
	})
	if err != nil {
		return err
	}
	r.session = s
	r.notes.Note(ignoreOutput(r.Output))
	return r.ready(len(table))
}

// ready is what a session needs before there is work.
func (r *run) ready(tasks int) error { return errors.Join(r.reserve(), r.announce(tasks)) }

// announce posts what was chosen; a message that is there already is not
// posted again.
func (r *run) announce(tasks int) error {
	return r.session.Post(session.Message{From: "coordinator", Type: "mode_selected", Ref: r.session.ID(),
		Summary: fmt.Sprintf("mode %s, depth %s, %d tasks", r.mode, r.depth, tasks)})
}

// runner connects the pipeline with the session: the scheduler's goroutine is
// the only one that writes.
func (r *run) runner() pipeline.Runner[result] {
	return pipeline.Runner[result]{
		Limits: pipeline.Limits{
			Concurrency: r.Config.Concurrency, Task: r.Config.TaskTimeout, Grace: grace,
			Budget: r.Config.Timeout, Closing: 2 * time.Second,
		},
		Reuse: func(id string) (v result, ok bool) {
			if !r.resumed { // nothing is kept, and inputs would wait for the baseline
				return v, false
			}
			ok = r.session.Kept(id, r.inputs(id), &v)
			if ok && v.Trial != nil {
				r.mu.Lock()
				r.tried = append(r.tried, *v.Trial)
				r.mu.Unlock()
			}
			return v, ok
		},
		WaveStarted: r.session.BeginWave,
		Started: func(id string, wave int) {
			fmt.Fprintf(r.Progress, "wave %d: %s %s\n", wave, id, r.rows[id].Title)
			if r.rows[id].Role == Executor {
				r.turns.Enter(id)
			}
			r.notes.Note(r.session.TaskStarted(id))
		},
		Finished: func(o pipeline.Outcome[result]) {
			r.turns.Leave(o.ID)
			r.notes.Note(r.session.TaskEnded(o.ID))
		},
		Apply:    r.apply,
		WaveDone: func(n int, _ []pipeline.Outcome[result]) error { return r.session.EndWave(n) },
	}
}

// inputs is the digest of what a task depends on beyond the session's key: the
// results of the tasks it builds on, by their findings.
func (r *run) inputs(id string) string {
	row := r.rows[id]
	text := id
	if row.Role != Scout {
		text += "\n" + r.own().Digest()
	}
	for _, deps := range [][]string{row.Needs, row.After} {
		for _, dep := range deps {
			text += "\n" + dep + " " + r.outcomes[dep].Value.Findings
		}
	}
	return session.Digest([]byte(text))
}

// own is the baseline, joined.
func (r *run) own() *baseline.Baseline { return r.base.Join() }

func (r *run) waited(ctx context.Context) error {
	_, err := r.base.Wait(ctx)
	return err
}

func (r *run) baselineOptions() baseline.Options {
	return baseline.Options{
		Checkout: r.Checkout, Config: r.Config, Session: r.session, Copies: r.copies, Past: r.past, Time: r.time,
		Version: r.Version, Progress: r.Progress, Live: r.Live,
	}
}

// runtimeOptions say where the repository's code will run.
func runtimeOptions(d Deps) runtime.Options {
	c := d.Config
	o := runtime.Options{
		Driver: c.Runtime, Root: d.Root, Env: d.Env, Secrets: c.Secrets(), Install: c.Install,
		Dir: c.WorkingDirectory, Image: c.RuntimeImage, JobContainer: d.JobContainer,
		Log: d.Progress, Hide: []string{d.Output.Path()}, Caches: framework.Caches(), Trusted: d.Past.Default, AcceptWeak: c.AcceptWeak,
		GoTests: func(ctx context.Context, ws *runtime.Workspace) []runtime.GoTest { return targets.GoTests(ctx, ws, c) },
	}
	if c.SetupCommand != "" {
		o.Setup = append(o.Setup, shell(c.SetupCommand))
	}
	return o
}

// shell is how a command line of the user's configuration is run. It comes
// from the base commit or the workflow, never from the change.
func shell(command string) []string { return []string{"sh", "-c", command} }
