package mode

import (
	"context"
	"fmt"

	"github.com/org/qa-action/internal/llm"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
	"github.com/org/qa-action/internal/role/analyst"
	"github.com/org/qa-action/internal/role/strategist"
)

// analyse closes the chain: it gives the score of what is there.
func (r *run) analyse(ctx context.Context) (result, error) {
	r.reportMutants()
	r.keepEvidence()
	report := r.assemble(false)
	text := fmt.Sprintf("%s, score unknown", report.Result)
	if v := report.Score.Value; v != nil {
		text = fmt.Sprintf("%s, score %d: %s", report.Result, *v, quality.Band(report))
	}
	return result{Score: report.Score.Value, Findings: text, Advice: r.advise(ctx, report)}, nil
}

// riskNotes are a model's words about the risks of the change: shown, and
// nothing is decided by them.
func (r *run) riskNotes(ctx context.Context, s qa.Strategy, findings []qa.Finding) string {
	if r.Model == nil || len(s.Focus) == 0 || !r.tokens.Notes() {
		return ""
	}
	m := strategist.Model{Ask: func(ctx context.Context, q llm.Request) (strategist.Notes, error) {
		return llm.Ask[strategist.Notes](ctx, r.Model, q)
	}}
	notes, err := m.Note(ctx, r.Change, s, findings)
	r.notes.Model(err)
	return notes
}

// advise are a model's recommendations about the evidence of the run. They
// stand behind those that are computed, marked as a model's.
func (r *run) advise(ctx context.Context, report *qa.Report) []string {
	if r.Model == nil || ctx.Err() != nil || !r.tokens.Notes() {
		return nil
	}
	m := analyst.Model{Ask: func(ctx context.Context, q llm.Request) (analyst.Reply, error) {
		return llm.Ask[analyst.Reply](ctx, r.Model, q)
	}}
	texts, err := m.Recommend(ctx, report, r.gained)
	r.notes.Model(err)
	for i := range texts {
		texts[i] = "Model: " + texts[i]
	}
	return texts
}
