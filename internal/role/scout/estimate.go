package scout

import (
	"cmp"

	"github.com/org/qa-action/internal/llm"
	"github.com/org/qa-action/internal/qa"
)

// answered is what one reply costs, roughly.
const answered = 500

// Estimate is about how many tokens a scan costs: every perspective and group
// of files is asked once per pass and once to refute.
func (m model) Estimate(in input) int {
	passes := cmp.Or(m.Passes, 2)
	total := 0
	for _, group := range m.groups(in.Files) {
		one := llm.Tokens(systemPrompt) + llm.Tokens(in.Title) + llm.Tokens(in.Body) + answered
		for _, f := range group {
			one += llm.Tokens(marked(f)) + llm.Tokens(f.Context)
		}
		total += one * (passes + 1) * len(in.Perspectives)
	}
	return total
}

// Fit cuts a scan until it costs no more than the tokens given, in a fixed
// order: the perspectives ux and code-quality, the refutation of low claims,
// then files, the one with the fewest changed lines first. cuts says in words
// what was left out, in that order. One file and one perspective are never cut:
// the budget itself refuses what it cannot pay.
func (m model) Fit(in input, tokens int) (fit input, cuts []string) {
	over := func() bool { return m.Estimate(in) > tokens }
	for _, p := range []qa.Perspective{qa.UX, qa.CodeQuality} {
		if over() && len(in.Perspectives) > 1 {
			rest := without(in.Perspectives, p)
			if len(rest) < len(in.Perspectives) {
				in.Perspectives, cuts = rest, append(cuts, "perspective "+string(p))
			}
		}
	}
	if over() {
		in.Unverified, cuts = qa.Low, append(cuts, "verification of low findings")
	}
	for over() && len(in.Files) > 1 {
		least := 0
		for i, f := range in.Files {
			if lines(f) < lines(in.Files[least]) {
				least = i
			}
		}
		cuts = append(cuts, "model scan of "+in.Files[least].Path)
		in.Files = append(in.Files[:least:least], in.Files[least+1:]...)
	}
	return in, cuts
}

func without(all []qa.Perspective, p qa.Perspective) []qa.Perspective {
	var out []qa.Perspective
	for _, q := range all {
		if q != p {
			out = append(out, q)
		}
	}
	return out
}

func lines(f shownFile) int {
	n := 0
	for _, r := range f.Added {
		n += r.Len()
	}
	return n
}
