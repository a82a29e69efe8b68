// Package wrote tells what an edit says, so that the same one is known again elsewhere:
// lines with their marks, or the names that became others in them.
package wrote

import (
	"slices"
	"strings"
	"unicode"

	"github.com/org/qa-action/internal/each"
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

// Renames are the names that became others in an edit which does nothing else. The zero
// value has none.
type Renames struct {
	to, from map[string]string
	inCode   map[string]bool // by name: it became another in code, and not only in prose
	twofold  bool            // a name became two, two became one, or both changed places
}

// Add looks at lines before and after, and after without their comments and texts, and
// reports whether names alone became others in them. Words of the language are none, nor are
// those of texts, but for what an import names: of both the place decides what they do.
func (r *Renames) Add(was, is, code []string) bool {
	if len(was) != len(is) {
		return false
	}
	for i := range was {
		one, other := tokens.FindAllString(was[i], -1), tokens.FindAllString(is[i], -1)
		if len(one) != len(other) {
			return false
		}
		quotes, imports := 0, fromFile.MatchString(was[i])
		for j := range one {
			quotes += strings.Count(`"'`+"`", one[j])
			switch {
			case one[j] == other[j]:
			case !name.MatchString(one[j]) || !name.MatchString(other[j]), reserved.MatchString(one[j]), reserved.MatchString(other[j]), quotes%2 == 1 && !imports:
				return false
			default:
				r.note(one[j], other[j], imports || times(other[j], tokens.FindAllString(code[i], -1)) == times(other[j], other))
			}
		}
	}
	return true
}

func (r *Renames) note(was, is string, inCode bool) {
	if r.to == nil {
		r.to, r.from, r.inCode = map[string]string{}, map[string]string{}, map[string]bool{}
	}
	to, known := r.to[was]
	from, taken := r.from[is]
	r.twofold = r.twofold || known && to != is || taken && from != was
	r.to[was], r.from[is], r.inCode[was] = is, was, r.inCode[was] || inCode
}

func times(word string, in []string) int {
	return each.Count(in, func(w string) bool { return w == word })
}

// Told are the names with what became of each, in the order of the alphabet; not ok where
// the edit is more than that: what stands in prose alone is another edit than that of code,
// and names that change places or become one do something.
func (r *Renames) Told() (text string, ok bool) {
	var all []string
	for was, is := range r.to {
		if _, swapped := r.to[is]; swapped || !r.inCode[was] || r.twofold {
			return "", false
		}
		all = append(all, was+" → "+is)
	}
	slices.Sort(all)
	return Telling(all), true
}

var (
	name     = pattern.New(`[\pL_$][\pL\pN_$]+`)
	tokens   = pattern.New(`[\pL\pN_$]+|\s+|[^\pL\pN_$\s]`)
	reserved = pattern.New(`(?i)^(?:true|false|null|nil|none|undefined|nan|and|or|not|if|elif|else|while|for|switch|case|default|break|continue|return|yield|throw|raise|try|except|catch|finally|await|async|in|is|of|new|del|delete|typeof|instanceof|public|private|protected|static|final|const|let|var|def|func|fn|go|defer|global|nonlocal|super|self|this|min|max|any|all)$`)
	fromFile = pattern.New(`^(?:import|from|use|export)\b|\brequire\(|^(?:\w+ )?"[^"]*"$`)
)
