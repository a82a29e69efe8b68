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

// idle says why a part in which no test was cannot be one of these, which together are a
// suite that a runner divided in so many: the tests of the others are in as many files.
func idle(parts []baseline.Measurement, of int) error {
	files, none := map[string]bool{}, false
	for _, p := range parts {
		if baseline.Listed(p.Target) || !baseline.Divisible(p.Target.Framework) || p.Baseline.Head.Inconclusive != "" {
			return nil // it ran whole, or is not judged as it is
		}
		none = none || len(p.Baseline.Head.Suite.Cases) == 0
		for _, c := range p.Baseline.Head.Suite.Cases {
			files[c.File] = true
		}
	}
	if !none && len(parts) >= of || len(files) < of {
		return nil
	}
	return fmt.Errorf("a part ran no test, though the tests of the others are in %d files, which the runner divides in %d", len(files), of)
}
