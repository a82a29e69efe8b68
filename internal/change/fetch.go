package change

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// mergeBase finds the merge base of commit and head, fetching history when the
// clone is shallow: first the one commit that the forge names, then more and
// more history.
func (r *repo) mergeBase(ctx context.Context, opts Options, commit, ref, head string) (base, error) {
	found, err := r.localMergeBase(ctx, commit, head)
	if err != nil || found != "" {
		return base{commit: found, ref: ref}, err
	}
	shallow, err := r.line(ctx, "rev-parse", "--is-shallow-repository")
	if err != nil {
		return base{}, err
	}
	if shallow != "true" && r.has(ctx, commit) {
		return base{}, unrelated(ref, head)
	}
	refused := &shallowError{
		missing: "the history between " + ref + " and HEAD",
		fetch:   "git fetch --unshallow --no-tags origin " + commit,
	}
	if opts.MergeBase != nil {
		var sha string
		if sha, refused.cause = opts.MergeBase(ctx, commit, head); refused.cause == nil && isCommit(sha) {
			if refused.cause = r.need(ctx, opts, sha); refused.cause == nil {
				return base{commit: sha, ref: ref}, nil
			}
		}
	}
	if shallow != "true" {
		refused.fetch = "git fetch --no-tags origin " + commit
	}
	if !opts.Fetch {
		return base{}, refused
	}
	// The commit alone first: deepening needs it as a tip.
	if !r.has(ctx, commit) {
		if refused.cause = r.fetch(ctx, "--depth=1", commit); refused.cause != nil {
			return base{}, refused
		}
	}
	for _, how := range []string{"--deepen=50", "--deepen=500", "--unshallow"} {
		if refused.cause = r.fetch(ctx, how, commit, head); refused.cause != nil {
			return base{}, refused
		}
		found, err := r.localMergeBase(ctx, commit, head)
		if err != nil || found != "" {
			return base{commit: found, ref: ref}, err
		}
	}
	return base{}, unrelated(ref, head)
}

// localMergeBase is "" when there is none or a commit is missing.
func (r *repo) localMergeBase(ctx context.Context, a, b string) (string, error) {
	out, err := r.line(ctx, "merge-base", a, b)
	var failed *gitError
	if errors.As(err, &failed) {
		return "", nil
	}
	return out, err
}

// has reports whether a commit is in the clone, without fetching it.
func (r *repo) has(ctx context.Context, commit string) bool {
	_, err := r.gitInput(ctx, "", "none", "cat-file", "-e", commit+"^{commit}")
	return err == nil
}

// need makes sure that one commit is here, its history does not matter.
func (r *repo) need(ctx context.Context, opts Options, commit string) error {
	if r.has(ctx, commit) {
		return nil
	}
	refused := &shallowError{
		missing: "commit " + short(commit),
		fetch:   "git fetch --depth=1 --no-tags origin " + commit,
	}
	if !opts.Fetch {
		return refused
	}
	if refused.cause = r.fetch(ctx, "--depth=1", commit); refused.cause != nil {
		return refused
	}
	return nil
}

// fetch brings commits from the remote "origin". The URL is given in full, so
// that no other setting of the remote takes part, and only ordinary transports
// are allowed.
func (r *repo) fetch(ctx context.Context, depth string, commits ...string) error {
	url, err := r.line(ctx, "config", "--local", "--get", "remote.origin.url")
	if err != nil || url == "" {
		return errors.New("the clone has no remote named origin")
	}
	if strings.HasPrefix(url, "-") || strings.Contains(url, "::") {
		return fmt.Errorf("the URL of remote origin, %q, is not one that is fetched from here", url)
	}
	args := append([]string{
		"fetch", depth, "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head",
		"--upload-pack=git-upload-pack", "--quiet", "--end-of-options", url,
	}, commits...)
	_, err = r.gitInput(ctx, "", "https:http:ssh:file", args...)
	return err
}
