package shell

import (
	"path"
	"slices"
	"strings"
)

// Starts reports whether a line of a Makefile starts a program, behind nothing but
// variables, options and what starts programs: "$(GO) test", "npx jest". A word of another
// command is none.
func Starts(line, program string) bool {
	want, words := strings.Fields(program), strings.Fields(strings.TrimLeft(line, "@-+ \t"))
	for i, word := range words {
		rest := words[i:]
		if len(rest) >= len(want) && (path.Base(word) == want[0] || len(want) > 1 && strings.HasPrefix(word, "$")) && slices.Equal(rest[1:len(want)], want[1:]) {
			return true
		}
		if !strings.HasPrefix(word, "$") && !strings.HasPrefix(word, "-") && !Assignment.MatchString(word) && !slices.Contains(starting, word) {
			return false
		}
	}
	return false
}

// starting are words that may stand before a program.
var starting = strings.Fields("npx bunx exec run env time uv uvx poetry pdm hatch rye pipenv yarn pnpm npm bun python python3")
