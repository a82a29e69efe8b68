package gh

import (
	"context"
	"fmt"

	"github.com/google/go-github/v62/github"

	"github.com/org/qa-action/internal/wording"
)

// maxPullFiles is where GitHub's list of a pull request's files ends.
const maxPullFiles = 3000

// Pull asks for a pull request as it is now.
func (c *Client) Pull(ctx context.Context, number int) (*Pull, error) {
	p, _, err := c.api.PullRequests.Get(ctx, c.owner, c.repo, number)
	if err != nil {
		return nil, failed(fmt.Sprintf("ask for pull request #%d", number), err)
	}
	return pullOf(p), nil
}

// Fresh makes sure that sha is still the head of a pull request that somebody
// may merge or has merged: after a newer push the newer run reports, not this
// one. The error wraps [ErrStale] when it is not, [ErrClosed] when the pull
// request was given up.
func (c *Client) Fresh(ctx context.Context, number int, sha string) error {
	p, err := c.Pull(ctx, number)
	if err != nil {
		return err
	}
	if p.HeadSHA != sha {
		return fmt.Errorf("pull request #%d is at %.7s, this is a report about %.7s: %w", number, p.HeadSHA, sha, ErrStale)
	}
	if p.Closed && !p.Merged {
		return fmt.Errorf("pull request #%d: %w", number, ErrClosed)
	}
	return nil
}

// PullAt finds the open pull request whose head is sha on a branch of headRepo
// ("owner/name"), nil when there is none. It is how the trusted half of a fork's
// run learns the number: from GitHub, never from an artifact.
func (c *Client) PullAt(ctx context.Context, headOwner, headRepo, headBranch, sha string) (*Pull, error) {
	opts := &github.PullRequestListOptions{State: "open", Head: headOwner + ":" + headBranch}
	for p, err := range listed(&opts.ListOptions, func() ([]*github.PullRequest, *github.Response, error) {
		return c.api.PullRequests.List(ctx, c.owner, c.repo, opts)
	}) {
		if err != nil {
			return nil, failed("find the pull request of "+wording.Line(opts.Head, 300), err)
		}
		if found := pullOf(p); found.HeadSHA == sha && found.HeadRepo == headRepo {
			return found, nil
		}
	}
	return nil, nil
}

// File is one file of a pull request.
type File struct {
	Path     string
	Previous string // path before a rename
	Status   string // added, removed, modified, renamed, copied, changed, unchanged
	Patch    string // empty for binary and very large files
	Lines    int    // added and removed
}

// Files lists the files of a pull request; total is how many there are. They
// are fewer beyond 3,000, where GitHub's list ends.
func (c *Client) Files(ctx context.Context, number int) (files []File, total int, err error) {
	p, err := c.Pull(ctx, number)
	if err != nil {
		return nil, 0, err
	}
	opts := &github.ListOptions{}
	for f, err := range listed(opts, func() ([]*github.CommitFile, *github.Response, error) {
		return c.api.PullRequests.ListFiles(ctx, c.owner, c.repo, number, opts)
	}) {
		if err != nil {
			return nil, 0, failed(fmt.Sprintf("list the files of pull request #%d", number), err)
		}
		files = append(files, File{Path: f.GetFilename(), Previous: f.GetPreviousFilename(), Status: f.GetStatus(), Patch: f.GetPatch(), Lines: f.GetAdditions() + f.GetDeletions()})
		if len(files) == maxPullFiles {
			break
		}
	}
	return files, max(p.ChangedFiles, len(files)), nil
}

// MergeBase asks for the best common ancestor of two commits.
func (c *Client) MergeBase(ctx context.Context, base, head string) (string, error) {
	cmp, _, err := c.api.Repositories.CompareCommits(ctx, c.owner, c.repo, base, head, &github.ListOptions{PerPage: 1})
	if err != nil {
		return "", failed(fmt.Sprintf("compare %.7s with %.7s", base, head), err)
	}
	sha := commit(cmp.GetMergeBaseCommit().GetSHA())
	if sha == "" {
		return "", fmt.Errorf("compare %.7s with %.7s: the reply names no merge base", base, head)
	}
	return sha, nil
}

// Content reads a file of a commit; found is false when the commit has none
// there. What is no regular file is an error.
func (c *Client) Content(ctx context.Context, sha, path string) (data []byte, found bool, err error) {
	commit, err := c.commitAt(ctx, sha)
	if err != nil {
		return nil, false, err
	}
	entry, err := walk{client: c, trees: map[string][]*github.TreeEntry{}}.find(ctx, commit.tree, path)
	if err != nil || entry == nil {
		return nil, false, err
	}
	data, err = c.blob(ctx, path, entry.GetSHA())
	return data, err == nil, err
}
