package doctor

import (
	"context"
	"errors"
	"strings"

	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/gh"
	"github.com/org/qa-action/internal/llm"
)

// Use is what a run would do with its token beside reading.
type Use struct {
	Deliver string // the way kept tests take, as the input says it
	Branch  string // on which the run would remember something, empty for none
}

// Token asks GitHub what the token of o may do.
func (d *Doctor) Token(ctx context.Context, o gh.Options, use Use) {
	if o.Token == "" {
		d.Add(off, "token", "", "none: nothing is posted to GitHub")
		return
	}
	client, err := gh.New(o)
	if err != nil {
		d.Add(Problem, "token", "set GITHUB_REPOSITORY to owner/name", "%v", err)
		return
	}
	r, err := client.Rights(ctx)
	switch {
	case errors.Is(err, gh.ErrForbidden):
		d.Add(Problem, "token", "give the job a token that can read the repository (permissions: contents: read)", "%v", err)
		return
	case err != nil:
		d.Add(Problem, "token", "check GITHUB_API_URL, GITHUB_REPOSITORY and the network", "%v", err)
		return
	}
	text := "reads " + o.Owner + "/" + o.Repo
	if len(r.Scopes) > 0 {
		text += ", scopes " + strings.Join(r.Scopes, ", ")
	}
	switch {
	case r.Push:
		text += "; may push commits"
	case use.Deliver != "patch" && use.Deliver != "":
		d.Add(Problem, "token", "give the job permissions: contents: write, or set deliver to patch", "%s; may not push, which deliver %s needs", text, use.Deliver)
		return
	case use.Branch != "":
		d.Add(Warning, "token", "give runs of the default branch permissions: contents: write, or keep the history in a directory", "%s; may not push, so nothing is remembered on the branch %s", text, use.Branch)
		return
	default:
		text += "; may not push commits, which nothing here needs"
	}
	d.Fine("token", "%s. Comment and check run need pull-requests: write and checks: write, which GitHub tells only when they are made", text)
}

// Model makes a real call of one token with the client that open makes.
func (d *Doctor) Model(ctx context.Context, m config.Model, open func() (*llm.Client, error)) {
	switch {
	case m.Configure != "":
		d.Add(Warning, "model", "set model together with model-api-key or model-base-url", "%s", m.Configure)
		return
	case !m.Configured():
		d.Add(off, "model", "", "none: no test is written, everything else is done")
		return
	}
	client, err := open()
	if err != nil {
		d.Add(Problem, "model", "check model and model-base-url", "%v", err)
		return
	}
	lastDay, err := client.Ping(ctx)
	switch {
	case err != nil:
		d.Add(Problem, "model", "check model, model-base-url and model-api-key", "%s: %v", m.Name, err)
	case lastDay != "":
		d.Add(Warning, "model", "choose its successor before that day", "%s answers; the endpoint lists %s as its last day", m.Name, lastDay)
	default:
		d.Fine("model", "%s answers", m.Name)
	}
}
