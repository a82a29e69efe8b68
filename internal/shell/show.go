package shell

import (
	"strings"

	"github.com/org/qa-action/internal/wording"
)

// MaxShown bounds a script's text where it is shown.
const MaxShown = 120

// Cut bounds text from the repository to n bytes, on a rune's border, and takes
// out what is no text.
func Cut(text string, n int) string {
	if len(text) > n {
		text = strings.ToValidUTF8(text[:n], "") + "…"
	}
	return strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f {
			return ' '
		}
		return c
	}, strings.ToValidUTF8(text, "?"))
}

// InDir puts a change of directory before a command line.
func InDir(dir, line string) string {
	if dir == "" {
		return line
	}
	return "cd " + wording.Quote(dir) + " && " + line
}
