package gh

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"strings"

	"github.com/google/go-github/v62/github"
)

// maxComment is the longest body every reading of GitHub's limit accepts.
const maxComment = 65_536

// Place says which of our comments and checks is meant: one per workflow, job
// and key. The key tells the cells of a matrix apart.
type Place struct{ Workflow, Job, Key string }

// marker is the hidden first line of our comment.
func (p Place) marker() string {
	return "<!-- " + p.ID() + " -->"
}

const idStart = "qa-action:v1:"

// ID names the place for the API: the external id of its check run.
func (p Place) ID() string {
	return idStart + word(p.Workflow) + ":" + word(p.Job) + ":" + word(p.Key)
}

// word escapes whatever could end a marker or a part of it.
func word(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', c == '.':
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// What became of a comment.
const (
	created   = "created"
	updated   = "updated"
	unchanged = "unchanged"
)

// PutComment makes body the one comment of its place on a pull request: edits
// the one that is there, leaves it when it says the same, creates it otherwise.
// Only a comment that begins with the marker and was written by us counts; the
// marker alone anybody can write. When two runs create one at the same time the
// younger goes; when somebody deletes ours while we look it is created again.
// It returns what it did and the address.
func (c *Client) PutComment(ctx context.Context, number int, place Place, body string) (done, address string, err error) {
	text := place.marker() + "\n" + digestLine(body) + "\n" + body
	if len(text) > maxComment {
		return "", "", fmt.Errorf("comment: %d bytes, expected at most %d", len(text), maxComment)
	}
	err = c.settle(ctx, func() (open bool, err error) {
		done, address, open, err = c.putOnce(ctx, number, place, body, text)
		return open, err
	})
	return done, address, err
}

// ReplaceComment makes body the comment of a place that stands on a pull request, and
// writes none where there is none. It returns the address.
func (c *Client) ReplaceComment(ctx context.Context, number int, place Place, body string) (address string, err error) {
	ours, err := c.ours(ctx, number, place, "")
	if err != nil || len(ours) == 0 {
		return "", err
	}
	_, address, err = c.PutComment(ctx, number, place, body)
	return address, err
}

// putOnce looks and writes; open says that the failure may be over after
// another look.
func (c *Client) putOnce(ctx context.Context, number int, place Place, body, text string) (done, address string, open bool, err error) {
	ours, err := c.ours(ctx, number, place, "")
	if err != nil {
		return "", "", false, err
	}
	if len(ours) > 0 {
		return c.edit(ctx, ours, body, text)
	}
	made, resp, err := c.api.Issues.CreateComment(ctx, c.owner, c.repo, number, &github.IssueComment{Body: &text})
	if err != nil {
		return "", "", unclear(ctx, resp, err), failed("create the comment", err)
	}
	// Now we know who we are, and see what another run may have created.
	ours, err = c.ours(ctx, number, place, made.GetUser().GetLogin())
	if err != nil || len(ours) < 2 {
		return created, made.GetHTMLURL(), false, err
	}
	return c.edit(ctx, ours, body, text)
}

// edit makes the oldest comment the one that stays.
func (c *Client) edit(ctx context.Context, ours []*github.IssueComment, body, text string) (done, address string, open bool, err error) {
	first := ours[0]
	done = unchanged
	if !strings.Contains(secondLine(first.GetBody()), digestLine(body)) {
		if _, resp, err := c.api.Issues.EditComment(ctx, c.owner, c.repo, first.GetID(), &github.IssueComment{Body: &text}); err != nil {
			return "", "", resp != nil && resp.StatusCode == http.StatusNotFound, failed("edit the comment", err)
		}
		done = updated
	}
	var problems []error
	for _, younger := range ours[1:] {
		if resp, err := c.api.Issues.DeleteComment(ctx, c.owner, c.repo, younger.GetID()); err != nil && (resp == nil || resp.StatusCode != 404) {
			problems = append(problems, failed("delete the duplicate comment", err))
		}
	}
	return done, first.GetHTMLURL(), false, errors.Join(problems...)
}

// ours lists our comments of a place, oldest first. login is our name, empty
// when it is not known yet.
func (c *Client) ours(ctx context.Context, number int, place Place, login string) ([]*github.IssueComment, error) {
	var out []*github.IssueComment
	who := author{client: c}
	for comment, err := range comments(ctx, c, number) {
		if err != nil {
			return nil, failed("list the comments", err)
		}
		if !strings.HasPrefix(comment.GetBody(), place.marker()) {
			continue
		}
		mine := comment.GetUser().GetLogin() == login
		if login == "" {
			if mine, err = who.is(ctx, comment.GetUser()); err != nil {
				return nil, err
			}
		}
		if mine {
			out = append(out, comment)
		}
	}
	return out, nil
}

// comments are those on a pull request as a whole.
func comments(ctx context.Context, c *Client, number int) iter.Seq2[*github.IssueComment, error] {
	opts := &github.IssueListCommentsOptions{}
	return listed(&opts.ListOptions, func() ([]*github.IssueComment, *github.Response, error) {
		return c.api.Issues.ListComments(ctx, c.owner, c.repo, number, opts)
	})
}

// lineComments are those at its lines, oldest first.
func lineComments(ctx context.Context, c *Client, number int) iter.Seq2[*github.PullRequestComment, error] {
	opts := &github.PullRequestListCommentsOptions{Sort: "created", Direction: "asc"}
	return listed(&opts.ListOptions, func() ([]*github.PullRequestComment, *github.Response, error) {
		return c.api.PullRequests.ListComments(ctx, c.owner, c.repo, number, opts)
	})
}

// login is the name of the token's user, "github-actions[bot]" for the job's own
// token, which may not ask.
func (c *Client) login(ctx context.Context) (string, error) {
	user, _, err := c.api.Users.Get(ctx, "")
	if err = failed("ask whose token this is", err); errors.Is(err, ErrForbidden) {
		return "github-actions[bot]", nil
	}
	return user.GetLogin(), err
}

func digestLine(body string) string {
	sum := sha256.Sum256([]byte(body))
	return "<!-- sha256:" + hex.EncodeToString(sum[:]) + " -->"
}

func secondLine(body string) string {
	_, rest, _ := strings.Cut(body, "\n")
	line, _, _ := strings.Cut(rest, "\n")
	return line
}
