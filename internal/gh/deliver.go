package gh

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/google/go-github/v62/github"

	"github.com/org/qa-action/internal/wording"
)

// deliveredTrailer ends the message of every commit of ours; its value is the
// commit that the files were proven on. It is how we know our commits again.
const deliveredTrailer = "Qa-Delivered: "

// Delivery is files for the branch of a pull request.
type Delivery struct {
	Number int
	Head   string // commit that the files were proven on
	// Branch is empty to commit on the pull request's own branch. Otherwise it
	// is a branch of ours, from which a pull request against that one is made.
	Branch  string
	Subject string // of the commit, title of the pull request
	// Reasons say of each test why it is there, a line of the commit's message each.
	Reasons []string
	Body    string // of the pull request, Markdown
	Paths   []string
	// Edit makes the contents of Paths from what they hold at Head; what does
	// not exist there is missing from old.
	Edit func(old map[string][]byte) (map[string][]byte, error)
}

// Delivered is what became of a delivery.
type Delivered struct {
	Commit string // empty when everything was there already
	URL    string // of the commit or the pull request
}

// Deliver commits files through the Git data API, so that nothing is checked out
// and no credential reaches git. It writes to branches of this repository only,
// never to the default or a protected branch, and only while the pull request
// still has the head that the files were proven on. The error says which of
// these it was; nothing was written then.
func (c *Client) Deliver(ctx context.Context, d Delivery) (Delivered, error) {
	return handover{c, d}.make(ctx)
}

// handover is a delivery while it is made.
type handover struct {
	c *Client
	Delivery
}

func (d handover) make(ctx context.Context) (Delivered, error) {
	pull, err := d.deliverable(ctx)
	if errors.Is(err, ErrStale) && d.Branch == "" {
		if done, here := d.deliveredBefore(ctx, pull.HeadSHA); here {
			return done, nil
		}
	}
	if err != nil {
		return Delivered{}, err
	}
	own, branch := d.Branch == "", d.Branch
	if own {
		branch = pull.HeadRef
	}
	if err := d.unguarded(ctx, branch, pull.DefaultBranch); err != nil {
		return Delivered{}, err
	}
	head, err := d.c.commitAt(ctx, d.Head)
	if err != nil {
		return Delivered{}, err
	}
	if strings.Contains(head.message, deliveredTrailer) {
		return Delivered{}, fmt.Errorf("commit %.7s is a delivery itself; the next push of somebody gets tests again", d.Head)
	}
	if own {
		return d.commitOn(ctx, head, branch)
	}
	return d.propose(ctx, head, pull.HeadRef)
}

// deliveredBefore finds the same delivery in the commit that the pull request is
// at now: an earlier attempt ended after it had moved the branch, and before it
// could say so.
func (d handover) deliveredBefore(ctx context.Context, at string) (Delivered, bool) {
	there, err := d.c.commitAt(ctx, at)
	if err != nil || !strings.HasSuffix(there.message, deliveredTrailer+d.Head) || !slices.Equal(there.parents, []string{d.Head}) {
		return Delivered{}, false
	}
	head, err := d.c.commitAt(ctx, d.Head)
	if err != nil {
		return Delivered{}, false
	}
	// The same files make the same tree; the commit that is made for it stays
	// without a name.
	made, err := d.commitFiles(ctx, head)
	return Delivered{Commit: there.sha, URL: there.url}, err == nil && made.tree == there.tree
}

// deliverable holds the pull request as it is now against what a delivery may
// be for. It is given beside [ErrStale], too.
func (d handover) deliverable(ctx context.Context) (*Pull, error) {
	pull, err := d.c.Pull(ctx, d.Number)
	if err != nil {
		return nil, err
	}
	switch {
	case pull.Closed:
		return nil, fmt.Errorf("pull request #%d is closed", d.Number)
	case pull.HeadRepo != d.c.owner+"/"+d.c.repo:
		return nil, fmt.Errorf("pull request #%d is of the fork %q, whose branches are not written to", d.Number, wording.Line(pull.HeadRepo, 300))
	case pull.HeadSHA != d.Head:
		return pull, fmt.Errorf("pull request #%d is at %.7s, the tests were proven on %.7s: %w", d.Number, pull.HeadSHA, d.Head, ErrStale)
	}
	return pull, nil
}

