package wording

import (
	"strings"
	"unicode"
)

// sameWords is the part of their words that two texts about one thing share.
const sameWords = 0.3

// Alike reports whether two texts share so many of their words that they speak of one thing.
func Alike(a, b string) bool {
	one, other := words(a), words(b)
	both := 0
	for w := range one {
		if other[w] {
			both++
		}
	}
	all := len(one) + len(other) - both
	return all == 0 || float64(both)/float64(all) >= sameWords
}

func words(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' }) {
		out[strings.Trim(w, "-")] = true
	}
	delete(out, "")
	return out
}
