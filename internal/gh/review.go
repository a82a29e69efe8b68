package gh

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
	"github.com/google/go-github/v62/github"

	"github.com/org/qa-action/internal/qa"
)

// perReview is how many comments one review brings at most; with more of them
// GitHub runs out of time.
const perReview = 30

// Reviewed counts what became of review comments.
type Reviewed struct {
	New, Unchanged, Updated int
	// Gone are those whose reason is no more: removed, or marked where people answered.
	Gone int
	// Later are those that one push has no room for.
	Later int
	// Elsewhere are those that no line of the diff is there for.
	Elsewhere int
}

// String gives "2 new, 1 unchanged, 3 not in the diff".
func (r Reviewed) String() string {
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{{r.New, "new"}, {r.Updated, "updated"}, {r.Unchanged, "unchanged"}, {r.Gone, "gone"}, {r.Later, "left for the next push"}, {r.Elsewhere, "at no line of the diff"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// Review is what stands at the lines of a pull request, of one place. It never
// approves and never asks for changes.
type Review struct {
	Number int
	Head   string // the commit that it is about
	Place  Place
	// Settled says that all that could be wanted is: comments that are not go.
	Settled bool
}

// Put makes the comments those of the review's place: those that stand there already
// stay, new ones come in one review. A comment stands only where the diff has the
// lines that it was written about.
func (r Review) Put(ctx context.Context, c *Client, comments []qa.ReviewComment) (done Reviewed, err error) {
	files, _, err := c.Files(ctx, r.Number)
	if err != nil {
		return done, err
	}
	shown := map[string]diffed{}
	for _, f := range files {
		shown[f.Path] = rightSide(f.Patch)
	}
	err = c.settle(ctx, func() (open bool, err error) {
		p := putting{Review: r, client: c, shown: shown}
		open, err = p.put(ctx, comments)
		done = p.done
		return open, err
	})
	return done, err
}

// Fits reports whether the patch of a file can be carried out on the head commit as it
// stands: it may have been made on the test merge.
func (r Review) Fits(ctx context.Context, c *Client, f *gitdiff.File) bool {
	content, found, err := c.Content(ctx, r.Head, f.NewName)
	return err == nil && found && gitdiff.Apply(io.Discard, bytes.NewReader(content), f) == nil
}

// putting is one way through the comments of a pull request.
type putting struct {
	Review
	client *Client
	shown  map[string]diffed
	done   Reviewed
}

// put looks at what stands there and writes; open says that a failure may be over
// after another look.
func (r *putting) put(ctx context.Context, comments []qa.ReviewComment) (open bool, err error) {
	there, err := r.ours(ctx)
	if err != nil {
		return false, err
	}
	var fresh []*github.DraftReviewComment
	for _, want := range comments {
		spot, ok := r.shown[want.Path].place(want)
		if !ok {
			r.done.Elsewhere++
			delete(there, word(want.About)) // it is still found: what stands there stays
			continue
		}
		text := r.mark(want.About) + "\n" + want.Body + spot.Suggestion
		about := word(want.About)
		if old := there[about]; old != nil && old.at(want.Path, spot.Lines) {
			delete(there, about)
			if err := r.keep(ctx, old, text); err != nil {
				return false, err
			}
			continue
		}
		if len(fresh) == perReview {
			r.done.Later++
			continue
		}
		fresh = append(fresh, draft(want.Path, spot.Lines, text))
	}
	for _, old := range there {
		if !r.Settled {
			break
		}
		if err := r.end(ctx, old); err != nil {
			return false, err
		}
	}
	if len(fresh) == 0 {
		return false, nil
	}
	_, resp, err := r.client.api.PullRequests.CreateReview(ctx, r.client.owner, r.client.repo, r.Number,
		&github.PullRequestReviewRequest{CommitID: &r.Head, Event: github.String("COMMENT"), Comments: fresh})
	if err != nil {
		return unclear(ctx, resp, err), failed("comment on lines", err)
	}
	r.done.New = len(fresh)
	return false, nil
}

func draft(path string, lines qa.Range, text string) *github.DraftReviewComment {
	side := github.String("RIGHT")
	out := &github.DraftReviewComment{Path: &path, Body: &text, Line: &lines.End, Side: side}
	if lines.Start < lines.End {
		out.StartLine, out.StartSide = &lines.Start, side
	}
	return out
}

// standing is a comment of ours at a line, with whether people answered.
type standing struct {
	*github.PullRequestComment
	answered bool
}

// at reports whether the comment is still at these lines.
func (s *standing) at(path string, lines qa.Range) bool {
	return s.GetPath() == path && s.GetLine() == lines.End && cmp.Or(s.GetStartLine(), s.GetLine()) == lines.Start
}

// mark is the hidden first line of a comment.
func (r Review) mark(about string) string {
	return strings.TrimSuffix(r.Place.marker(), " -->") + ":" + word(about) + " -->"
}

// ours are the comments of our place by what they are about. Two runs at once can
// leave several about one thing: the younger ones are about nothing that is wanted.
func (r *putting) ours(ctx context.Context) (map[string]*standing, error) {
	out, ids := map[string]*standing{}, map[int64]*standing{}
	prefix := strings.TrimSuffix(r.Place.marker(), " -->") + ":"
	who := author{client: r.client}
	for comment, err := range lineComments(ctx, r.client, r.Number) {
		if err != nil {
			return nil, failed("list the comments on lines", err)
		}
		if to := ids[comment.GetInReplyTo()]; to != nil {
			to.answered = true
		}
		rest, ours := strings.CutPrefix(comment.GetBody(), prefix)
		about, _, whole := strings.Cut(rest, " -->\n")
		if !ours || !whole || comment.GetInReplyTo() != 0 {
			continue
		}
		if mine, err := who.is(ctx, comment.GetUser()); err != nil {
			return nil, err
		} else if !mine {
			continue
		}
		if out[about] != nil {
			about = fmt.Sprint(about, " ", comment.GetID())
		}
		out[about] = &standing{PullRequestComment: comment}
		ids[comment.GetID()] = out[about]
	}
	return out, nil
}

// keep makes text what a comment says.
func (r *putting) keep(ctx context.Context, old *standing, text string) error {
	if strings.TrimSpace(strings.ReplaceAll(old.GetBody(), "\r\n", "\n")) == strings.TrimSpace(text) {
		r.done.Unchanged++
		return nil
	}
	r.done.Updated++
	_, _, err := r.client.api.PullRequests.EditComment(ctx, r.client.owner, r.client.repo, old.GetID(), &github.PullRequestComment{Body: &text})
	return failed("change the comment on a line", err)
}

// over begins what a comment says whose reason is no more.
const over = "**Not found any more.**\n\n"

// end takes a comment away whose reason is no more; one that people answered says so
// instead.
func (r *putting) end(ctx context.Context, old *standing) error {
	mark, said, _ := strings.Cut(old.GetBody(), "\n")
	if strings.HasPrefix(said, over) {
		return nil
	}
	r.done.Gone++
	if old.answered {
		text := mark + "\n" + over + said
		_, _, err := r.client.api.PullRequests.EditComment(ctx, r.client.owner, r.client.repo, old.GetID(), &github.PullRequestComment{Body: &text})
		return failed("change the comment on a line", err)
	}
	resp, err := r.client.api.PullRequests.DeleteComment(ctx, r.client.owner, r.client.repo, old.GetID())
	if resp != nil && resp.StatusCode == http.StatusNotFound {
		return nil
	}
	return failed("remove the comment on a line", err)
}

// diffed is what a diff shows of a file's head side: by line, its text and in which
// hunk it stands.
type diffed map[int]struct {
	text string
	hunk int
}

// rightSide reads a patch as GitHub lists it, hunks alone. Of one that cannot be read
// no line is there.
func rightSide(patch string) diffed {
	out := diffed{}
	if patch == "" {
		return out
	}
	files, _, err := gitdiff.Parse(strings.NewReader("--- a/f\n+++ b/f\n" + patch + "\n"))
	if err != nil || len(files) != 1 {
		return out
	}
	for hunk, f := range files[0].TextFragments {
		at := int(f.NewPosition)
		for _, l := range f.Lines {
			if l.Op == gitdiff.OpDelete {
				continue
			}
			out[at] = struct {
				text string
				hunk int
			}{strings.TrimRight(l.Line, "\r\n"), hunk}
			at++
		}
	}
	return out
}

// place is the first spot of a comment that the diff shows with the text that it was
// written about.
func (d diffed) place(want qa.ReviewComment) (qa.Spot, bool) {
	for _, spot := range want.Spots {
		if d.shows(spot) {
			return spot, true
		}
	}
	return qa.Spot{}, false
}

func (d diffed) shows(spot qa.Spot) bool {
	first, ok := d[spot.Lines.Start]
	if !ok || len(spot.Seen) == 0 || spot.Exact && len(spot.Seen) != spot.Lines.Len() {
		return false
	}
	for n := spot.Lines.Start; n <= spot.Lines.End; n++ {
		line, ok := d[n]
		if !ok || line.hunk != first.hunk {
			return false
		}
		i := n - spot.Lines.Start
		if i < len(spot.Seen) && line.text != spot.Seen[i] && (spot.Exact || strings.TrimSpace(line.text) != strings.TrimSpace(spot.Seen[i])) {
			return false
		}
	}
	return true
}

// author tells whose comments are ours: those of every bot, because a token of an app
// cannot ask who it is, and those of a person whose token it is.
type author struct {
	client *Client
	me     string
}

func (a *author) is(ctx context.Context, user *github.User) (bool, error) {
	if user.GetType() == "Bot" {
		return true, nil
	}
	if a.me == "" {
		me, err := a.client.login(ctx)
		if err != nil {
			return false, err
		}
		a.me = me
	}
	return user.GetLogin() == a.me, nil
}
