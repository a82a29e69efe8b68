package change

import (
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/wording"
)

// The errors that the user can mend have a NextStep, with which their message
// ends.

// refusal says why no change can be told.
type refusal struct{ said, next string }

func (e *refusal) Error() string    { return e.said + "; " + e.next }
func (e *refusal) NextStep() string { return e.next }

func notRepo(dir string) error {
	return &refusal{dir + " is not inside a git working copy", "run in a clone of the repository, or name one with --working-directory"}
}

func noCommits(dir string) error {
	return &refusal{"the repository in " + dir + " has no commit yet", "commit something first, there is nothing to compare with"}
}

// unknownBase says that the base to compare with does not exist here; refs are some
// that do.
func unknownBase(base string, refs []string) error {
	said := fmt.Sprintf("base %q is not a branch, tag or commit of this clone", base)
	if len(refs) > 0 {
		said += "; known are " + strings.Join(refs, ", ")
	}
	return &refusal{said, "fetch it with: git fetch --no-tags origin " + wording.Quote(base)}
}

// unrelated says that base and head share no commit although the whole history is
// here.
func unrelated(base, head string) error {
	return &refusal{fmt.Sprintf("base %s and HEAD %s have no commit in common", base, short(head)), "name the right base with --base"}
}

// otherCheckout says that the commit checked out does not hold the pull request:
// measuring it would tell nothing, least of all that all is well.
func otherCheckout(head, want string) error {
	return &refusal{
		fmt.Sprintf("HEAD is %s, which does not hold the pull request's head %s", short(head), short(want)),
		"check that out (in Actions: actions/checkout with ref: ${{ github.event.pull_request.head.sha }})",
	}
}

// incomplete says that a clone lacks content of a commit that it has, and that git could not
// fetch it.
func incomplete(dir, object string) error {
	return &refusal{
		fmt.Sprintf("the clone in %s lacks %s, and git could not fetch it", dir, object),
		"fetch what it lacks with: git fetch --refetch --no-filter origin (in Actions: actions/checkout without filter and sparse-checkout)",
	}
}

// unmerged says that a merge was left unfinished.
func unmerged(paths []string) error {
	return &refusal{fmt.Sprintf("the working copy has unmerged files (%s)", strings.Join(paths, ", ")), "finish or abort the merge first"}
}

// shallowError says that the clone lacks the history needed to find the base.
type shallowError struct {
	missing string
	fetch   string // the exact command to run
	cause   error  // why getting it ourselves did not work; nil when not tried
}

func (e *shallowError) Error() string {
	text := fmt.Sprintf("this clone is shallow and lacks %s; %s", e.missing, e.NextStep())
	if e.cause != nil {
		text += fmt.Sprintf("; getting it here failed: %v", e.cause)
	}
	return text
}

func (e *shallowError) NextStep() string {
	return fmt.Sprintf("run: %s (in Actions: actions/checkout with fetch-depth: 0)", e.fetch)
}

func (e *shallowError) Unwrap() error { return e.cause }

func short(sha string) string { return sha[:min(len(sha), 12)] }
