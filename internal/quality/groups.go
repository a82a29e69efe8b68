package quality

import (
	"cmp"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
)

// Groups puts failing tests with one normalised message together, the largest
// group first.
func Groups(failing []qa.FailingTest) []qa.FailureGroup {
	var out []qa.FailureGroup
	at := map[string]int{}
	for _, f := range failing {
		first, _, _ := strings.Cut(strings.TrimSpace(f.Case.Message), "\n")
		message := qa.Stable(first)
		key := string(f.Triage) + "\x00" + message
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, qa.FailureGroup{Message: message, Triage: f.Triage})
		}
		out[i].Count++
		if len(out[i].Tests) < qa.GroupNames {
			out[i].Tests = append(out[i].Tests, f.Case.ID())
		}
	}
	slices.SortStableFunc(out, func(a, b qa.FailureGroup) int { return cmp.Compare(b.Count, a.Count) })
	return out
}
