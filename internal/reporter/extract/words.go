package extract

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/wording"
)

// Firsts keeps the first n of words and says how many there are in all.
func Firsts(words []string, n int) []string {
	if len(words) <= n {
		return words
	}
	return append(append([]string(nil), words[:n]...), fmt.Sprintf("… (%d of %d shown)", n, len(words)))
}

func OrUnknown(s string) string { return cmp.Or(s, "unknown") }

func Verb(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return wording.Number(n) + " " + many
}

func FirstText(s, otherwise string) string {
	if strings.TrimSpace(s) == "" {
		return otherwise
	}
	return s
}

func NonEmpty(words []string) []string {
	return each.Where(words, func(w string) bool { return w != "" })
}

// FirstTen joins names and says how many of them are shown.
func FirstTen(all []string, sep string, escape func(string) string) string {
	names := each.Of(all[:min(len(all), 10)], escape)
	text := strings.Join(names, sep)
	if len(all) > 10 {
		text += fmt.Sprintf(" … (10 of %d shown)", len(all))
	}
	return text
}
