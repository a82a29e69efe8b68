package change

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/org/qa-action/internal/each"
)

// base is what the working copy is compared with.
type base struct {
	commit string // empty: nothing before HEAD
	ref    string // what the user, the event or the repository called it
	// head is the commit to report on when it is not the one checked out (the
	// head of a pull request whose test merge is checked out).
	head string
	// previous says that HEAD adds nothing to the default branch and commit is
	// simply the one before it.
	previous bool
	note     string // what must be known of how it was found
}

func (r *repo) base(ctx context.Context, opts Options, head string) (base, error) {
	if opts.Base != "" {
		commit, err := r.resolve(ctx, opts.Base, "refs/remotes/origin/"+opts.Base)
		if err != nil {
			return base{}, err
		}
		if commit == "" {
			return base{}, r.unknown(ctx, opts.Base)
		}
		return r.mergeBase(ctx, opts, commit, opts.Base, head)
	}
	if b, ok, err := r.eventBase(ctx, opts, head); ok || err != nil {
		return b, err
	}
	return r.defaultBase(ctx, opts, head)
}

// resolve gives the commit of the first name that exists, "" for none.
func (r *repo) resolve(ctx context.Context, names ...string) (string, error) {
	for _, name := range names {
		commit, err := r.line(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
		var failed *gitError
		switch {
		case err == nil:
			return commit, nil
		case !errors.As(err, &failed):
			return "", err
		}
	}
	return "", nil
}

// unknown lists what could have been meant, nearest names first.
func (r *repo) unknown(ctx context.Context, name string) error {
	const shown = 20
	out, err := r.git(ctx, "for-each-ref", "--format=%(refname:short)", "refs/remotes", "refs/heads", "refs/tags")
	if err != nil {
		return err
	}
	refs := strings.Fields(string(out))
	near := func(ref string) bool { return strings.Contains(strings.ToLower(ref), strings.ToLower(name)) }
	refs = append(each.Where(refs, near), each.Where(refs, func(ref string) bool { return !near(ref) })...)
	if len(refs) > shown {
		refs = append(refs[:shown:shown], "…")
	}
	return unknownBase(name, refs)
}

// defaultBase compares with the default branch, else with the previous commit.
func (r *repo) defaultBase(ctx context.Context, opts Options, head string) (base, error) {
	current, _ := r.line(ctx, "symbolic-ref", "--quiet", "--short", "HEAD") // detached: none
	for _, ref := range []string{"origin/HEAD", "origin/main", "origin/master", "main", "master"} {
		if ref == current {
			continue
		}
		full := "refs/heads/" + ref
		if strings.HasPrefix(ref, "origin/") {
			full = "refs/remotes/" + ref
		}
		commit, err := r.resolve(ctx, full)
		if err != nil {
			return base{}, err
		}
		if commit == "" {
			continue
		}
		b, err := r.mergeBase(ctx, opts, commit, ref, head)
		if err != nil {
			return base{}, err
		}
		if b.commit != head {
			return b, nil
		}
		break // HEAD adds nothing to the default branch
	}
	return r.previous(ctx, opts, head)
}

// previous compares with the first parent of HEAD.
func (r *repo) previous(ctx context.Context, opts Options, head string) (base, error) {
	parents, err := r.parents(ctx, head)
	if err != nil || len(parents) == 0 {
		return base{previous: true}, err
	}
	if err := r.need(ctx, opts, parents[0]); err != nil {
		return base{}, err
	}
	return base{commit: parents[0], ref: "HEAD^", previous: true}, nil
}

// parents lists the parents that a commit names, also those that a shallow
// clone does not have.
func (r *repo) parents(ctx context.Context, commit string) ([]string, error) {
	out, err := r.git(ctx, "cat-file", "commit", commit)
	if err != nil {
		return nil, err
	}
	var parents []string
	for line := range strings.Lines(string(out)) {
		sha, ok := strings.CutPrefix(line, "parent ")
		if ok {
			parents = append(parents, strings.TrimSpace(sha))
		} else if strings.TrimSpace(line) == "" {
			break // end of the header: the message may say anything
		}
	}
	return parents, nil
}

// eventBase follows the event that started the run. Pull requests are measured
// on what is checked out: a test merge against its first parent, which is the
// exact effect of the pull request, anything else against the merge base.
func (r *repo) eventBase(ctx context.Context, opts Options, head string) (base, bool, error) {
	e := opts.Event
	if !isCommit(e.BaseSHA) {
		return base{}, false, nil
	}
	ref := cmp.Or(e.BaseRef, short(e.BaseSHA))
	switch e.Name {
	case "pull_request", "pull_request_target":
		parents, err := r.parents(ctx, head)
		if err != nil {
			return base{}, false, err
		}
		// Only the commit the event names can be the test merge: a merge commit
		// of the user's own looks just the same otherwise.
		if head == e.CheckedOut && len(parents) == 2 && parents[1] == e.HeadSHA {
			err := r.need(ctx, opts, parents[0])
			return base{commit: parents[0], ref: ref, head: e.HeadSHA}, true, err
		}
		if err := r.holds(ctx, head, e.HeadSHA); err != nil {
			return base{}, false, err
		}
		b, err := r.mergeBase(ctx, opts, e.BaseSHA, ref, head)
		return b, true, err
	case "merge_group", "push":
		if head != e.HeadSHA && head != e.CheckedOut {
			return base{}, false, nil // something else was checked out
		}
		err := r.need(ctx, opts, e.BaseSHA)
		if shallow := (*shallowError)(nil); e.Name == "push" && opts.Fetch && errors.As(err, &shallow) {
			// A force push throws commits away, and the forge need not keep them.
			b, err := r.defaultBase(ctx, opts, head)
			b.note = "the commit before the push, " + short(e.BaseSHA) + ", is gone; compared is with " + b.ref
			return b, true, err
		}
		return base{commit: e.BaseSHA, ref: ref}, true, err
	}
	return base{}, false, nil
}

// holds makes sure that a pull request's head is in what is checked out.
func (r *repo) holds(ctx context.Context, head, want string) error {
	if !isCommit(want) || head == want {
		return nil
	}
	_, err := r.git(ctx, "merge-base", "--is-ancestor", want, head)
	var failed *gitError
	if errors.As(err, &failed) {
		return otherCheckout(head, want)
	}
	return err
}

// isCommit reports whether s is a full commit id other than the zero id that
// the event of a new branch carries.
func isCommit(s string) bool {
	if len(s) != 40 && len(s) != 64 {
		return false
	}
	return strings.Trim(s, "0123456789abcdef") == "" && strings.Trim(s, "0") != ""
}
