package ci

import (
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/wording"
)

// maxLeft bounds how many commands are named that are never run.
const maxLeft = 3

// Line is a command as it is shown, with where it stands.
func (c Command) Line() string { return fmt.Sprintf("`%s` (%s)", wording.Command(c.Argv), c.Source) }

// Shown is a variable with its value, and where it stands.
func (v Variable) Shown() string {
	return fmt.Sprintf("%s=%.60s (%s)", v.Name, wording.Line(v.Value, 60), v.Source)
}

// Said is how a job installs and runs the tests of a directory, and what of it is
// never run here; empty where it says nothing of them.
func (j Job) Said(dir string) string {
	var parts, left []string
	for _, c := range j.Commands {
		switch {
		case c.Kind == Outward:
			left = append(left, c.Line())
		case c.Kind == Install && len(parts) == 0:
			parts = append(parts, "installs with "+c.Line())
		}
	}
	if c, ok := j.Test(dir); ok {
		parts = append(parts, "tests with "+c.Line())
	}
	if len(left) > 0 {
		parts = append(parts, "and does what is never done here: "+strings.Join(left[:min(len(left), maxLeft)], ", "))
	}
	if len(parts) == 0 {
		return ""
	}
	return "the repository's own workflow " + strings.Join(parts, ", ")
}