// harmless are the rules of rulesets that do not say how commits get in.
func harmless(rule string) bool {
	return slices.Contains([]string{"creation", "deletion", "non_fast_forward", "required_linear_history", "required_signatures"}, rule)
}

// unguarded makes sure that a branch, which need not exist, is neither the
// default branch nor protected, by a branch protection rule or a ruleset.
func (d handover) unguarded(ctx context.Context, branch, defaultBranch string) error {
	if branch == "" || branch == defaultBranch {
		return fmt.Errorf("branch %q is the default branch", branch)
	}
	var b github.Branch
	found, err := d.get(ctx, "branches", branch, &b)
	if err != nil {
		return failed("ask how branch "+wording.Line(branch, 300)+" is protected", err)
	}
	if found && b.GetProtected() {
		return fmt.Errorf("branch %q is protected", branch)
	}
	// The library refuses kinds of rules that it does not know.
	var rules []struct {
		Type string `json:"type"`
	}
	if _, err := d.get(ctx, "rules/branches", branch, &rules); err != nil {
		return failed("ask for the rules of branch "+wording.Line(branch, 300), err)
	}
	for _, r := range rules {
		if !harmless(r.Type) {
			return fmt.Errorf("branch %q is protected by the rule %s", branch, wording.Line(r.Type, 300))
		}
	}
	return nil
}

// get reads what the API says of a branch; found is false for 404.
func (d handover) get(ctx context.Context, what, branch string, into any) (found bool, err error) {
	parts := strings.Split(branch, "/")
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
	}
	req, err := d.c.api.NewRequest(http.MethodGet, fmt.Sprintf("repos/%s/%s/%s/%s", d.c.owner, d.c.repo, what, strings.Join(parts, "%2F")), nil)
	if err != nil {
		return false, err
	}
	resp, err := d.c.api.Do(ctx, req, into)
	if resp != nil && resp.StatusCode == http.StatusNotFound {
		return false, nil
	}
	return err == nil, err
}

// commitOn adds a commit to the pull request's own branch.
func (d handover) commitOn(ctx context.Context, head gitCommit, branch string) (Delivered, error) {
	made, err := d.commitFiles(ctx, head)
	if err != nil || made.tree == head.tree {
		return Delivered{}, err
	}
	// Not forced: when somebody pushed in between, this is refused.
	_, resp, err := d.c.api.Git.UpdateRef(ctx, d.c.owner, d.c.repo, &github.Reference{
		Ref: github.String("refs/heads/" + branch), Object: &github.GitObject{SHA: &made.sha}}, false)
	if resp != nil && resp.StatusCode == http.StatusUnprocessableEntity {
		return Delivered{}, fmt.Errorf("branch %q was not moved: %w (%w)", branch, ErrStale, failed("move it", err))
	}
	return Delivered{Commit: made.sha, URL: made.url}, failed("move branch "+wording.Line(branch, 300), err)
}

