package wording

import (
	"fmt"
	"regexp"
	"strings"
)

// errorStart is how the first line of an error begins: of git, uv, npm, pnpm, yarn.
var errorStart = regexp.MustCompile(`(?im)^\s*(error\b|fatal\b|npm (error|err!)|err_pnpm|➤ yn\d+: .*error)`)

// ErrorLine is what an output says went wrong, for an error message: from the first
// line of an error on, else the last line.
func ErrorLine(out []byte) string {
	text := strings.TrimSpace(string(out))
	if at := errorStart.FindStringIndex(text); at != nil {
		text = text[at[0]:]
	} else {
		text = text[strings.LastIndex(text, "\n")+1:]
	}
	return fmt.Sprintf("%.400s", strings.Join(strings.Fields(text), " "))
}
