package scout

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/llm"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan"
)

// ballot is a claim with its place and how many passes made it.
type ballot struct {
	Claim
	lines qa.Range
	votes int
}

// vote puts claims about the same place together; a claim whose quote is not in
// its file is dropped.
func vote(passes [][]Claim, group []File) (kept []ballot, dropped []string) {
	for _, claims := range passes {
		var counted []int // a pass has one vote per place
		for _, c := range claims {
			i := slices.IndexFunc(group, func(f File) bool { return f.Path == c.Path })
			if i < 0 {
				dropped = append(dropped, fmt.Sprintf("%s: not a file that was shown", c.Path))
				continue
			}
			lines, ok := find(group[i].Source, c.Quote)
			if !ok {
				dropped = append(dropped, fmt.Sprintf("%s: %s: the quote is not in the file", c.Path, c.Title))
				continue
			}
			at := slices.IndexFunc(kept, func(b ballot) bool { return b.Path == c.Path && b.lines.Overlaps(lines) })
			if at < 0 {
				at = len(kept)
				kept = append(kept, ballot{Claim: c, lines: lines})
			}
			if !slices.Contains(counted, at) {
				counted = append(counted, at)
				kept[at].votes++
			}
			if s := qa.Severity(c.Severity); s.Rank() < qa.Severity(kept[at].Severity).Rank() {
				kept[at].Severity = c.Severity
			}
		}
	}
	return kept, dropped
}

// find locates a quote: the same lines, white space at their ends and the
// marks of our own rendering aside.
func find(source, quote string) (qa.Range, bool) {
	var want []string
	for _, line := range strings.Split(quote, "\n") {
		line = strings.TrimSpace(line)
		line = strings.TrimSpace(strings.TrimPrefix(line, "+ "))
		if line != "" {
			want = append(want, line)
		}
	}
	if len(want) == 0 || len(strings.Join(want, "")) < 3 {
		return qa.Range{}, false
	}
	lines := strings.Split(source, "\n")
	for i := range lines {
		at, matched := i, 0
		for ; at < len(lines) && matched < len(want); at++ {
			have := strings.TrimSpace(lines[at])
			if have == "" && matched > 0 {
				continue
			}
			if have != want[matched] && !(len(want) == 1 && strings.Contains(have, want[0])) {
				break
			}
			matched++
		}
		if matched == len(want) {
			return qa.Range{Start: i + 1, End: at}, true
		}
	}
	return qa.Range{}, false
}

// refute asks an independent request to break the claims, and sets the
// evidence: suspected when refuted or named by a single pass of several,
// corroborated when votes and refutation agree. A model lowers a tier; it never
// deletes a claim that stands on real code.
func (m Model) refute(ctx context.Context, p qa.Perspective, group []File, kept []ballot) (hits []scan.Hit, refuted []string, err error) {
	if len(kept) == 0 {
		return nil, nil, nil
	}
	weak := map[int]string{}
	prompt, err := render("refute", map[string]any{"Files": group, "Claims": kept})
	if err != nil {
		return nil, nil, err
	}
	judgement, err := m.Refute(ctx, llm.Request{Job: "scout/refute", System: systemPrompt, Prompt: prompt})
	for _, v := range judgement.Verdicts {
		if v.Refuted && v.Number >= 1 && v.Number <= len(kept) {
			weak[v.Number-1] = v.Reason
		}
	}
	for i, b := range kept {
		evidence := qa.Corroborated
		reason, was := weak[i]
		switch {
		case was:
			evidence = qa.Suspected
			refuted = append(refuted, fmt.Sprintf("%s:%d: %s: refuted: %s", b.Path, b.lines.Start, b.Title, reason))
		case err != nil || b.votes < 2:
			evidence = qa.Suspected
		}
		severity := qa.Severity(b.Severity)
		if severity.Rank() == len(qa.Severities()) {
			severity = qa.Medium
		}
		hits = append(hits, scan.Hit{
			Engine: "model", Rule: "model/" + slug(b.Title), Path: b.Path, Lines: b.lines, Severity: severity,
			Perspectives: []qa.Perspective{p}, Message: b.Explanation, Suggestion: b.Suggestion, CWE: cwes(b.CWE), Evidence: evidence,
		})
	}
	return hits, refuted, err
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
