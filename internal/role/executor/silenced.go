package executor

import (
	"slices"
	"strings"

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
	if b.Base == nil || b.Head.Inconclusive != "" || b.Target.Part != nil {
		return nil
	}
	gone, fewer := each.Set(b.Tests.Removed), map[string]int{}
	for _, k := range b.Base.Suite.Cases {
		fewer[k.File] += tests(k)
	}
	for _, k := range b.Head.Suite.Cases {
		fewer[k.File] -= tests(k)
	}
	return each.Where(b.Base.Suite.Cases, func(k qa.Case) bool { return k.Status == qa.Passed && fewer[k.File] > 0 && gone[k.ID()] })
}

// tests is how many tests a case is: a file that ends before it names one is reported as
// if it were a test.
func tests(k qa.Case) int {
	if k.Name == k.File {
		return 0
	}
	return 1
}

// Gone are, of tests that passed on base by a remembered run, those that head does not
// have any more, of units (as ids begin) that have fewer tests there. In which files they
// stand the whole of base tells.
func Gone(passed []string, head qa.Suite) []string {
	count, gone := map[string]int{}, each.Set(passed)
	for _, id := range passed {
		unit, name, _ := strings.Cut(id, " > ")
		count[unit] += tests(qa.Case{File: unit, Name: name})
	}
	for _, k := range head.Cases {
		unit, name, _ := strings.Cut(k.ID(), " > ")
		count[unit] -= tests(qa.Case{File: unit, Name: name})
		delete(gone, k.ID())
	}
	return each.Where(passed, func(id string) bool {
		unit, _, _ := strings.Cut(id, " > ")
		return gone[id] && count[unit] > 0
	})
}
