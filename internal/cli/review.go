package cli

import (
	"bytes"
	"context"
	"io"
	"slices"

	"github.com/bluekeyes/go-gitdiff/gitdiff"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter"
)

// putReview makes what the report has to say at lines the comments there.
func (a *actions) putReview(ctx context.Context, r *qa.Report, o reporter.Options, p publication) {
	switch {
	case r.Change.Number == 0:
		return // no pull request
	case a.client == nil:
		a.say("review comments: input github-token is empty")
		return
	}
	if err := a.fresh(ctx, r); err != nil {
		a.say("review comments: not posted: %v", err)
		return
	}
	// What was not looked at may still be there.
	settled := !r.Partial && !slices.ContainsFunc(r.Manifest.Engines, func(e qa.Engine) bool { return e.State == "failed" || e.State == "timeout" })
	done, err := a.client.PutReview(ctx, r.Change.Number, r.Change.Head, a.place(p.target), reporter.Review(r, o, func(f *gitdiff.File) bool { return a.fits(ctx, r, f) }), settled)
	if err != nil {
		a.say("review comments: %v", err)
		return
	}
	a.say("review comments: %s", done)
}

// fits reports whether the patch of a file can be carried out on the head commit as it
// stands: the tests were proven on the test merge.
func (a *actions) fits(ctx context.Context, r *qa.Report, f *gitdiff.File) bool {
	content, found, err := a.client.Content(ctx, r.Change.Head, f.NewName)
	return err == nil && found && gitdiff.Apply(io.Discard, bytes.NewReader(content), f) == nil
}
