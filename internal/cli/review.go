package cli

import (
	"context"
	"slices"

	"github.com/bluekeyes/go-gitdiff/gitdiff"

	"github.com/org/qa-action/internal/gh"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter"
)

// putReview makes what the report has to say at lines the comments there.
func (a *actions) putReview(ctx context.Context, r *qa.Report, o reporter.Options, p publication) {
	if !a.mayPost(ctx, r, "review comments") {
		return
	}
	review := gh.Review{Number: r.Change.Number, Head: r.Change.Head, Place: a.place(p.target)}
	// What was not looked at may still be there.
	review.Settled = !r.Partial && !slices.ContainsFunc(r.Manifest.Engines, func(e qa.Engine) bool { return e.State == "failed" || e.State == "timeout" })
	done, err := review.Put(ctx, a.client, reporter.Review(r, o, func(f *gitdiff.File) bool { return review.Fits(ctx, a.client, f) }))
	if err != nil {
		a.say("review comments: %v", err)
		return
	}
	a.say("review comments: %s", done)
}
