package llm

import (
	"regexp"
	"strings"
	"unicode"
)

var dataTag = regexp.MustCompile(`(?i)<(/?)\s*data`)

// Data puts hostile text into a prompt as material: between <data> and </data>,
// which the text itself can neither open nor close, and without characters that
// people reviewing the prompt could not see.
func Data(text string) string {
	text = dataTag.ReplaceAllString(text, "&lt;${1}data")
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case unicode.Is(unicode.Cf, r) || unicode.IsControl(r) || r >= 0xE0000 && r <= 0xE0FFF:
			return -1
		}
		return r
	}, text)
	return "<data>\n" + strings.TrimRight(text, "\n") + "\n</data>"
}
