package pattern

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// mostNeeded bounds the texts of which a match has one: to look for many costs more than
// the expression itself.
const mostNeeded = 4

// needed are texts of which every match of an expression has at least one; none is known
// where it is nil. Most lines and names have none of them, and looking for a text is many
// times faster than an expression.
func needed(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		text := string(re.Rune)
		if re.Flags&syntax.FoldCase != 0 || strings.ContainsRune(text, utf8.RuneError) { // bytes that are no text match that rune
			return nil
		}
		return []string{text}
	case syntax.OpCapture, syntax.OpPlus:
		return needed(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min == 0 {
			return nil
		}
		return needed(re.Sub[0])
	case syntax.OpConcat:
		var best []string
		for _, sub := range re.Sub {
			if texts := needed(sub); shortest(texts) > shortest(best) {
				best = texts
			}
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			texts := needed(sub)
			if texts == nil || len(all)+len(texts) > mostNeeded {
				return nil
			}
			all = append(all, texts...)
		}
		return all
	default:
		return nil
	}
}

// shortest is the length of the shortest of some texts, 0 of none.
func shortest(texts []string) int {
	if len(texts) == 0 {
		return 0
	}
	return len(slices.MinFunc(texts, func(a, b string) int { return len(a) - len(b) }))
}
