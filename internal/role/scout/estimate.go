package scout

import (
	"github.com/org/qa-action/internal/llm"
)

// answered is what one reply costs, roughly.
const answered = 500

// Estimate is about how many tokens a scan costs at most: every group of files is
// asked about, and a second reader once.
func (m model) Estimate(in input) int {
	total := 0
	for _, group := range m.groups(in.Files) {
		one := llm.Tokens(systemPrompt) + llm.Tokens(in.Said) + llm.Tokens(in.Tested) + llm.Tokens(in.Untested) + answered
		for _, f := range group {
			one += llm.Tokens(marked(f)) + llm.Tokens(f.Context+f.Lost)
		}
		total += 2 * one
	}
	return total
}

// Fit cuts files from a scan, the one with the fewest changed lines first, until it
// costs no more than the tokens given; cuts says in words what was left out.
// Perspectives are never cut: all of them are asked about in one request, and one
// less saves a line of it. One file is never cut: the budget itself refuses what it
// cannot pay.
func (m model) Fit(in input, tokens int) (fit input, cuts []string) {
	for m.Estimate(in) > tokens && len(in.Files) > 1 {
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

func lines(f shownFile) int {
	n := 0
	for _, r := range f.Added {
		n += r.Len()
	}
	return n
}
