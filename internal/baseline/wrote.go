package baseline

import (
	"fmt"
	"slices"

	"github.com/org/qa-action/internal/role/executor"
)

// wrote looks whether a suite wrote or moved files of the project on head, or laid
// others where they are found first, and does not on base: what its tests then ran with
// is not known to be the change. Putting all back does not hide it: only root can set
// when a file was changed, and names are noted when they come and go.
func (c comparison) wrote() {
	for _, run := range c.b.Runs {
		own := slices.DeleteFunc(slices.Clone(run.Wrote.Head), func(name string) bool {
			return slices.Contains(run.Wrote.Base, name) || slices.Contains(run.Wrote.Laid, name) && executor.AlikeOnBase(run, name)
		})
		if c.Change.Base == "" || len(own) == 0 {
			continue
		}
		c.b.Command = also(c.b.Command, fmt.Sprintf("the tests of %s write or move files of the project while they run, or lay others in their place (%s), which those of base are not known to do: whether they ran with the change is not known",
			run.Target.Name, some(own)))
	}
}
