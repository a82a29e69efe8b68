package strategist

import (
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// fewestAlike is in how many functions an edit stands that is asked about once.
const fewestAlike = 3

// alike has tests of functions with the same edit asked for once, of the riskiest: one
// answer holds for all, and the report says of which. A function with a finding of its own
// is asked about by itself.
func alike(in Input, all []qa.Focus) []qa.Focus {
	if in.Edits == nil {
		return all
	}
	files := map[string]func(qa.Range) string{}
	same := map[string][]int{}
	for i, f := range all[:min(len(all), mostCompared)] {
		if files[f.Path] == nil {
			files[f.Path] = in.Edits(f.Path)
		}
		if edit := files[f.Path](f.Lines); edit != "" && len(f.Findings) == 0 {
			same[edit] = append(same[edit], i)
		}
	}
	for _, at := range same {
		if len(at) < fewestAlike {
			continue
		}
		first := &all[at[0]]
		first.Reasons = append(first.Reasons, "stands for the same edit in "+wording.Count(len(at)-1, "more function"))
		for _, i := range at[1:] {
			all[i].Like = first.Name()
			all[i].Reasons = append(all[i].Reasons, "has the same edit as "+first.Name()+", which is asked about in its stead")
		}
	}
	return all
}
