package runtime

import (
	"fmt"
	"regexp"
	"strings"
)

// complaint is how the first line of an error begins: of git, uv, npm, pnpm, yarn.
var complaint = regexp.MustCompile(`(?im)^\s*(error\b|fatal\b|npm (error|err!)|err_pnpm|➤ yn\d+: .*error)`)

// oneLine is what an output says went wrong, for an error message: from the first
// complaint on, else the last line.
func oneLine(out []byte) string {
	text := strings.TrimSpace(string(out))
	if at := complaint.FindStringIndex(text); at != nil {
		text = text[at[0]:]
	} else {
		text = text[strings.LastIndex(text, "\n")+1:]
	}
	return fmt.Sprintf("%.400s", strings.Join(strings.Fields(text), " "))
}
