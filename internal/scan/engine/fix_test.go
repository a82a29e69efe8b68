package engine

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/org/qa-action/internal/qa"
)

func TestFixed(t *testing.T) {
	t.Parallel()
	at := func(line, column int) Place { return Place{Line: line, Column: column} }
	edit := func(from, to Place, text string) Edit { return Edit{From: from, To: to, Text: text} }
	for name, c := range map[string]struct {
		source string
		fix    Fix
		want   *qa.Fix // nil: it cannot be shown
	}{
		"a word of one line": {
			"a\nb == None\nc\n", Fix{Edits: []Edit{edit(at(2, 3), at(2, 5), "is")}},
			&qa.Fix{Lines: qa.Range{Start: 2, End: 2}, Old: []string{"b == None"}, New: []string{"b is None"}},
		},
		"two words of two lines": {
			"a\nb\nc\n", Fix{Edits: []Edit{edit(at(3, 1), at(3, 2), "C"), edit(at(1, 1), at(1, 2), "A")}},
			&qa.Fix{Lines: qa.Range{Start: 1, End: 3}, Old: []string{"a", "b", "c"}, New: []string{"A", "b", "C"}},
		},
		"a line goes": {
			"import os\nimport sys\n", Fix{Unit: Characters, Edits: []Edit{edit(at(1, 1), at(2, 1), "")}},
			&qa.Fix{Lines: qa.Range{Start: 1, End: 1}, Old: []string{"import os"}, New: []string{}},
		},
		"the last line goes": {
			"x\nimport sys\n", Fix{Unit: Characters, Edits: []Edit{edit(at(2, 1), at(3, 1), "")}},
			&qa.Fix{Lines: qa.Range{Start: 2, End: 2}, Old: []string{"import sys"}, New: []string{}},
		},
		"what is left is indentation": {
			"f {\n\tx = x\n}\n", Fix{Edits: []Edit{edit(Place{Column: 5}, Place{Column: 10}, "")}},
			&qa.Fix{Lines: qa.Range{Start: 2, End: 2}, Old: []string{"\tx = x"}, New: []string{}},
		},
		"a line is added": {
			"a\nb\n", Fix{Edits: []Edit{edit(at(2, 1), at(2, 1), "new\n")}},
			&qa.Fix{Lines: qa.Range{Start: 1, End: 1}, Old: []string{"a"}, New: []string{"a", "new"}},
		},
		"before the first line": {
			"a\nb\n", Fix{Edits: []Edit{edit(at(1, 1), at(1, 1), "new\n")}},
			&qa.Fix{Lines: qa.Range{Start: 1, End: 1}, Old: []string{"a"}, New: []string{"new", "a"}},
		},
		"units of JavaScript": {
			"const s = '😀é'; var x\n", Fix{Unit: UTF16, Edits: []Edit{edit(Place{Column: 17}, Place{Column: 20}, "let")}},
			&qa.Fix{Lines: qa.Range{Start: 1, End: 1}, Old: []string{"const s = '😀é'; var x"}, New: []string{"const s = '😀é'; let x"}},
		},
		"characters": {
			"s = 'é😀' == None\n", Fix{Unit: Characters, Edits: []Edit{edit(at(1, 10), at(1, 12), "is")}},
			&qa.Fix{Lines: qa.Range{Start: 1, End: 1}, Old: []string{"s = 'é😀' == None"}, New: []string{"s = 'é😀' is None"}},
		},
		"within a pair":     {"😀\n", Fix{Unit: UTF16, Edits: []Edit{edit(Place{Column: 1}, Place{Column: 2}, "x")}}, nil},
		"within a byte":     {"é\n", Fix{Edits: []Edit{edit(at(1, 2), at(1, 3), "x")}}, nil},
		"nothing changes":   {"a\n", Fix{Edits: []Edit{edit(at(1, 1), at(1, 2), "a")}}, nil},
		"overlapping":       {"abc\n", Fix{Edits: []Edit{edit(at(1, 1), at(1, 3), "x"), edit(at(1, 2), at(1, 4), "y")}}, nil},
		"backwards":         {"abc\n", Fix{Edits: []Edit{edit(at(1, 3), at(1, 1), "x")}}, nil},
		"behind the file":   {"abc\n", Fix{Edits: []Edit{edit(Place{Column: 2}, Place{Column: 9}, "x")}}, nil},
		"no such line":      {"abc\n", Fix{Edits: []Edit{edit(at(1, 1), at(7, 1), "x")}}, nil},
		"before the file":   {"abc\n", Fix{Edits: []Edit{edit(Place{Column: -1}, Place{Column: 1}, "x")}}, nil},
		"no edits":          {"abc\n", Fix{}, nil},
		"an empty file":     {"", Fix{Edits: []Edit{edit(Place{}, Place{}, "x\n")}}, nil},
		"ends of Windows":   {"a\r\nb\r\n", Fix{Edits: []Edit{edit(at(1, 1), at(1, 2), "x")}}, nil},
		"hidden characters": {"a\n", Fix{Edits: []Edit{edit(at(1, 1), at(1, 2), "x\u202ey")}}, nil},
		"too many lines":    {strings.Repeat("a\n", 50), Fix{Edits: []Edit{edit(at(1, 1), at(40, 1), "")}}, nil},
		"too long a line":   {"a\n", Fix{Edits: []Edit{edit(at(1, 1), at(1, 2), strings.Repeat("x", 500))}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, ok := NewFile(qa.FileChange{Path: "x"}, []byte(c.source), nil).Fixed(&c.fix)
			if ok != (c.want != nil) {
				t.Fatalf("shown: %v (%+v)", ok, got)
			}
			if ok && cmp.Diff(*c.want, got) != "" {
				t.Error(cmp.Diff(*c.want, got))
			}
		})
	}
}

// TestFixedIsTheEdit: lines put in the place of others make the text that the edit
// makes, up to lines of nothing but spaces.
func TestFixedIsTheEdit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		source := strings.Join(rapid.SliceOfN(rapid.StringMatching(`[abé ]{0,4}`), 1, 6).Draw(t, "lines"), "\n") + "\n"
		from := rapid.IntRange(0, len(source)).Draw(t, "from")
		to := rapid.IntRange(from, len(source)).Draw(t, "to")
		text := rapid.StringMatching(`[abé\n]{0,6}`).Draw(t, "text")
		fix := Fix{Edits: []Edit{{From: Place{Column: from}, To: Place{Column: to}, Text: text}}}
		fixed, ok := NewFile(qa.FileChange{Path: "x"}, []byte(source), nil).Fixed(&fix)
		if !ok {
			return
		}
		lines := splitLines(source)
		if got := lines[fixed.Lines.Start-1 : fixed.Lines.End]; !slices.Equal(got, fixed.Old) {
			t.Fatalf("lines %s are %q, not %q", fixed.Lines, got, fixed.Old)
		}
		blank := func(line string) bool { return strings.TrimSpace(line) == "" }
		got := slices.DeleteFunc(slices.Replace(slices.Clone(lines), fixed.Lines.Start-1, fixed.Lines.End, fixed.New...), blank)
		want := slices.DeleteFunc(splitLines(source[:from]+text+source[to:]), blank)
		if !slices.Equal(got, want) {
			t.Fatalf("%q with %q at %d-%d: %q, expected %q", source, text, from, to, got, want)
		}
	})
}
