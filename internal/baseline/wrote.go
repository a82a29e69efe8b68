package baseline

import (
	"fmt"
	"slices"
	"strings"
)

// wrote looks whether a suite wrote files of the project on head that it does not
// write on base: what its tests then ran with is not known to be the change. Putting
// a file back does not hide it, since only root can set when it was changed.
func (c comparison) wrote() {
	for _, run := range c.b.Runs {
		own := slices.DeleteFunc(slices.Clone(run.Wrote.Head), func(name string) bool { return slices.Contains(run.Wrote.Base, name) })
		if c.Change.Base == "" || len(own) == 0 {
			continue
		}
		c.b.Command = strings.TrimPrefix(fmt.Sprintf("%s; the tests of %s write files of the project while they run (%s), which those of base are not known to do: whether they ran with the change is not known",
			c.b.Command, run.Target.Name, some(own)), "; ")
	}
}
