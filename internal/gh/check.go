package gh

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// Limits of the Checks API.
const (
	maxField       = 65_535 // bytes of summary and of text
	maxTitle       = 255
	perRequest     = 50  // annotations
	maxAnnotations = 200 // beyond it a diff is nothing but notes; the report has them all
)

// CheckSpec is a check run to be started.
type CheckSpec struct {
	Name       string // constant from run to run
	SHA        string // the head commit of the pull request
	Place      Place
	DetailsURL string
}

// Check is a check run of ours that is under way.
type Check struct {
	client *Client
	spec   CheckSpec
	id     int64
	URL    string
}

// StartCheck shows on the commit that a run is under way. A check run that an
// earlier attempt left is taken over instead of adding another, unless it has
// annotations: GitHub adds to those and takes none away, and of several check
// runs of one name it shows the newest.
func (c *Client) StartCheck(ctx context.Context, spec CheckSpec) (k *Check, err error) {
	err = c.settle(ctx, func() (open bool, err error) {
		k, open, err = c.startOnce(ctx, spec)
		return open, err
	})
	return k, err
}

func (c *Client) startOnce(ctx context.Context, spec CheckSpec) (k *Check, open bool, err error) {
	id, err := c.findCheck(ctx, spec)
	if err != nil {
		return nil, false, err
	}
	output := &github.CheckRunOutput{Title: github.String("In progress"), Summary: github.String("The run is under way.")}
	details, external, status := optional(spec.DetailsURL), github.String(spec.Place.ID()), github.String("in_progress")
	var (
		run  *github.CheckRun
		resp *github.Response
	)
	if id != 0 {
		run, resp, err = c.api.Checks.UpdateCheckRun(ctx, c.owner, c.repo, id, github.UpdateCheckRunOptions{
			Name: spec.Name, DetailsURL: details, ExternalID: external, Status: status, Output: output})
	}
	// One that another app made may not be changed by ours.
	if id == 0 || errors.Is(failed("", err), ErrForbidden) {
		run, resp, err = c.api.Checks.CreateCheckRun(ctx, c.owner, c.repo, github.CreateCheckRunOptions{
			Name: spec.Name, HeadSHA: spec.SHA, DetailsURL: details, ExternalID: external, Status: status, Output: output})
	}
	if err != nil {
		return nil, unclear(ctx, resp, err), failed("start the check run", err)
	}
	c.app = run.GetApp().GetID()
	return &Check{client: c, spec: spec, id: run.GetID(), URL: run.GetHTMLURL()}, false, nil
}

// findCheck looks for a check run of ours on the commit that can be taken over; 0
// when there is none.
func (c *Client) findCheck(ctx context.Context, spec CheckSpec) (int64, error) {
	for run, err := range checkRuns(ctx, c, spec.SHA, &github.ListCheckRunsOptions{CheckName: &spec.Name}) {
		if err != nil {
			return 0, failed("look for the check run", err)
		}
		if run.GetExternalID() == spec.Place.ID() && run.GetOutput().GetAnnotationsCount() == 0 {
			return run.GetID(), nil
		}
	}
	return 0, nil
}

// checkRuns are those of a commit.
func checkRuns(ctx context.Context, c *Client, sha string, opts *github.ListCheckRunsOptions) iter.Seq2[*github.CheckRun, error] {
	return listed(&opts.ListOptions, func() ([]*github.CheckRun, *github.Response, error) {
		page, resp, err := c.api.Checks.ListCheckRunsForRef(ctx, c.owner, c.repo, sha, opts)
		if err != nil {
			return nil, resp, err
		}
		return page.CheckRuns, resp, nil
	})
}

// Complete ends the check run. The conclusion goes out with the first fifty
// annotations; the others follow in batches, so that a failure on the way never
// leaves the check run unfinished. When GitHub finds fault with the content, the
// check run is completed without annotations and text, and the error says so.
// shown is how many annotations arrived.
func (k *Check) Complete(ctx context.Context, out qa.CheckOutput) (shown int, err error) {
	all := out.Annotations[:min(len(out.Annotations), maxAnnotations)]
	summary := out.Summary
	if len(all) < len(out.Annotations) {
		note := fmt.Sprintf("\n\n%d of %d annotations are shown; the full report has all of them.\n", len(all), len(out.Annotations))
		summary = wording.Bytes(summary, maxField-len(note)) + note
	}
	output := github.CheckRunOutput{Title: github.String(wording.Bytes(out.Title, maxTitle)), Summary: github.String(wording.Bytes(summary, maxField))}
	if text := carrying(out.Text, out.Carry); text != "" {
		output.Text = github.String(text)
	}
	for first := true; first || shown < len(all); first = false {
		batch := all[shown:min(len(all), shown+perRequest)]
		output.Annotations = annotations(batch)
		update := github.UpdateCheckRunOptions{Name: k.spec.Name, Output: &output}
		if first {
			update.Conclusion, update.Status = github.String(out.Conclusion), github.String("completed")
			update.CompletedAt = &github.Timestamp{Time: time.Now().UTC().Truncate(time.Second)}
		}
		refused, err := k.update(ctx, update)
		if first && refused {
			update.Output = &github.CheckRunOutput{Title: output.Title, Summary: github.String("GitHub refused the report; the log has its reason.")}
			_, again := k.update(ctx, update)
			return 0, errors.Join(err, again)
		}
		if err != nil {
			return shown, err
		}
		shown += len(batch)
	}
	return shown, nil
}

// update changes the check run; refused says that its content was the reason why
// not.
func (k *Check) update(ctx context.Context, to github.UpdateCheckRunOptions) (refused bool, err error) {
	_, resp, err := k.client.api.Checks.UpdateCheckRun(ctx, k.client.owner, k.client.repo, k.id, to)
	refused = resp != nil && resp.StatusCode == http.StatusUnprocessableEntity
	return refused, failed("complete the check run", err)
}

func annotations(batch []qa.Annotation) []*github.CheckRunAnnotation {
	out := make([]*github.CheckRunAnnotation, 0, len(batch))
	for _, a := range batch {
		out = append(out, &github.CheckRunAnnotation{
			Path: github.String(a.Path), StartLine: github.Int(max(a.Lines.Start, 1)), EndLine: github.Int(max(a.Lines.End, a.Lines.Start, 1)),
			AnnotationLevel: github.String(string(a.Level)), Title: optional(wording.Bytes(a.Title, maxTitle)),
			Message: github.String(wording.Bytes(a.Message, 64<<10)), RawDetails: optional(wording.Bytes(a.Raw, 64<<10)),
		})
	}
	return out
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
