package shard

import (
	"fmt"
	"maps"
	"slices"

	"github.com/org/qa-action/internal/baseline"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

const namedTests = 3 // of those that are said, the others are counted

// executedIn are the tests that a measurement ran on head.
func executedIn(m baseline.Measurement) map[string]bool {
	ran := each.Where(m.Baseline.Head.Suite.Cases, func(c qa.Case) bool { return c.Status != qa.Skipped })
	return each.Set(each.Of(ran, qa.Case.ID))
}

// distinct says why two measurements of one target are not distinct parts of its
// suite: one ran no test at all, or a test ran in both, so that its counters
// would count twice. Of a suite that was divided, a part may have had nothing to execute.
func distinct(a, b baseline.Measurement, divided bool) error {
	first, second := executedIn(a), executedIn(b)
	if !divided && (len(first) == 0 || len(second) == 0) {
		return fmt.Errorf("one of them ran no test, so they are no parts of one suite")
	}
	both := each.Where(slices.Collect(maps.Keys(second)), func(id string) bool { return first[id] })
	if len(both) == 0 {
		return nil
	}
	return fmt.Errorf("tests that ran in both: %s", wording.Some(slices.Sorted(slices.Values(both)), namedTests))
}
