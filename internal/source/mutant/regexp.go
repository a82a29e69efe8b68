package mutant

import (
	"strings"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/source/syntax"
)

// builds are the calls whose first argument is a regular expression.
var builds = pattern.New(`^(regexp\.(MustCompile|Compile|MatchString|Match)(POSIX)?|pattern\.New|re\.(compile|match|fullmatch|search|findall|finditer|split|sub|subn)|regex\.(compile|match|fullmatch|search|sub)|RegExp)$`)

// expression changes a regular expression that is written out in a string.
func expression(n *syntax.Node, text string) []mutation {
	for _, quote := range []string{`"`, "`", "'"} {
		i := strings.Index(text, quote)
		if i < 0 || len(text) < i+2 || !strings.HasSuffix(text, quote) || strings.HasPrefix(text[i:], quote+quote+quote) {
			continue
		}
		if changed, ok := otherExpression(text[i+1 : len(text)-1]); ok {
			return replace(regularExpression, n, text[:i+1]+changed+quote)
		}
		return nil
	}
	return nil
}

// otherExpression is a regular expression that takes more or less than another one:
// an anchor, a quantifier, a class or a negation is another.
func otherExpression(text string) (string, bool) {
	switch {
	case len(text) > 1 && text[0] == '^':
		return text[1:], true
	case len(text) > 1 && text[len(text)-1] == '$' && !escaped(text, len(text)-1):
		return text[:len(text)-1], true
	}
	in := false // a class
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			if at := strings.IndexByte("dDwWsS", text[i+1]); at >= 0 {
				return text[:i+1] + "DdWwSs"[at:at+1] + text[i+2:], true
			}
			i++
		case c == '[' && !in:
			if in = true; strings.HasPrefix(text[i:], "[^") {
				return text[:i+1] + text[i+2:], true
			}
		case c == ']':
			in = false
		case (c == '+' || c == '*') && !in && i > 0:
			return text[:i] + map[byte]string{'+': "*", '*': "+"}[c] + text[i+1:], true
		}
	}
	return "", false
}

// escaped reports whether a backslash takes the meaning of a character away.
func escaped(text string, at int) bool {
	n := 0
	for at > n && text[at-1-n] == '\\' {
		n++
	}
	return n%2 == 1
}
