// Package publish brings a report to where people read it on the code host: outputs and
// summary of the job, check run, comment, comments at lines. Start at
// [Publisher.Publish]. Each of these is a sink of its own: one that is not permitted
// costs a line in the log.
package publish

import (
	"context"
	"fmt"
	"io"

	"github.com/org/qa-action/internal/gh"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter"
	"github.com/org/qa-action/internal/wording"
)

// Publisher publishes for one job of a workflow run.
type Publisher struct {
	Event  gh.Event
	Job    *gh.Job
	Client *gh.Client // nil without a token
	Log    io.Writer
	Asked  string     // the finding that the comment asks about, empty for none
	Own    *qa.Report // of this very run, nil until there is one
	check  *gh.Check  // the check run under way, nil when there is none
}

// Place is which comment and check run are ours: one per workflow, job and
// package, so that the jobs of a matrix do not overwrite each other.
func (p *Publisher) Place(dir string) gh.Place {
	if dir == "" || dir == "." {
		dir = "default"
	}
	return gh.Place{Workflow: p.Event.Workflow, Job: p.Event.Job, Key: dir}
}

// Begin creates the check run.
func (p *Publisher) Begin(ctx context.Context, dir string) {
	sha := p.Event.Head()
	if p.Client == nil || sha == "" {
		p.Say("check run: input github-token is empty or the event names no commit; annotations go to the log")
		return
	}
	name := "QA report (" + p.Event.Job + ")"
	if dir != "" && dir != "." {
		name = "QA report (" + p.Event.Job + ", " + dir + ")"
	}
	var err error
	if p.check, err = p.Client.StartCheck(ctx, gh.CheckSpec{Name: name, SHA: sha, Place: p.Place(dir), DetailsURL: p.Event.RunURL()}); err != nil {
		p.Say("check run: %v; annotations go to the log", err)
	}
}

// Say puts one line into the log; it never fails a run.
func (p *Publisher) Say(format string, args ...any) {
	fmt.Fprintf(p.Log, "qa: %s\n", gh.Disarmed(wording.Line(fmt.Sprintf(format, args...), 600)))
}

// Publication is how one report is published.
type Publication struct {
	Dir                  string   // of the session, relative to the workspace
	Written              []string // reporters whose files are there
	Target               string   // working directory
	Comment, Annotations bool
	// Review asks for comments at lines; of a report that somebody else may have
	// written there are none.
	Review    bool
	Cancelled bool
	// Stale is set when the report is about a commit that is not the head of a
	// pull request any more.
	Stale bool
	// Carry is left in the check run for later runs; only our own run may fill it.
	Carry string
}

// Publish hands the report to every sink, best effort each: a sink that is not
// permitted costs one line in the log and nothing else. Sinks on the runner come
// first, because they need no network.
func (p *Publisher) Publish(ctx context.Context, r *qa.Report, how Publication) {
	o := reporter.Options{Dir: how.Dir, Written: how.Written, Links: p.Links(r)}
	values, err := reporter.Outputs(r, o)
	if err == nil {
		err = p.Job.Outputs(values)
	}
	if err != nil {
		p.Say("outputs: %v", err)
	}
	if text, err := reporter.Text("summary", r, o); err != nil {
		p.Say("job summary: %v", err)
	} else if err := p.Job.Summary(text); err != nil {
		p.Say("job summary: %v", err)
	}
	p.completeCheck(ctx, r, o, how)
	if how.Comment && !how.Stale {
		p.putComment(ctx, r, o, how)
	}
	if how.Review && !how.Cancelled {
		p.putReview(ctx, r, o, how)
	}
	if p.Asked != "" && !how.Stale {
		text, _ := reporter.Explain(r, p.Asked, o)
		p.post(ctx, r, p.Place("explain "+p.Asked), text)
	}
}

// Links are addresses on the code host, at the commit that the report is about.
func (p *Publisher) Links(r *qa.Report) reporter.Links {
	return reporter.Links{Server: p.Event.ServerURL, Repository: p.Event.Repository(), SHA: r.Change.Head, Number: r.Change.Number, Run: p.Event.RunURL()}
}

// completeCheck ends the check run; where there is none, the annotations go to
// the log.
func (p *Publisher) completeCheck(ctx context.Context, r *qa.Report, o reporter.Options, how Publication) {
	out := reporter.Check(r, o)
	out.Carry = how.Carry
	if how.Cancelled {
		out.Conclusion = "cancelled"
	}
	if !how.Annotations {
		out.Annotations = nil
	}
	if p.check != nil {
		shown, err := p.check.Complete(ctx, out)
		if err == nil {
			p.Say("check run: completed with %d of %d annotations %s", shown, len(out.Annotations), p.check.URL)
			return
		}
		p.Say("check run: %v", err)
	}
	if !how.Annotations {
		return
	}
	text, err := reporter.Text("annotations", r, o)
	if err != nil {
		p.Say("annotations: %v", err)
		return
	}
	fmt.Fprint(p.Log, text)
}
