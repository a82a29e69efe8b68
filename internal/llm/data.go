package llm

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/org/qa-action/internal/pattern"
)

var dataTag = pattern.New(`(?i)<(/?)\s*data`)

// plainName is what most paths and names of functions look like.
var plainName = pattern.New(`^[\w\pL\pN./@+$#()\[\]-]+$`)

// Name is a path or a name of the repository for where a prompt names a thing: a
// plain one as it is, any other one as a quoted word that cannot end its line.
func Name(text string) string {
	if plainName.MatchString(text) {
		return text
	}
	return strconv.QuoteToASCII(dataTag.ReplaceAllString(text, "&lt;${1}data"))
}

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
