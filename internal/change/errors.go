package change

import (
	"fmt"
	"strings"
)

// The errors that the user can mend have a NextStep, with which their message
// ends.

// NotRepoError says that a directory is not inside a git working copy.
type NotRepoError struct{ Dir string }

func (e *NotRepoError) Error() string {
	return fmt.Sprintf("%s is not inside a git working copy; %s", e.Dir, e.NextStep())
}

func (e *NotRepoError) NextStep() string {
	return "run in a clone of the repository, or name one with --working-directory"
}

// NoCommitsError says that the repository has no commit yet.
type NoCommitsError struct{ Dir string }

func (e *NoCommitsError) Error() string {
	return fmt.Sprintf("the repository in %s has no commit yet; %s", e.Dir, e.NextStep())
}

func (e *NoCommitsError) NextStep() string {
	return "commit something first, there is nothing to compare with"
}

// BaseUnknownError says that the base to compare with does not exist here.
type BaseUnknownError struct {
	Base       string
	Candidates []string // refs that do exist
	Fetch      string   // command that may bring it
}

func (e *BaseUnknownError) Error() string {
	text := fmt.Sprintf("base %q is not a branch, tag or commit of this clone", e.Base)
	if len(e.Candidates) > 0 {
		text += "; known are " + strings.Join(e.Candidates, ", ")
	}
	return text + "; " + e.NextStep()
}

func (e *BaseUnknownError) NextStep() string { return "fetch it with: " + e.Fetch }

// UnrelatedError says that base and head share no commit although the whole
// history is here.
type UnrelatedError struct{ Base, Head string }

func (e *UnrelatedError) Error() string {
	return fmt.Sprintf("base %s and HEAD %s have no commit in common; %s", e.Base, short(e.Head), e.NextStep())
}

func (e *UnrelatedError) NextStep() string { return "name the right base with --base" }

// CheckoutError says that the commit checked out does not hold the pull
// request: measuring it would tell nothing, least of all that all is well.
type CheckoutError struct{ Head, Want string }

func (e *CheckoutError) Error() string {
	return fmt.Sprintf("HEAD is %s, which does not hold the pull request's head %s; %s", short(e.Head), short(e.Want), e.NextStep())
}

func (e *CheckoutError) NextStep() string {
	return "check that out (in Actions: actions/checkout with ref: ${{ github.event.pull_request.head.sha }})"
}

// ShallowError says that the clone lacks the history needed to find the base.
type ShallowError struct {
	Missing string
	Fetch   string // the exact command to run
	Cause   error  // why getting it ourselves did not work; nil when not tried
}

func (e *ShallowError) Error() string {
	text := fmt.Sprintf("this clone is shallow and lacks %s; %s", e.Missing, e.NextStep())
	if e.Cause != nil {
		text += fmt.Sprintf("; getting it here failed: %v", e.Cause)
	}
	return text
}

func (e *ShallowError) NextStep() string {
	return fmt.Sprintf("run: %s (in Actions: actions/checkout with fetch-depth: 0)", e.Fetch)
}

func (e *ShallowError) Unwrap() error { return e.Cause }

func short(sha string) string { return sha[:min(len(sha), 12)] }
