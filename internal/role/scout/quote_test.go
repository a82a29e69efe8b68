package scout

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
)

const twins = `function first(a) {
  if (a == null) {
    return 0;
  }
  return a + 1;
}

function second(a) {
  if (a == null) {
    return 0;
  }
  return a + 1;
}
`

// Where a quote stands several times, the lines of the change are meant; context tells
// the place of lines that the change left alone.
func TestQuotesLandOnTheChange(t *testing.T) {
	t.Parallel()
	f := shownFile{Side: related.Side{Path: "a.js", Source: twins, Added: []qa.Range{{Start: 9, End: 9}}}}
	for quote, want := range map[string]qa.Range{
		"if (a == null) {":                           {Start: 9, End: 9},
		"  if (a ==   null) {\n    return 0;":        {Start: 9, End: 9},
		"+   if (a == null) {\n      return 0;":      {Start: 9, End: 9},
		"return a + 1;":                              {Start: 5, End: 5},
		"function second(a) {\nif (a == null) {":     {Start: 9, End: 9},
		"return a + 1;\n}\n\nfunction second(a) {":   {Start: 5, End: 8},
		"(a == null)":                                {Start: 9, End: 9}, // a part, of the changed line
		"function second(a) {\n\nif (a == null) {\n": {Start: 9, End: 9},
	} {
		got, ok := place(f, quote)
		assert.Assert(t, ok, "%q", quote)
		assert.Equal(t, got, want, "%q", quote)
	}
	for _, quote := range []string{
		"return a", "return 0", // of two lines, none of the change
		"if (a == null) {\nreturn 1;", "a == nil", "}", "", "{\n",
	} {
		got, ok := place(f, quote)
		assert.Assert(t, !ok, "%q was placed at %v", quote, got)
	}
	// A list of YAML begins with our marks.
	list := shownFile{Side: related.Side{Path: "a.yml", Source: "on:\n- push\n+ x\n", Added: []qa.Range{{Start: 2, End: 3}}}}
	got, ok := place(list, "on:\n- push")
	assert.Assert(t, ok)
	assert.Equal(t, got, qa.Range{Start: 2, End: 2})
}

// A quote may go from what was taken away to what was written, with and without marks.
func TestQuotesAcrossTheChange(t *testing.T) {
	t.Parallel()
	before := "a = 1\n# kept for\nb = (x, -1)\nc = 3\nd = 4\n"
	after := "a = 1\nb = (x, 1)\nc = 3\nd = 4\n"
	f := shownFile{Side: related.Side{Path: "a.py", Before: before, Source: after, Added: []qa.Range{{Start: 2, End: 2}}}}
	for quote, want := range map[string]qa.Range{
		"# kept for\nb = (x, -1)\nb = (x, 1)":                {Start: 2, End: 2},
		"- # kept for\n- b = (x, -1)\n+ b = (x, 1)\n  c = 3": {Start: 2, End: 2},
		"a = 1\n# kept for\nb = (x, -1)":                     {Start: 1, End: 2},
	} {
		got, ok := place(f, quote)
		assert.Assert(t, ok, "%q", quote)
		assert.Assert(t, got.Overlaps(want) && want.Contains(got.End), "%q: %v", quote, got)
	}
	for _, quote := range []string{"# kept for\nb = (x, 1)", "b = (x, 1)\nb = (x, -1)", "a = 1\nc = 3"} {
		got, ok := place(f, quote)
		assert.Assert(t, !ok, "%q was placed at %v", quote, got)
	}
}

// What was taken away may stand elsewhere still: where it is missing is meant. Lines that
// stand as they did are where they are.
func TestQuotesOfWhatIsGone(t *testing.T) {
	t.Parallel()
	before := "lock()\nread()\nunlock()\n\nlock()\nwrite()\nunlock()\nlog()\n"
	after := "lock()\nread()\nunlock()\n\nlock()\nwrite()\nlog()\n"
	f := shownFile{Side: related.Side{Path: "a.py", Before: before, Source: after}}
	for quote, want := range map[string]qa.Range{
		"unlock()": {Start: 7, End: 7}, "- unlock()": {Start: 7, End: 7}, "write()\nunlock()\nlog()": {Start: 7, End: 7},
		"read()\nunlock()": {Start: 2, End: 3}, "write()\nlog()": {Start: 6, End: 7},
	} {
		got, ok := place(f, quote)
		assert.Assert(t, ok, "%q", quote)
		assert.Equal(t, got, want, "%q", quote)
	}
}

// A deleted file is shown as what was taken away, and a claim about it has no line.
func TestDeletedFilesAreShown(t *testing.T) {
	t.Parallel()
	f := shownFile{Side: related.Side{Path: "a.js", Before: twins}, Deleted: true}
	notes := unseen{}
	pieces := f.pieces(notes)
	assert.Equal(t, len(pieces), 1)
	assert.Assert(t, strings.HasPrefix(marked(pieces[0]), "- function first(a) {\n"), marked(pieces[0]))
	assert.Equal(t, strings.Count(marked(pieces[0]), "\n"), strings.Count(twins, "\n"))
	got, ok := place(f, "function second(a) {\n  if (a == null) {")
	assert.Assert(t, ok)
	assert.Equal(t, got, qa.Range{})
	_, ok = place(f, "function third(a) {")
	assert.Assert(t, !ok)
	assert.Equal(t, len(notes), 0)

	f.Whole = []qa.Range{{Start: 1, End: 1}, {Start: 3, End: 3}}
	shown := strings.Split(marked(f), "\n")
	assert.Equal(t, len(shown), 5, shown)
	assert.Equal(t, shown[1]+shown[3], "……")
	f.Whole = nil
	f.Before = strings.Repeat(twins, 1000)
	assert.Assert(t, len(marked(f.pieces(notes)[0])) < 2*maxExcerpt)
	assert.Equal(t, notes["a.js"], "it was deleted, and is too long to be shown whole")
}
