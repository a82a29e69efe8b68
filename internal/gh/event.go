package gh

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/google/go-github/v62/github"
)

// maxPayload bounds the event file; GitHub's own limit for a payload is 25 MB.
const maxPayload = 32 << 20

// Event is what started the run. Every field may be empty: payloads leave
// fields out, and outside of Actions there is none at all.
type Event struct {
	Name   string // pull_request, push, merge_group, …
	Action string // opened, synchronize, …

	Owner, Repo   string // of the repository the workflow runs in
	DefaultBranch string
	Start

	Pull    *Pull    // the pull request it is about
	Group   *Range   // merge_group
	Push    *Range   // push; the base is empty for a new branch or tag
	Run     *Run     // workflow_run
	Comment *Comment // issue_comment on a pull request

	ServerURL      string // https://github.com
	APIURL         string // https://api.github.com
	ChangesNothing string // why there is nothing to do, empty otherwise
}

// Start is which job of a workflow runs, and what it was started for.
type Start struct {
	Workflow, Job string
	RunID         string
	SHA           string // GITHUB_SHA, what checkout takes by default
}

// Range is a base and a head commit.
type Range struct {
	BaseSHA, BaseRef string
	HeadSHA, HeadRef string
}

// Pull is a pull request.
type Pull struct {
	Number int
	Range
	Before       string // head before the push that this event is about, when it is about one
	HeadRepo     string // owner/name; empty when the fork is gone
	Title, Body  string // hostile
	ChangedFiles int    // 0 when unknown
	Closed       bool
	Merged       bool
	// DefaultBranch is that of the repository the pull request is made in.
	DefaultBranch string
}

// Run is the workflow run a workflow_run event is about.
type Run struct {
	ID         int64
	HeadSHA    string
	HeadBranch string
	HeadRepo   string // owner/name
	HeadOwner  string
}

// Comment is a comment on a pull request.
type Comment struct {
	Author      string
	Association string // OWNER, MEMBER, COLLABORATOR, …
	Body        string // hostile
}

// Repository is "owner/name", empty when unknown.
func (e Event) Repository() string {
	if e.Owner == "" || e.Repo == "" {
		return ""
	}
	return e.Owner + "/" + e.Repo
}

// Privileged reports whether the event's runs may hold secrets and a token that
// writes although the code is somebody else's: running the code of a pull
// request there gives both away.
func (e Event) Privileged() bool {
	switch e.Name {
	case "pull_request_target", "workflow_run", "issue_comment":
		return true
	}
	return false
}

// Head is the commit to report on, never the test merge of a pull request.
func (e Event) Head() string {
	switch {
	case e.Pull != nil && e.Pull.HeadSHA != "":
		return e.Pull.HeadSHA
	case e.Group != nil && e.Group.HeadSHA != "":
		return e.Group.HeadSHA
	case e.Push != nil && e.Push.HeadSHA != "":
		return e.Push.HeadSHA
	case e.Run != nil && e.Run.HeadSHA != "":
		return e.Run.HeadSHA
	}
	return e.SHA
}

// RunURL is the page of the workflow run, which holds log and artifacts.
func (e Event) RunURL() string {
	if e.ServerURL == "" || e.Repository() == "" || e.RunID == "" {
		return ""
	}
	return e.ServerURL + "/" + e.Repository() + "/actions/runs/" + e.RunID
}

// payload is the union of the events that are looked into; unknown fields are
// ignored because GitHub adds some every month.
type payload struct {
	Action      *string              `json:"action"`
	Number      *int                 `json:"number"`
	Repository  *github.Repository   `json:"repository"`
	PullRequest *github.PullRequest  `json:"pull_request"`
	MergeGroup  *github.MergeGroup   `json:"merge_group"`
	WorkflowRun *github.WorkflowRun  `json:"workflow_run"`
	Issue       *github.Issue        `json:"issue"`
	Comment     *github.IssueComment `json:"comment"`
	Before      *string              `json:"before"`
	After       *string              `json:"after"`
	Deleted     *bool                `json:"deleted"`
	Ref         *string              `json:"ref"`
}

