package markdown

import (
	"encoding/json"
	"io"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/annotation"
	"github.com/org/qa-action/internal/reporter/escape"
	"github.com/org/qa-action/internal/reporter/extract"
	"github.com/org/qa-action/internal/reporter/fit"
	"github.com/org/qa-action/internal/reporter/sink"
)

// CheckBudget is where the fields of a check run end, in bytes.
const CheckBudget = 65_535

// Check gives the text and annotations of a check run. Summary and text each
// keep within the field limit of the API (65,535 bytes, or o.Budget); the
// annotations are all there are, best first: the sender batches them.
func Check(r *qa.Report, o sink.Options) qa.CheckOutput {
	budget := CheckBudget
	if o.Budget > 0 {
		budget = o.Budget
	}
	o.Budget = budget
	p := page{r: r, o: o, folds: true, open: 20}
	summary := append([]fit.Section{headSection(p)}, gateSections(p)...)
	summary = append(summary, accountSections(p)...)
	summary = append(summary, sinceSection(p), failingSection(p), problemsSection(p), excusedSection(p), quarantineSection(p), footSection(p))
	text := []fit.Section{warningsSection(p), patchSection(p)}
	text = append(text, findingSections(p)...)
	text = append(text, movedSection(p), flakySection(p), generatedSection(p), mutationSection(p), scoreSection(p), recommendationsSection(p), coverageSection(p), patternsSection(p), manifestSection(p))
	title := extract.Verdict(r.Result)
	if reason := escape.List(r.Reason, 240); reason != "" {
		title += ": " + reason
	}
	return qa.CheckOutput{
		Title:       title,
		Summary:     fit.Sections(present(summary), budget),
		Text:        fit.Sections(present(text), budget),
		Annotations: annotation.Of(r, o),
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

// CheckJSON writes the check run as JSON, in the API's field names.
func CheckJSON(w io.Writer, r *qa.Report, o sink.Options) error {
	c := Check(r, o)
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(map[string]any{
		"conclusion": c.Conclusion,
		"output":     map[string]any{"title": c.Title, "summary": c.Summary, "text": c.Text, "annotations": c.Annotations},
	})
}
