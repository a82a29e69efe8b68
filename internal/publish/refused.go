package publish

import (
	"context"
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// WithoutReport ends what was published of a run that ended before there was
// anything to say: check run, outputs and summary say why.
func (p *Publisher) WithoutReport(ctx context.Context, cancelled bool, why error) {
	out := qa.CheckOutput{Title: "Not run: INCONCLUSIVE", Conclusion: "failure", Summary: "The run ended before there was a report; its log says why.\n"}
	switch {
	case cancelled:
		out.Title, out.Conclusion, out.Summary = "Cancelled", "cancelled", "The run was cancelled before there was a report."
	case why != nil:
		out.Summary = "The run ended before there was a report:\n\n" + blocked(why.Error())
	}
	if p.check != nil {
		if _, err := p.check.Complete(ctx, out); err != nil {
			p.Say("check run: %v", err)
		}
	}
	if err := p.Job.Outputs(map[string]string{"result": string(qa.Inconclusive)}); err != nil {
		p.Say("outputs: %v", err)
	}
	if err := p.Job.Summary("# QA: " + out.Title + "\n\n" + out.Summary + "\n"); err != nil {
		p.Say("job summary: %v", err)
	}
}

// Overwrite makes a comment that stands on the pull request say that this run came
// to no report: what it says is about another one.
func (p *Publisher) Overwrite(ctx context.Context, target string, why error) {
	pull := p.Event.Pull
	if p.Client == nil || pull == nil || pull.Number == 0 || why == nil {
		return
	}
	if err := p.Client.Fresh(ctx, pull.Number, p.Event.Head()); err != nil {
		p.Say("comment: not changed: %v", err)
		return
	}
	text := fmt.Sprintf("## QA: not run, INCONCLUSIVE\n\nThe run of %.7s ended before there was a report:\n\n%s\n[Its log](%s) says more.\n", p.Event.Head(), blocked(why.Error()), p.Event.RunURL())
	address, err := p.Client.ReplaceComment(ctx, pull.Number, p.Place(target), text)
	switch {
	case err != nil:
		p.Say("comment: %v", err)
	case address != "":
		p.Say("comment: updated %s", address)
	}
}

// blocked is text of others as a block that nothing in it can end.
func blocked(text string) string {
	text = strings.ReplaceAll(wording.Plain(wording.Cut(text, 4000)), "```", "'''")
	return "```text\n" + strings.TrimSpace(text) + "\n```\n"
}
