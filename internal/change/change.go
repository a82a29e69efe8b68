// Package change finds out what a pull request, a push or a working copy
// touched, and on which lines. Start at [FromGit]; [FromDiff] does the same
// for a diff that was made elsewhere.
//
// The working copy is looked at as it is: committed, uncommitted and untracked
// (not ignored) files count. git is used for reading only, with an index and
// object directory of its own, so that nothing in the working copy is changed,
// and with everything neutralised by which a hostile repository could start a
// program.
//
// [MapLines] follows line numbers from one commit to another, [Classify] says
// what a file is for.
package change

import (
	"context"
	"errors"
	"fmt"

	"github.com/org/qa-action/internal/qa"
)

// Scope says how much of a working copy is looked at.
type Scope string

// The scopes: only what changed since the base, or every file.
const (
	ScopeChanged Scope = "changed"
	ScopeAll     Scope = "all"
)

// Options say where to look and what to compare with.
type Options struct {
	// Dir is any absolute directory inside the working copy.
	Dir string
	// Base is what the user named to compare with (branch, tag or commit);
	// empty lets the event or the repository decide, see [FromGit].
	Base  string
	Scope Scope // empty is ScopeChanged
	Event Event
	// Ignore lists directories relative to the repository root that are never
	// part of the change: our own output directory.
	Ignore []string
	// Fetch allows to fetch missing commits from the remote. Without it a
	// shallow clone is refused with the command to run.
	Fetch bool
	// MergeBase asks somebody who knows the whole history (the forge) for the
	// merge base of two commits; nil when there is nobody to ask.
	MergeBase func(ctx context.Context, base, head string) (string, error)
	// List asks the forge for the files of the pull request, and how many there
	// are in all, when nothing else can be done; nil when there is nobody to ask.
	List func(ctx context.Context) (files []Listed, total int, err error)
	// Token and Server let missing commits be fetched from a private repository:
	// the token is sent to that server ("https://github.com") and nowhere else.
	Token, Server string
}

// Event is what is known from the event that started the run; everything is
// optional. Text fields are hostile.
type Event struct {
	Name    string // pull_request, push, merge_group, …
	BaseSHA string // pull_request.base.sha, merge_group.base_sha, push.before
	HeadSHA string // pull_request.head.sha, merge_group.head_sha, push.after
	BaseRef string
	HeadRef string
	// CheckedOut is GITHUB_SHA: the test merge for pull_request.
	CheckedOut string
	Number     int
	Title      string
	Body       string
}

// FromGit looks at a working copy.
//
// The base is, in this order: opts.Base; the event's base; the default branch
// of the upstream (origin/HEAD, origin/main, origin/master) or the local main
// or master, unless it is the branch that is checked out; the previous commit.
// Compared is always the merge base of it and HEAD, except for a test-merge
// commit of a pull request, a merge queue commit and a push, whose bases are
// compared directly. Change.Base is empty when there is nothing before HEAD
// (the first commit): then every file counts as added.
// Errors that the user can mend have a NextStep.
func FromGit(ctx context.Context, opts Options) (qa.Change, error) {
	r, err := openRepo(ctx, opts.Dir)
	if err != nil {
		return qa.Change{}, err
	}
	r.secret = secret(opts.Server, opts.Token)
	head, err := r.line(ctx, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	if failed := (*gitError)(nil); errors.As(err, &failed) {
		return qa.Change{}, noCommits(r.top)
	}
	if err != nil {
		return qa.Change{}, fmt.Errorf("detect the change: %w", err)
	}
	found := qa.Change{
		Head: head, HeadRef: opts.Event.HeadRef, All: opts.Scope == ScopeAll,
		Title: opts.Event.Title, Body: opts.Event.Body, Number: opts.Event.Number,
	}
	if found.HeadRef == "" {
		// Detached heads have no branch; that is no error.
		found.HeadRef, _ = r.line(ctx, "symbolic-ref", "--quiet", "--short", "HEAD")
	}
	b, err := r.base(ctx, opts, head)
	if shallow := (*shallowError)(nil); errors.As(err, &shallow) && opts.List != nil && !found.All {
		return r.fromList(ctx, opts, found, err)
	}
	if err != nil && !found.All {
		return qa.Change{}, err
	}
	found.Base, found.BaseRef = b.commit, b.ref
	if b.note != "" {
		found.Notes = append(found.Notes, b.note)
	}
	if b.head != "" {
		found.Head, found.Measured = b.head, head
	}
	view, err := r.workingView(ctx, opts.Ignore)
	if err != nil {
		return qa.Change{}, err
	}
	defer view.close()
	found.Dirty = view.dirty
	if b.previous && view.dirty && opts.Event.Name == "" {
		// Nothing was committed since the default branch: the uncommitted
		// edits alone are the change. In a job it is the commit, whatever
		// earlier steps left behind.
		found.Base, found.BaseRef = head, "HEAD"
	}
	var entries []entry
	if found.All {
		entries, err = view.all(ctx)
	} else {
		entries, err = view.changed(ctx, found.Base)
	}
	if err != nil {
		return qa.Change{}, fmt.Errorf("detect the change: %w", err)
	}
	found.Files, err = view.files(ctx, entries)
	if err != nil {
		return qa.Change{}, fmt.Errorf("detect the change: %w", err)
	}
	return found, nil
}
