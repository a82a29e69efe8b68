package ci

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/shell"
)

// guides are where a repository tells people how to work on it.
var guides = []string{"CONTRIBUTING.md", "CONTRIBUTING.rst", "CONTRIBUTING", "CONTRIBUTING.txt", ".github/CONTRIBUTING.md", "docs/CONTRIBUTING.md", "DEVELOPMENT.md", "HACKING.md"}

var (
	// fence opens or closes a block of code, with the language behind it.
	fence = pattern.New("^\\s*(?:```+|~~~+)\\s*([\\w-]*)\\s*$")
	shown = pattern.New(`^(?:sh|bash|shell|zsh|console|shell-session|shellsession|terminal|)$`)
	// prompt begins a command that is shown as it is typed.
	prompt = pattern.New(`^\s*(?:\$|%)\s+(.+)$`)
)

// Told is the command by which a repository tells people to test it, with its line: what
// stands in a block of code of its guide, or behind a prompt. It is told and never run:
// prose may mean any of its commands for another place.
func Told(tree fs.FS) (Command, bool) {
	for _, name := range guides {
		info, err := fs.Stat(tree, name)
		if err != nil || info.Size() > maxFile {
			continue
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			continue
		}
		inside, number := false, 0
		for line := range bytes.Lines(text) {
			number++
			if m := fence.FindSubmatch(bytes.TrimRight(line, "\r\n")); m != nil {
				inside = !inside && shown.Match(m[1])
				continue
			}
			command := strings.TrimSpace(string(line))
			if m := prompt.FindStringSubmatch(command); m != nil {
				command = m[1]
			} else if !inside {
				continue
			}
			if argv, err := shell.Split(command); err == nil && len(argv) > 0 && kindOf(argv) == Test {
				return Command{Kind: Test, Argv: argv, Source: fmt.Sprintf("%s:%d", path.Base(name), number)}, true
			}
		}
	}
	return Command{}, false
}
