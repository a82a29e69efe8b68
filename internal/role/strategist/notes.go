package strategist

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"text/template"

	"github.com/org/qa-action/internal/llm"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// Notes is what a model answers about the risks of a change.
type Notes struct {
	Risks []string `json:"risks" jsonschema:"at most five, worst first, each one sentence: which function, what could go wrong for whom, and what a test should look at"`
}

// Model writes risk notes; Ask is the model's client, bound.
type Model struct {
	Ask func(context.Context, llm.Request) (Notes, error)
}

//go:embed prompt/system.md
var system string

//go:embed prompt/risks.md
var risksPrompt string

var prompt = template.Must(template.New("risks").Option("missingkey=error").Funcs(template.FuncMap{
	"data": llm.Data, "join": strings.Join,
}).Parse(risksPrompt))

// Bounds of notes and of what they are asked about.
const (
	mostNotes   = 5
	longestNote = 300
	shownFocus  = 12
)

// Note asks once for the risks of a change with what was found in it, and gives
// them as lines: hostile text that is shown and decides nothing.
func (m Model) Note(ctx context.Context, c qa.Change, s qa.Strategy, findings []qa.Finding) (string, error) {
	var b strings.Builder
	found := countedFindings(findings)
	err := prompt.Execute(&b, map[string]any{
		"Title": c.Title, "Body": c.Body, "Focus": s.Focus[:min(len(s.Focus), shownFocus)], "Risks": s.Risks[:min(len(s.Risks), shownFocus)],
		"Findings": found[:min(len(found), shownFocus)],
	})
	if err != nil {
		return "", fmt.Errorf("write prompt of the risk notes: %w", err)
	}
	reply, err := m.Ask(ctx, llm.Request{Job: "strategist/risks", System: system, Prompt: b.String(), MaxTokens: 1024, Optional: true})
	if err != nil {
		return "", fmt.Errorf("ask for risk notes: %w", err)
	}
	var out []string
	for _, text := range reply.Risks {
		if text = wording.Line(text, longestNote); text != "" && len(out) < mostNotes {
			out = append(out, text)
		}
	}
	return strings.Join(out, "\n"), nil
}
