package wording

import (
	"fmt"
	"regexp"
	"strings"
)

// errorStart is how the first line of an error begins: of git, uv, npm, pnpm, yarn,
// and the errors of newer yarns, which number all that they say.
var errorStart = regexp.MustCompile(`(?im)^\s*(error\b|fatal\b|×|npm (error|err!)|err_pnpm|➤ yn(0001|0009|0016|0018|002[0-8]|0030|0035|0041|0046|0047|0056|008[0-2]):|➤ yn\d+: .*error)`)

// ErrorLine is what a program says went wrong, for an error message: from the first
// line of an error on, in the first of its outputs that has one, else the last line
// that there is.
func ErrorLine(outs ...[]byte) string {
	text := ""
	for _, out := range outs {
		all := strings.TrimSpace(string(out))
		if at := errorStart.FindStringIndex(all); at != nil {
			text = all[at[0]:]
			break
		}
		if text == "" {
			text = all[strings.LastIndex(all, "\n")+1:]
		}
	}
	return fmt.Sprintf("%.400s", Fold(text))
}
