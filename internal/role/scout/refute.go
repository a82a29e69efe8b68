package scout

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/llm"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
)

// refute asks a second reader to break the claims that count, and sets the evidence:
// corroborated when that was tried and failed, else suspected. A claim of low severity
// is not asked about: the answer would decide nothing. A model lowers a tier; it never
// deletes a claim that stands on real code.
func (m model) refute(ctx context.Context, in input, group []shownFile, kept []ballot) (hits []engine.Hit, refuted []string, err error) {
	// Those to ask about come first, so that their numbers are their places.
	asked := each.Where(kept, weighty)
	kept = append(slices.Clone(asked), each.Where(kept, func(b ballot) bool { return !weighty(b) })...)
	stands, weak := map[int]bool{}, map[int]string{}
	if len(asked) > 0 {
		var told judgement
		prompt, failed := render("refute.md", map[string]any{"Files": group, "Claims": asked, "Said": in.Said, "Tested": in.Tested})
		if failed != nil {
			return nil, nil, failed
		}
		told, err = llm.Twice(ctx, m.Refute, llm.Request{Job: "scout/refute", System: systemPrompt, Prompt: prompt}, m.Look, func(j judgement) []string { return j.Need })
		for _, v := range told.Verdicts {
			switch {
			case v.Number < 1 || v.Number > len(asked):
			case v.Refuted:
				weak[v.Number-1] = v.Reason
			default:
				stands[v.Number-1] = true
			}
		}
	}
	for i, b := range kept {
		evidence := qa.Suspected
		if reason, was := weak[i]; was {
			refuted = append(refuted, fmt.Sprintf("%s:%d: %s: refuted: %s", b.Path, b.lines.Start, b.Title, reason))
		} else if stands[i] && err == nil {
			evidence = qa.Corroborated
		}
		hits = append(hits, engine.Hit{
			Engine: "model", Rule: "model/" + slug(b.Title), Path: b.Path, Lines: b.lines, Severity: b.severity(),
			Perspectives: []qa.Perspective{qa.Perspective(b.Perspective)}, Message: message(b.claim), Suggestion: b.Suggestion, CWE: cwes(b.CWE), Evidence: evidence,
		})
	}
	return hits, refuted, err
}

// message is what a claim says, with the input that shows it.
func message(c claim) string {
	explanation, trigger := strings.TrimSpace(c.Explanation), strings.TrimSpace(c.Trigger)
	if explanation == "" || strings.Contains(explanation, trigger) {
		return cmp.Or(explanation, trigger)
	}
	return explanation + " Shown by: " + trigger
}

// slug makes a rule id of what a model called the problem.
func slug(title string) string {
	s := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, title)
	s = strings.Trim(s, "-")
	if s == "" {
		return "finding"
	}
	return s[:min(len(s), 40)]
}

func cwes(claimed []string) []string {
	var out []string
	for _, c := range claimed {
		if n, ok := strings.CutPrefix(strings.ToUpper(c), "CWE-"); ok && n != "" && strings.Trim(n, "0123456789") == "" {
			out = append(out, "CWE-"+n)
		}
	}
	return out
}
