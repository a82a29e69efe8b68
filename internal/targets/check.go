package targets

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/qa"
)

// Check holds what the configuration says of the repository against the checkout,
// before anything runs. A package that the change removed is dropped: on a pull
// request the configuration is that of base. Every problem is reported at once.
func Check(root fs.FS, change qa.Change, c *config.Config) error {
	var problems []error
	is := func(dir string) bool {
		info, err := fs.Stat(root, dir)
		return err == nil && info.IsDir()
	}
	if !is(c.WorkingDirectory) {
		problems = append(problems, fmt.Errorf("working-directory: there is no directory %q in the repository", c.WorkingDirectory))
	}
	if c.TestCommand != "" {
		if _, err := framework.Custom(".", c.TestCommand, nil, nil); err != nil {
			problems = append(problems, err)
		}
	}
	var left []config.Target
	for i, t := range c.Targets {
		switch {
		case is(t.Dir):
			left = append(left, t)
		case !removed(change, t.Dir):
			problems = append(problems, fmt.Errorf("%s: targets[%d]: dir: there is no directory %q in the repository", c.File, i, t.Dir))
		}
		if t.TestCommand != "" && t.TestCommand != c.TestCommand {
			if _, err := framework.Custom(".", t.TestCommand, nil, nil); err != nil {
				problems = append(problems, fmt.Errorf("%s: targets[%d]: %w", c.File, i, err))
			}
		}
	}
	c.Targets = left
	return errors.Join(problems...)
}

// removed reports whether the change took files out of a directory.
func removed(change qa.Change, dir string) bool {
	for _, f := range change.Files {
		gone := f.Status == qa.Deleted && qa.Below(f.Path, dir) || f.BasePath() != f.Path && qa.Below(f.BasePath(), dir)
		if gone {
			return true
		}
	}
	return false
}
