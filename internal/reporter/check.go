package reporter

import (
	"encoding/json"
	"io"

	"github.com/org/qa-action/internal/qa"
)

// Check gives the text and annotations of a check run. Summary and text each
// keep within the field limit of the API (65,535 bytes, or o.Budget); the
// annotations are all there are, best first: the sender batches them.
func Check(r *qa.Report, o Options) qa.CheckOutput {
	budget := checkBudget
	if o.Budget > 0 {
		budget = o.Budget
	}
	o.Budget = budget
	p := page{r: r, o: o, folds: true, open: 20}
	summary := append([]section{p.head()}, p.gates()...)
	summary = append(summary, p.account()...)
	summary = append(summary, p.since(), p.failing(), p.problems(), p.excused(), p.quarantine(), p.foot())
	text := []section{p.warnings(), p.patch()}
	text = append(text, p.findings()...)
	text = append(text, p.moved(), p.flaky(), p.generated(), p.mutation(), p.score(), p.recommendations(), p.coverage(), p.patterns(), p.manifest())
	title := verdict(r.Result)
	if reason := list(r.Reason, 240); reason != "" {
		title += ": " + reason
	}
	return qa.CheckOutput{
		Title:       title,
		Summary:     fit(present(summary), budget),
		Text:        fit(present(text), budget),
		Annotations: annotations(r, o),
		Conclusion:  conclusion(r.Result),
	}
}

// conclusion maps the verdict to what a required check understands: neutral
// satisfies it like success does, so only a result that lets the change pass
// may become neutral, and "could not tell" is a failure.
func conclusion(v qa.Verdict) string {
	switch v {
	case qa.Pass:
		return "success"
	case qa.Conditional:
		return "neutral"
	}
	return "failure"
}

// renderCheck writes the check run as JSON, in the API's field names.
func renderCheck(w io.Writer, r *qa.Report, o Options) error {
	c := Check(r, o)
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(map[string]any{
		"conclusion": c.Conclusion,
		"output":     map[string]any{"title": c.Title, "summary": c.Summary, "text": c.Text, "annotations": c.Annotations},
	})
}
