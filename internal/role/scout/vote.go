package scout

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/llm"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
)

// ballot is a claim with its place and how many passes made it.
type ballot struct {
	claim
	lines qa.Range
	votes int
}

// vote puts claims about the same place together; a claim whose quote is not in
// its file is dropped.
func vote(passes [][]claim, group []shownFile) (kept []ballot, dropped []string) {
	for _, claims := range passes {
		var counted []int // a pass has one vote per place
		for _, c := range claims {
			i := slices.IndexFunc(group, func(f shownFile) bool { return f.Path == c.Path })
			if i < 0 {
				dropped = append(dropped, fmt.Sprintf("%s: not a file that was shown", c.Path))
				continue
			}
			lines, ok := place(group[i], c.Quote)
			if !ok {
				dropped = append(dropped, fmt.Sprintf("%s: %s: the quote is not in the file", c.Path, c.Title))
				continue
			}
			if strings.TrimSpace(c.Trigger) == "" {
				dropped = append(dropped, fmt.Sprintf("%s:%d: %s: no input shows it", c.Path, lines.Start, c.Title))
				continue
			}
			at := slices.IndexFunc(kept, func(b ballot) bool { return b.Path == c.Path && b.lines.Overlaps(lines) })
			if at < 0 {
				at = len(kept)
				kept = append(kept, ballot{claim: c, lines: lines})
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

// place finds a quote in the file; what the change took away is placed where it
// stood.
func place(f shownFile, quote string) (qa.Range, bool) {
	if lines, ok := find(f.Source, quote); ok {
		return lines, true
	}
	kept := strings.Split(quote, "\n")
	kept = slices.DeleteFunc(kept, func(l string) bool { return strings.HasPrefix(strings.TrimSpace(l), "- ") })
	if lines, ok := find(f.Source, strings.Join(kept, "\n")); ok {
		return lines, true
	}
	if f.Before == "" {
		return qa.Range{}, false
	}
	was, ok := find(f.Before, quote)
	if !ok {
		was, ok = find(f.Before, unmarked.ReplaceAllString(quote, ""))
	}
	if !ok {
		return qa.Range{}, false
	}
	last := len(strings.Split(strings.TrimSuffix(f.Source, "\n"), "\n"))
	for _, g := range change.Removed([]byte(f.Before), []byte(f.Source)) {
		if was.Overlaps(qa.Range{Start: g.First, End: g.First + len(g.Lines) - 1}) {
			at := min(g.At, last)
			return qa.Range{Start: at, End: at}, true
		}
	}
	return qa.Range{}, false
}

var unmarked = pattern.New(`(?m)^\s*- ?`)

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
// evidence: suspected when refuted, of low severity or named by a single pass of
// several, corroborated when votes and refutation agree. A model lowers a tier;
// it never deletes a claim that stands on real code.
func (m model) refute(ctx context.Context, in input, p qa.Perspective, group []shownFile, kept []ballot) (hits []engine.Hit, refuted []string, err error) {
	weak := map[int]string{}
	// Those worth asking about come first, so that their numbers are their places.
	asked := len(kept)
	if in.Unverified != "" {
		slices.SortStableFunc(kept, func(a, b ballot) int { return cmp.Compare(in.skips(a), in.skips(b)) })
		asked = slices.IndexFunc(kept, func(b ballot) bool { return in.skips(b) == 1 })
		if asked < 0 {
			asked = len(kept)
		}
	}
	var told judgement
	if asked > 0 {
		prompt, failed := render("refute", map[string]any{"Files": group, "Claims": kept[:asked], "Title": in.Title, "Body": in.Body})
		if failed != nil {
			return nil, nil, failed
		}
		told, err = llm.Twice(ctx, m.Refute, llm.Request{Job: "scout/refute", System: systemPrompt, Prompt: prompt}, m.Look, func(j judgement) []string { return j.Need })
	}
	for _, v := range told.Verdicts {
		if v.Refuted && v.Number >= 1 && v.Number <= asked {
			weak[v.Number-1] = v.Reason
		}
	}
	for i, b := range kept {
		severity := qa.Severity(b.Severity)
		if severity.Rank() == len(qa.Severities()) {
			severity = qa.Medium
		}
		evidence := qa.Corroborated
		reason, was := weak[i]
		switch {
		case was:
			evidence = qa.Suspected
			refuted = append(refuted, fmt.Sprintf("%s:%d: %s: refuted: %s", b.Path, b.lines.Start, b.Title, reason))
		case err != nil || b.votes < 2 || severity == qa.Low || i >= asked:
			evidence = qa.Suspected
		}
		hits = append(hits, engine.Hit{
			Engine: "model", Rule: "model/" + slug(b.Title), Path: b.Path, Lines: b.lines, Severity: severity,
			Perspectives: []qa.Perspective{p}, Message: message(b.claim), Suggestion: b.Suggestion, CWE: cwes(b.CWE), Evidence: evidence,
		})
	}
	return hits, refuted, err
}

// skips is 1 for a claim that is not worth a refutation.
func (in input) skips(b ballot) int {
	if qa.Severity(b.Severity).Rank() >= in.Unverified.Rank() {
		return 1
	}
	return 0
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
