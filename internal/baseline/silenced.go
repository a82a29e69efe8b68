package baseline

import (
	"slices"

	"github.com/org/qa-action/internal/qa"
)

// silenced looks for tests that ran on base and are skipped on head, in files that
// the change leaves as they are: something else of it has them skipped.
func (c comparison) silenced() {
	var names []string
	for _, ran := range c.b.Runs {
		for _, k := range ran.Tests.Cases {
			if k.Status == qa.Skipped && k.File != "" && !c.Touches(k.File) && slices.Contains(ran.Tests.NewlySkipped, k.ID()) {
				names = append(names, k.ID())
			}
		}
	}
	if len(names) > 0 {
		c.b.Command = also(c.b.Command, "tests that ran on base are skipped, in files that the change leaves as they are: "+some(names))
	}
}
