package llm

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/org/qa-action/internal/pattern"
)

// dataTag is what could be read as the end of material, or as the beginning of some.
// A type parameter that is called Data is neither.
var dataTag = pattern.New(`(?i:<\s*/\s*data\b)|<\s*data\s*>`)

// plainName is what most paths and names of functions look like.
var plainName = pattern.New(`^[\w\pL\pN./@+$#()\[\]-]+$`)

// Name is a path or a name of the repository for where a prompt names a thing: a
// plain one as it is, any other one as a quoted word that cannot end its line.
func Name(text string) string {
	if plainName.MatchString(text) {
		return text
	}
	return strconv.QuoteToASCII(closed(text))
}

// Data puts hostile text into a prompt as material: between <data> and </data>,
// which the text itself can neither open nor close, and without characters that
// people reviewing the prompt could not see.
func Data(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case unicode.Is(unicode.Cf, r) || unicode.IsControl(r) || r >= 0xE0000 && r <= 0xE0FFF:
			return -1
		}
		return r
	}, text)
	return "<data>\n" + strings.TrimRight(closed(text), "\n") + "\n</data>"
}

// closed is a text without such a tag.
func closed(text string) string {
	return dataTag.ReplaceAllStringFunc(text, func(tag string) string { return "&lt;" + tag[1:] })
}
