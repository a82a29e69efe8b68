package related

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

// TestEdit: the same edit is the same text wherever it stands, white space aside; what is
// but brackets and short words says nothing.
func TestEdit(t *testing.T) {
	t.Parallel()
	s := Side{
		Path:   "a.py",
		Before: "def a(x):\n    return legacy(x)\n\ndef b(x):\n    if x:\n        return  legacy(x)\n\ndef c(x):\n    return legacy(x, 1)\n\ndef d(x):\n    if x:\n        y()\n",
		Source: "def a(x):\n    return modern(x)\n\ndef b(x):\n    if x:\n        return modern(x)\n\ndef c(x):\n    return modern(x, 1)\n\ndef d(x):\n    if 1:\n        y()\n",
	}
	at := func(from, to int) string { return s.edit(qa.Range{Start: from, End: to}) }
	assert.Equal(t, at(1, 2), "-return legacy(x)\n+return modern(x)")
	assert.Equal(t, at(4, 6), at(1, 2))
	assert.Assert(t, at(8, 9) != at(1, 2))
	assert.Equal(t, at(11, 13), "")
}

// TestForm: an edit that gives names in place of others is these names, whatever else its
// lines say; numbers, words of the language and of texts are no names.
func TestForm(t *testing.T) {
	t.Parallel()
	const raw = "as it stands"
	for name, c := range map[string]struct{ file, before, after, want string }{
		"a name":                 {"a.py", "return legacy(x)\nlegacy(x, 1)\n", "return modern(x)\nmodern(x, 1)\n", "legacy → modern"},
		"an imported file":       {"a.js", "import { a } from './earlier'\n", "import { a } from './later_on'\n", "earlier → later_on"},
		"an import of Go":        {"a.go", "\t\"example.com/earlier/one\"\n", "\t\"example.com/later_on/one\"\n", "earlier → later_on"},
		"two names":              {"a.py", "legacy(other)\n", "modern(another)\n", "legacy → modern\nother → another"},
		"too short":              {"a.py", "return one(x)\n", "return two(x)\n", ""},
		"a number":               {"a.py", "return timeouts(100)\n", "return timeouts(1000)\n", raw},
		"a sign":                 {"a.py", "return longer < shorter\n", "return longer <= shorter\n", raw},
		"a word of a text":       {"a.py", "sort('ascending')\n", "sort('descending')\n", raw},
		"a word of the language": {"a.py", "if condition:\n    continue\n", "if condition:\n    break\n", raw},
		"more lines":             {"a.py", "legacy(x)\n", "modern(x)\nmodern(y)\n", raw},
		"a comment alone":        {"a.py", "# the minimum of all\nx()\n", "# the maximum of all\nx()\n", raw},
		"a comment behind":       {"a.py", "maximum()  # minimum\n", "maximum()  # maximum\n", raw},
		"documentation alone":    {"a.py", "\"\"\"Take\nthe minimum.\n\"\"\"\n", "\"\"\"Take\nthe maximum.\n\"\"\"\n", raw},
		"code and its comment":   {"a.py", "# legacy way\nlegacy(x)\n", "# modern way\nmodern(x)\n", "legacy → modern"},
		"two change places":      {"a.py", "move(source, target)\n", "move(target, source)\n", raw},
		"a chain":                {"a.py", "first(second)\n", "second(third)\n", raw},
		"two become one":         {"a.py", "lower(upper)\n", "either(either)\n", raw},
		"one becomes two":        {"a.py", "limit(limit)\n", "lower(upper)\n", raw},
		"other lines":            {"a.py", "legacy(x)\ny = 1\n", "modern(x)\ny = 2\n", raw},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := Side{Path: c.file, Before: c.before, Source: c.after}
			all := qa.Range{Start: 1, End: 9}
			if c.want == raw {
				c.want = s.edit(all)
			}
			code := func() []string { return strings.Split(string(Proseless(c.file, []byte(c.after))), "\n") }
			assert.Equal(t, s.form(all, code), c.want)
		})
	}
}