// propose puts the files on a branch of ours and makes, or keeps, the one pull
// request of it against branch.
func (d handover) propose(ctx context.Context, head gitCommit, base string) (Delivered, error) {
	open, err := d.proposal(ctx, d.Branch, base)
	if err != nil {
		return Delivered{}, err
	}
	ref := github.Reference{Ref: github.String("refs/heads/" + d.Branch), Object: &github.GitObject{}}
	there, resp, err := d.c.api.Git.GetRef(ctx, d.c.owner, d.c.repo, *ref.Ref)
	exists := resp == nil || resp.StatusCode != http.StatusNotFound
	if err != nil && exists {
		return Delivered{}, failed("look for branch "+wording.Line(d.Branch, 300), err)
	}
	var old gitCommit
	if exists {
		if old, err = d.c.commitAt(ctx, there.GetObject().GetSHA()); err != nil {
			return Delivered{}, err
		}
		if !strings.Contains(old.message, deliveredTrailer) {
			return Delivered{}, fmt.Errorf("branch %q ends in commit %.7s of somebody else, which is not overwritten", d.Branch, old.sha)
		}
	}
	made, err := d.commitFiles(ctx, head)
	if err != nil || made.tree == head.tree {
		return Delivered{}, err
	}
	ref.Object.SHA = &made.sha
	switch {
	case exists && old.tree == made.tree && slices.Equal(old.parents, []string{d.Head}):
		made.sha = "" // the same run again
	case exists:
		_, _, err = d.c.api.Git.UpdateRef(ctx, d.c.owner, d.c.repo, &ref, true)
	default:
		_, _, err = d.c.api.Git.CreateRef(ctx, d.c.owner, d.c.repo, &ref)
	}
	if err != nil {
		return Delivered{}, failed("write branch "+wording.Line(d.Branch, 300), err)
	}
	return d.request(ctx, open, made.sha, base)
}

// proposal finds the open pull request of a branch of ours; nil when there is
// none yet, or the last one was merged. One that somebody closed says that no
// tests are wanted.
func (d handover) proposal(ctx context.Context, branch, base string) (*github.PullRequest, error) {
	all, _, err := d.c.api.PullRequests.List(ctx, d.c.owner, d.c.repo, &github.PullRequestListOptions{
		State: "all", Head: d.c.owner + ":" + branch, Base: base, ListOptions: github.ListOptions{PerPage: 100}})
	if err != nil {
		return nil, failed("look for the pull request of "+wording.Line(branch, 300), err)
	}
	for _, p := range all { // newest first
		switch {
		case p.GetHead().GetRef() != branch:
		case p.GetState() == "open":
			return p, nil
		case p.MergedAt == nil:
			return nil, fmt.Errorf("pull request #%d with tests was closed; reopen it to get tests again", p.GetNumber())
		default:
			return nil, nil
		}
	}
	return nil, nil
}

// request makes the pull request, or brings the one that is open up to date.
func (d handover) request(ctx context.Context, open *github.PullRequest, sha, base string) (Delivered, error) {
	out := Delivered{Commit: sha, URL: open.GetHTMLURL()}
	var err error
	switch {
	case open == nil:
		open, _, err = d.c.api.PullRequests.Create(ctx, d.c.owner, d.c.repo, &github.NewPullRequest{Title: &d.Subject, Head: &d.Branch, Base: &base, Body: &d.Body})
		out.URL = open.GetHTMLURL()
	case open.GetBody() != d.Body || open.GetTitle() != d.Subject:
		_, _, err = d.c.api.PullRequests.Edit(ctx, d.c.owner, d.c.repo, open.GetNumber(), &github.PullRequest{Title: &d.Subject, Body: &d.Body})
	}
	if err = failed("make the pull request of "+wording.Line(d.Branch, 300), err); errors.Is(err, ErrForbidden) {
		return out, fmt.Errorf("%w; branch %s is written, and the settings of the repository or the permission pull-requests: write keep the pull request from being made", err, d.Branch)
	}
	return out, err
}

// TestsBranch is where the tests of one pull request lie; the packages of a
// monorepo have one each.
func TestsBranch(number int, dir string) string {
	name := fmt.Sprintf("qa/tests-%d", number)
	if dir == "" || dir == "." {
		return name
	}
	// A reference takes few characters, and none of its parts may begin with a dot.
	return name + "-" + strings.Trim(strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' {
			return c
		}
		return '-'
	}, dir), "-")
}
