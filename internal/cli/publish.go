package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/org/qa-action/internal/gh"
	"github.com/org/qa-action/internal/mode"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/wording"
)

const (
	publishTime = 5 * time.Minute
	// A cancelled step has 7.5 seconds until SIGTERM and 2.5 more until the end.
	cancelledTime = 5 * time.Second
)

// place is which comment and check run are ours: one per workflow, job and
// package, so that the jobs of a matrix do not overwrite each other.
func (a *actions) place(dir string) gh.Place {
	if dir == "" || dir == "." {
		dir = "default"
	}
	return gh.Place{Workflow: a.event.Workflow, Job: a.event.Job, Key: dir}
}

// fill adds what only the event knows.
func (a *actions) fill(ctx context.Context, env *Env, d *mode.Deps) {
	if a == nil {
		return
	}
	if name := a.event.Repository(); name != "" {
		d.Repository = name
	}
	d.Files.Commented = gh.Dismissals(ctx, a.client, a.event.Pull, a.say)
	d.Machine.JobContainer = env.Getenv("INPUT_JOB-CONTAINER-ID")
}

// start shows that a run is under way and returns what ends it: publishing, on
// every way out.
func (a *actions) start(ctx context.Context, env *Env, s *setup) func(error) {
	if a == nil {
		return func(error) {}
	}
	// The runner reads two streams in no order; commands and what they are
	// about must be one.
	env.Stderr = env.Stdout
	a.begin(ctx, s.config.WorkingDirectory)
	return func(why error) { a.finish(ctx, s, why) }
}

// begin creates the check run.
func (a *actions) begin(ctx context.Context, dir string) {
	sha := a.event.Head()
	if a.client == nil || sha == "" {
		a.say("check run: input github-token is empty or the event names no commit; annotations go to the log")
		return
	}
	name := "QA report (" + a.event.Job + ")"
	if dir != "" && dir != "." {
		name = "QA report (" + a.event.Job + ", " + dir + ")"
	}
	var err error
	if a.check, err = a.client.StartCheck(ctx, gh.CheckSpec{Name: name, SHA: sha, Place: a.place(dir), DetailsURL: a.event.RunURL()}); err != nil {
		a.say("check run: %v; annotations go to the log", err)
	}
}

// say puts one line into the log; it never fails a run.
func (a *actions) say(format string, args ...any) {
	fmt.Fprintf(a.log, "qa: %s\n", disarmed(wording.Line(fmt.Sprintf(format, args...), 600)))
}

// watch runs the loop while the runner obeys no command in what it prints.
func (a *actions) watch(run func() (*mode.Result, error)) (*mode.Result, error) {
	if a == nil {
		return run()
	}
	resume, err := a.job.Stop()
	if err != nil {
		return nil, err
	}
	a.result, err = run()
	return a.result, errors.Join(err, resume())
}

// finish publishes whatever there is. ctx may be cancelled; publishing has time
// of its own.
func (a *actions) finish(ctx context.Context, s *setup, why error) {
	limit, cancelled := publishTime, ctx.Err() != nil
	if cancelled {
		limit = cancelledTime
	}
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer stop()
	defer func() {
		settle(a.log, a.result)
		if err := rooted.GiveBack(s.root, filepath.Join(s.root, filepath.FromSlash(s.config.OutputDir)), filepath.Join(s.root, ".git")); err != nil {
			a.say("ownership: %v", err)
		}
	}()
	if a.result == nil || a.result.Report == nil {
		a.withoutReport(ctx, cancelled, why)
		if s.config.Comment && !cancelled {
			a.overwrite(ctx, s.config.WorkingDirectory, why)
		}
		return
	}
	rel, err := filepath.Rel(s.root, a.result.Dir)
	if err != nil {
		a.say("publish: %v", err)
		a.withoutReport(ctx, cancelled, err)
		return
	}
	a.publish(ctx, a.result.Report, publication{
		dir: filepath.ToSlash(rel), written: a.result.Files, target: s.config.WorkingDirectory,
		comment: s.config.Comment, annotations: s.config.Annotations, review: s.config.ReviewComments, cancelled: cancelled, carry: a.result.Carry,
	})
}

// settle ends the session of a run whose result has gone where it belongs.
func settle(log io.Writer, res *mode.Result) {
	if res == nil {
		return
	}
	if err := res.Done(); err != nil {
		fmt.Fprintf(log, "qa: session: %s\n", disarmed(wording.Line(err.Error(), 600)))
	}
}

