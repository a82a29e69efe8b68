package executor

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"

	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// Absent says which tests below a directory git has and the checkout lacks although the change
// did not remove them, as a sparse one does; empty when none. Nobody ran them, and the suite
// that lacks them is green.
func Absent(tracked iter.Seq[string], stat func(string) (fs.FileInfo, error), c qa.Change, dir string) string {
	var lacks []string
	for name := range tracked {
		if !qa.Below(name, dir) || !framework.Command.IsTest(name) || folder.Aside(name) {
			continue
		}
		if _, err := stat(name); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if f, changed := c.File(name); !changed || f.Status != qa.Deleted {
			lacks = append(lacks, name)
		}
	}
	if len(lacks) == 0 {
		return ""
	}
	slices.Sort(lacks)
	return fmt.Sprintf("tests that git has are not checked out: %s; check all of it out (in Actions: actions/checkout without sparse-checkout), or name what is there with working-directory", wording.Some(lacks, 3))
}
