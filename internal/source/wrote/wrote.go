// Package wrote tells what an edit says, so that the same one is known again elsewhere:
// lines with their marks, or the names that became others in them.
package wrote

import (
	"strings"
	"unicode"

	"github.com/org/qa-action/internal/pattern"
)

// fewestLetters is how many letters and digits an edit has that says something by itself:
// brackets and short words are everywhere.
const fewestLetters = 12

// Telling are lines that say something by themselves, empty where they do not.
func Telling(lines []string) string {
	text := strings.Join(lines, "\n")
	letters := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
	if len(letters) < fewestLetters {
		return ""
	}
	return text
}

// Marked are lines with a mark and one space between their words; those without words say
// nothing.
func Marked(lines []string, mark string) (out []string) {
	for _, line := range lines {
		if text := strings.Join(strings.Fields(line), " "); text != "" {
			out = append(out, mark+text)
		}
	}
	return out
}

// Renamed are the names that became others in lines which are the same else. Words of the
// language are none, nor are those of texts, but for what an import names: of both the place
// decides what they do.
func Renamed(was, is []string) (out []string, ok bool) {
	if len(was) != len(is) {
		return nil, false
	}
	for i := range was {
		one, other := tokens.FindAllString(was[i], -1), tokens.FindAllString(is[i], -1)
		if len(one) != len(other) {
			return nil, false
		}
		quotes := 0
		for j := range one {
			quotes += strings.Count(`"'`+"`", one[j])
			switch {
			case one[j] == other[j]:
			case !name.MatchString(one[j]) || !name.MatchString(other[j]), reserved.MatchString(one[j]), reserved.MatchString(other[j]), quotes%2 == 1 && !fromFile.MatchString(was[i]):
				return nil, false
			default:
				out = append(out, one[j]+" → "+other[j])
			}
		}
	}
	return out, true
}

var (
	name     = pattern.New(`[\pL_$][\pL\pN_$]+`)
	tokens   = pattern.New(`[\pL\pN_$]+|\s+|[^\pL\pN_$\s]`)
	reserved = pattern.New(`(?i)^(?:true|false|null|nil|none|undefined|nan|and|or|not|if|elif|else|while|for|switch|case|default|break|continue|return|yield|throw|raise|try|except|catch|finally|await|async|in|is|of|new|del|delete|typeof|instanceof|public|private|protected|static|final|const|let|var|def|func|fn|go|defer|global|nonlocal|super|self|this|min|max|any|all)$`)
	fromFile = pattern.New(`^(?:import|from|use|export)\b|\brequire\(|^(?:\w+ )?"[^"]*"$`)
)
