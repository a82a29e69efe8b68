package shell

import "github.com/org/qa-action/internal/wording"

// InDir puts a change of directory before a command line.
func InDir(dir, line string) string {
	if dir == "" {
		return line
	}
	return "cd " + wording.Quote(dir) + " && " + line
}
