package executor

import (
	"slices"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
)

// Skipped are the tests that ran on base and are skipped on head.
func Skipped(b Baseline) []qa.Case {
	return each.Where(b.Tests.Cases, func(k qa.Case) bool {
		return k.Status == qa.Skipped && slices.Contains(b.Tests.NewlySkipped, k.ID())
	})
}

// Dropped are the tests that passed on base and are in no report of head, of files that
// show fewer tests than on base: what has another name is none. Of a part of a suite
// nobody knows.
func Dropped(b Baseline) []qa.Case {
	if b.Base == nil || b.Head.Inconclusive != "" || b.Target.Part != nil || len(b.Target.Only) > 0 {
		return nil
	}
	gone, fewer := each.Set(b.Tests.Removed), map[string]int{}
	for _, k := range b.Base.Suite.Cases {
		fewer[k.File]++
	}
	for _, k := range b.Head.Suite.Cases {
		fewer[k.File]--
	}
	return each.Where(b.Base.Suite.Cases, func(k qa.Case) bool { return k.Status == qa.Passed && fewer[k.File] > 0 && gone[k.ID()] })
}