// ReadEvent reads the GITHUB_* environment and the payload that
// GITHUB_EVENT_PATH names. A missing file is an empty payload; one that is no
// JSON object is an error that names it.
func ReadEvent(getenv func(string) string) (Event, error) {
	e := Event{
		Name: getenv("GITHUB_EVENT_NAME"), Start: Start{
			SHA:      getenv("GITHUB_SHA"),
			Workflow: getenv("GITHUB_WORKFLOW"), Job: getenv("GITHUB_JOB"), RunID: getenv("GITHUB_RUN_ID"),
		},
		ServerURL: strings.TrimSuffix(getenv("GITHUB_SERVER_URL"), "/"),
		APIURL:    strings.TrimSuffix(getenv("GITHUB_API_URL"), "/"),
	}
	e.Owner, e.Repo, _ = strings.Cut(getenv("GITHUB_REPOSITORY"), "/")
	path := getenv("GITHUB_EVENT_PATH")
	if path == "" {
		return e, nil
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return e, nil
	}
	if err != nil {
		return e, fmt.Errorf("read the event: %w", err)
	}
	if info.Size() > maxPayload {
		return e, fmt.Errorf("read the event: %s has %d bytes, expected at most %d", path, info.Size(), maxPayload)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return e, fmt.Errorf("read the event: %w", err)
	}
	var p payload
	if err := json.Unmarshal(raw, &p); err != nil {
		return e, fmt.Errorf("read the event: %s is not the JSON of a webhook: %w", path, err)
	}
	e.fill(p)
	return e, nil
}

// fill takes from the payload what the event's kind says is there.
func (e *Event) fill(p payload) {
	e.Action = deref(p.Action)
	e.DefaultBranch = p.Repository.GetDefaultBranch()
	if e.Repository() == "" {
		e.Owner, e.Repo, _ = strings.Cut(p.Repository.GetFullName(), "/")
	}
	if p.PullRequest != nil {
		e.Pull = pullOf(p.PullRequest)
		e.Pull.Number = cmp.Or(e.Pull.Number, deref(p.Number))
		e.Pull.Before = commit(deref(p.Before))
	}
	switch e.Name {
	case "merge_group":
		g := p.MergeGroup
		e.Group = &Range{BaseSHA: g.GetBaseSHA(), BaseRef: branch(g.GetBaseRef()), HeadSHA: g.GetHeadSHA(), HeadRef: branch(g.GetHeadRef())}
		if e.Action == "destroyed" {
			e.ChangesNothing = "the merge group is gone"
		}
	case "push":
		e.Push = &Range{BaseSHA: commit(deref(p.Before)), HeadSHA: commit(deref(p.After)), HeadRef: branch(deref(p.Ref))}
		e.Push.BaseRef = e.Push.HeadRef
		if deref(p.Deleted) {
			e.ChangesNothing = "the push deleted " + branch(deref(p.Ref))
		}
	case "workflow_run":
		if r := p.WorkflowRun; r != nil {
			e.Run = &Run{ID: r.GetID(), HeadSHA: r.GetHeadSHA(), HeadBranch: r.GetHeadBranch(),
				HeadRepo: r.GetHeadRepository().GetFullName(), HeadOwner: r.GetHeadRepository().GetOwner().GetLogin()}
		}
	case "issue_comment":
		e.Comment = &Comment{Author: p.Comment.GetUser().GetLogin(), Association: p.Comment.GetAuthorAssociation(), Body: p.Comment.GetBody()}
		if p.Issue.GetPullRequestLinks() == nil {
			e.ChangesNothing = "the comment is on an issue, not on a pull request"
			return
		}
		e.Pull = &Pull{Number: p.Issue.GetNumber()}
	}
}

func pullOf(p *github.PullRequest) *Pull {
	return &Pull{
		Number: p.GetNumber(), Title: p.GetTitle(), Body: p.GetBody(), ChangedFiles: p.GetChangedFiles(), DefaultBranch: p.GetBase().GetRepo().GetDefaultBranch(),
		HeadRepo: p.GetHead().GetRepo().GetFullName(), Closed: p.GetState() == "closed", Merged: p.GetMerged() || p.MergedAt != nil,
		Range: Range{BaseSHA: commit(p.GetBase().GetSHA()), BaseRef: p.GetBase().GetRef(), HeadSHA: commit(p.GetHead().GetSHA()), HeadRef: p.GetHead().GetRef()},
	}
}

// commit is a full commit id, empty for anything else and for the zero id that
// stands for "none".
func commit(s string) string {
	if len(s) != 40 && len(s) != 64 || strings.Trim(s, "0123456789abcdef") != "" || strings.Trim(s, "0") == "" {
		return ""
	}
	return s
}

func branch(ref string) string { return strings.TrimPrefix(ref, "refs/heads/") }

func deref[T any](p *T) T {
	var zero T
	if p == nil {
		return zero
	}
	return *p
}
