package strategist

import (
	"slices"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/qa"
)

// Examples are the test files to learn from: those that ran, and those of the
// change.
func Examples(c qa.Change, ran []string) []string {
	for _, f := range c.Of(qa.KindTest) {
		if !slices.Contains(ran, f.Path) {
			ran = append(ran, f.Path)
		}
	}
	return slices.DeleteFunc(ran, func(p string) bool {
		kind, _, _ := change.Classify(p, nil)
		return kind != qa.KindTest
	})
}
