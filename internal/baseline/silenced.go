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

// unexplained looks for commands that end badly on head and base alike although no test
// fails: what else they look at fails already, and with the change it may do so more.
func unexplained(b *Baseline) {
	var names []string
	for _, f := range b.Tests().Failing {
		if f.Triage == qa.PreExisting && f.Case.Suite == f.Target && f.Case.Name == "(crash)" {
			names = append(names, f.Target)
		}
	}
	if len(names) > 0 {
		b.Command = also(b.Command, "the test command ends badly on head and base alike although no test fails ("+some(names)+"): what else fails with the change is not known")
	}
}
