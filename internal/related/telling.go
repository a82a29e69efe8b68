package related

import (
	"maps"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/source/outline"
)

// Bounds of what is shown of a long function beside its signature.
const (
	mostTelling = 6 // lines
	rareIn      = 4 // lines of the function that name a word which tells something
)

// option is a name that is given a value, or is a part of something.
var option = pattern.New(`(?:^|[^.])[."']([\pL_$][\pL\pN_$]{3,})|([\pL_$][\pL\pN_$]{3,})["']?\s*(?::|=[^=>])`)

// options are the names of options that the altered lines of a function set, or ask for, more
// or less often than before the change.
func (s Side) options(symbol string) []string {
	often := map[string]int{}
	count := func(texts []string, by int) {
		for _, m := range option.FindAllStringSubmatch(strings.Join(texts, "\n"), -1) {
			often[m[1]+m[2]] += by
		}
	}
	written, gone := s.alteredIn(symbol)
	count(written, 1)
	count(gone, -1)
	return each.Where(slices.Sorted(maps.Keys(often)), func(name string) bool { return often[name] != 0 })
}

// telling are the lines of a function, too long to be shown whole, that name options which
// lines that call it set otherwise than before: what becomes of one that they leave out. What
// it names all over tells nothing.
func telling(c *Code, at outline.Caller, options []string) string {
	lines, code := c.lines(at.Path, at.Function.Lines), codeLines(c, at.Path, at.Function.Lines)
	if len(lines) != len(code) || len(options) == 0 {
		return ""
	}
	names := each.Of(code, func(line string) []string { return named.FindAllString(line, -1) })
	rare := each.Where(options, func(w string) bool {
		within := each.Count(names, func(line []string) bool { return slices.Contains(line, w) })
		return within > 0 && within <= rareIn
	})
	var out []string
	last := 0
	for i, line := range names {
		if i == 0 || len(out) >= mostTelling || !slices.ContainsFunc(rare, func(w string) bool { return slices.Contains(line, w) }) {
			continue
		}
		if i > last+1 {
			out = append(out, "\t…")
		}
		out, last = append(out, "\t"+strings.TrimSpace(lines[i])), i
	}
	return strings.Join(out, "\n")
}
