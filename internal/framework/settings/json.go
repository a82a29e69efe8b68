package settings

import "github.com/org/qa-action/internal/pattern"

// jsonText is a text or a comment of JSON with comments; jsonComma one that nothing follows.
var (
	jsonText  = pattern.New(`"(?:[^"\\]|\\.)*"|//[^\n]*|/\*[\s\S]*?\*/`)
	jsonComma = pattern.New(`"(?:[^"\\]|\\.)*"|,\s*[}\]]`)
)

// PlainJSON takes comments and commas at the end of lists out.
func PlainJSON(data []byte) []byte {
	text := jsonText.ReplaceAllStringFunc(string(data), func(m string) string {
		if m[0] == '/' {
			return " "
		}
		return m
	})
	return []byte(jsonComma.ReplaceAllStringFunc(text, func(m string) string {
		if m[0] == ',' {
			return m[1:]
		}
		return m
	}))
}