// publication is how one report is published.
type publication struct {
	dir                  string   // of the session, relative to the workspace
	written              []string // reporters whose files are there
	target               string   // working directory
	comment, annotations bool
	// review asks for comments at lines; of a report that somebody else may have
	// written there are none.
	review    bool
	cancelled bool
	// stale is set when the report is about a commit that is not the head of a
	// pull request any more.
	stale bool
	// carry is left in the check run for later runs; only our own run may fill it.
	carry string
}

// publish hands the report to every sink, best effort each: a sink that is not
// permitted costs one line in the log and nothing else. Sinks on the runner come
// first, because they need no network.
func (a *actions) publish(ctx context.Context, r *qa.Report, p publication) {
	o := reporter.Options{Dir: p.dir, Written: p.written, Links: a.links(r)}
	values, err := reporter.Outputs(r, o)
	if err == nil {
		err = a.job.Outputs(values)
	}
	if err != nil {
		a.say("outputs: %v", err)
	}
	if text, err := rendered("summary", r, o); err != nil {
		a.say("job summary: %v", err)
	} else if err := a.job.Summary(text); err != nil {
		a.say("job summary: %v", err)
	}
	a.completeCheck(ctx, r, o, p)
	if p.comment && !p.stale {
		a.putComment(ctx, r, o, p)
	}
	if p.review && !p.cancelled {
		a.putReview(ctx, r, o, p)
	}
	if a.asked != "" && !p.stale {
		text, _ := reporter.Explain(r, a.asked, o)
		a.post(ctx, r, a.place("explain "+a.asked), text)
	}
}

// links are addresses on the code host, at the commit that the report is about.
func (a *actions) links(r *qa.Report) reporter.Links {
	return reporter.Links{Server: a.event.ServerURL, Repository: a.event.Repository(), SHA: r.Change.Head, Number: r.Change.Number, Run: a.event.RunURL()}
}

func rendered(name string, r *qa.Report, o reporter.Options) (string, error) {
	var b bytes.Buffer
	err := reporter.Render(&b, name, r, o)
	return b.String(), err
}

// completeCheck ends the check run; where there is none, the annotations go to
// the log.
func (a *actions) completeCheck(ctx context.Context, r *qa.Report, o reporter.Options, p publication) {
	out := reporter.Check(r, o)
	out.Carry = p.carry
	if p.cancelled {
		out.Conclusion = "cancelled"
	}
	if !p.annotations {
		out.Annotations = nil
	}
	if a.check != nil {
		shown, err := a.check.Complete(ctx, out)
		if err == nil {
			a.say("check run: completed with %d of %d annotations %s", shown, len(out.Annotations), a.check.URL)
			return
		}
		a.say("check run: %v", err)
	}
	if !p.annotations {
		return
	}
	text, err := rendered("annotations", r, o)
	if err != nil {
		a.say("annotations: %v", err)
		return
	}
	fmt.Fprint(a.log, text)
}

// putComment makes the report the one comment on the pull request, unless a
// newer push has made it stale.
func (a *actions) putComment(ctx context.Context, r *qa.Report, o reporter.Options, p publication) {
	text, err := rendered("comment", r, o)
	if err != nil {
		a.say("comment: %v", err)
		return
	}
	a.post(ctx, r, a.place(p.target), text)
}

// post makes a text the one comment of a place.
func (a *actions) post(ctx context.Context, r *qa.Report, at gh.Place, text string) {
	if !a.mayPost(ctx, r, "comment") {
		return
	}
	done, address, err := a.client.PutComment(ctx, r.Change.Number, at, text)
	if err != nil {
		a.say("comment: %v", err)
		return
	}
	a.say("comment: %s %s", done, address)
}

// mayPost reports whether there is a pull request that a report is about, and says
// why something is not posted there.
func (a *actions) mayPost(ctx context.Context, r *qa.Report, what string) bool {
	if r.Change.Number == 0 {
		return false
	}
	if a.client == nil {
		a.say("%s: input github-token is empty", what)
		return false
	}
	if err := a.fresh(ctx, r); err != nil {
		a.say("%s: not posted: %v", what, err)
		return false
	}
	return true
}

// fresh makes sure that a report is about the head of its pull request, or that
// only we have moved it since, by the tests that we delivered.
func (a *actions) fresh(ctx context.Context, r *qa.Report) error {
	err := a.client.Fresh(ctx, r.Change.Number, r.Change.Head)
	if errors.Is(err, gh.ErrClosed) && a.event.Pull != nil && a.event.Pull.Closed {
		return nil // so it was when the run was asked for
	}
	d := r.Manifest.Delivery
	// Of a report that somebody else may have written this is not believed.
	if own := a.result != nil && a.result.Report == r; !own || d == nil || d.Way != "commit" || d.Commit == "" || !errors.Is(err, gh.ErrStale) {
		return err
	}
	return a.client.Fresh(ctx, r.Change.Number, d.Commit)
}
