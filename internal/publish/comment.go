package publish

import (
	"context"
	"errors"
	"slices"

	"github.com/bluekeyes/go-gitdiff/gitdiff"

	"github.com/org/qa-action/internal/gh"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter"
)

// putComment makes the report the one comment on the pull request, unless a
// newer push has made it stale.
func (p *Publisher) putComment(ctx context.Context, r *qa.Report, o reporter.Options, how Publication) {
	text, err := reporter.Text("comment", r, o)
	if err != nil {
		p.Say("comment: %v", err)
		return
	}
	p.post(ctx, r, p.Place(how.Target), text)
}

// post makes a text the one comment of a place.
func (p *Publisher) post(ctx context.Context, r *qa.Report, at gh.Place, text string) {
	if !p.mayPost(ctx, r, "comment") {
		return
	}
	done, address, err := p.Client.PutComment(ctx, r.Change.Number, at, text)
	if err != nil {
		p.Say("comment: %v", err)
		return
	}
	p.Say("comment: %s %s", done, address)
}

// mayPost reports whether there is a pull request that a report is about, and says
// why something is not posted there.
func (p *Publisher) mayPost(ctx context.Context, r *qa.Report, what string) bool {
	if r.Change.Number == 0 {
		return false
	}
	if p.Client == nil {
		p.Say("%s: input github-token is empty", what)
		return false
	}
	if err := p.fresh(ctx, r); err != nil {
		p.Say("%s: not posted: %v", what, err)
		return false
	}
	return true
}

// fresh makes sure that a report is about the head of its pull request, or that
// only we have moved it since, by the tests that we delivered.
func (p *Publisher) fresh(ctx context.Context, r *qa.Report) error {
	err := p.Client.Fresh(ctx, r.Change.Number, r.Change.Head)
	if errors.Is(err, gh.ErrClosed) && p.Event.Pull != nil && p.Event.Pull.Closed {
		return nil // so it was when the run was asked for
	}
	d := r.Manifest.Delivery
	// Of a report that somebody else may have written this is not believed.
	if p.Own != r || d == nil || d.Way != "commit" || d.Commit == "" || !errors.Is(err, gh.ErrStale) {
		return err
	}
	return p.Client.Fresh(ctx, r.Change.Number, d.Commit)
}

// putReview makes what the report has to say at lines the comments there.
func (p *Publisher) putReview(ctx context.Context, r *qa.Report, o reporter.Options, how Publication) {
	if !p.mayPost(ctx, r, "review comments") {
		return
	}
	review := gh.Review{Number: r.Change.Number, Head: r.Change.Head, Place: p.Place(how.Target)}
	// What was not looked at may still be there.
	review.Settled = !r.Partial && !slices.ContainsFunc(r.Manifest.Engines, func(e qa.Engine) bool { return e.State == "failed" || e.State == "timeout" })
	done, err := review.Put(ctx, p.Client, reporter.Review(r, o, func(f *gitdiff.File) bool { return review.Fits(ctx, p.Client, f) }))
	if err != nil {
		p.Say("review comments: %v", err)
		return
	}
	p.Say("review comments: %s", done)
}
