package change

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/org/qa-action/internal/qa"
)

// edit is a file before and after.
type edit struct{ base, head string }

// edits draws files of few different lines, so that diffs have to choose, with
// and without newline at the end, with CRLF, empty or missing.
func edits() *rapid.Generator[edit] {
	line := rapid.SampledFrom([]string{"a", "b", "c", "{", "}", "", "@@ -1 +1 @@", "--- x", "+++ y", "\\ No newline at end of file", "a\r"})
	return rapid.Custom(func(t *rapid.T) edit {
		lines := rapid.SliceOfN(line, 0, 25).Draw(t, "base")
		head := append([]string{}, lines...)
		for range rapid.IntRange(1, 4).Draw(t, "edits") {
			at := rapid.IntRange(0, len(head)).Draw(t, "at")
			cut := rapid.IntRange(0, min(3, len(head)-at)).Draw(t, "cut")
			insert := rapid.SliceOfN(line, 0, 4).Draw(t, "insert")
			head = append(append(append([]string{}, head[:at]...), insert...), head[at+cut:]...)
		}
		end := rapid.SampledFrom([]string{"\n", "\n", ""})
		join := func(lines []string) string {
			if len(lines) == 0 {
				return ""
			}
			return strings.Join(lines, "\n") + end.Draw(t, "end")
		}
		return edit{join(lines), join(head)}
	})
}

func splitLines(s string) []string {
	var out []string
	for l := range strings.Lines(s) {
		out = append(out, l)
	}
	return out
}

// For many random edits, looked at by real git: the lines we call added are
// exactly the ones that head has and base has not, a diff with context read by
// FromDiff says the same, and mapping leads from every other line to an equal
// line on the other side and back.
func TestAddedRangesOfRandomEdits(t *testing.T) {
	t.Parallel()
	const files = 300
	r := newTree(t)
	all := map[string]edit{}
	gen := edits()
	for i := range files {
		e := gen.Example(i)
		name := fmt.Sprintf("f%03d.go", i)
		all[name] = e
		r.write(name, e.base)
	}
	base := r.commit("base")
	r.git("checkout", "-q", "-b", "topic")
	for name, e := range all {
		r.write(name, e.head)
	}
	head := r.commit("head")
	got := fromGit(t, r, Options{})
	lines, err := MapLines(t.Context(), Options{Dir: r.dir}, base, head)
	if err != nil {
		t.Fatal(err)
	}
	for name, e := range all {
		checkEdit(t, name, e, got, lines)
	}
	for context := range 6 {
		out := r.git("diff", "--no-color", fmt.Sprintf("-U%d", context), "--inter-hunk-context=0", "--diff-algorithm=histogram", "--no-indent-heuristic", base, head)
		files, err := FromDiff(strings.NewReader(out + "\n"))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(got.Files, files); diff != "" {
			t.Errorf("with %d lines of context: %s", context, diff)
		}
	}
}

func checkEdit(t *testing.T, name string, e edit, c qa.Change, m Mapping) {
	t.Helper()
	base, head := splitLines(e.base), splitLines(e.head)
	f, changed := c.File(name)
	if e.base == e.head {
		if changed {
			t.Errorf("%s is reported without a change", name)
		}
		return
	}
	last, kept := 0, 0
	for i, text := range head {
		n := i + 1
		path, back, ok := toBase(m, name, n)
		if added := f.Touches(qa.Range{Start: n, End: n}); added == ok {
			t.Errorf("%s:%d is added %t and on base %t", name, n, added, ok)
		}
		if !ok {
			continue
		}
		kept++
		if path != name || back <= last || back > len(base) || base[back-1] != text {
			t.Errorf("%s:%d (%q) came from %s:%d", name, n, text, path, back)
			continue
		}
		last = back
		if p, forth, ok := m.ToHead(name, back); !ok || p != name || forth != n {
			t.Errorf("%s:%d leads to base line %d and back to %d", name, n, back, forth)
		}
	}
	if kept != len(base)-f.Removed {
		t.Errorf("%s keeps %d of %d lines, but %d were removed", name, kept, len(base), f.Removed)
	}
}

// Hunks of any shape: what leads to the other side leads back.
func TestMappingOfAnyHunksLeadsBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var hunks []hunk
		oldLine, newLine := 1, 1
		for range rapid.IntRange(0, 5).Draw(t, "hunks") {
			gap := rapid.IntRange(1, 4).Draw(t, "gap")
			oldLine, newLine = oldLine+gap, newLine+gap
			h := hunk{old: oldLine, new: newLine, oldN: rapid.IntRange(0, 3).Draw(t, "old"), newN: rapid.IntRange(0, 3).Draw(t, "new")}
			oldLine, newLine = oldLine+h.oldN, newLine+h.newN
			if h.oldN == 0 {
				h.old--
			}
			if h.newN == 0 {
				h.new--
			}
			if h.oldN+h.newN > 0 {
				hunks = append(hunks, h)
			}
		}
		last := 0
		for line := 1; line < oldLine+5; line++ {
			there, ok := shift(hunks, line)
			if !ok {
				continue
			}
			if there <= last {
				t.Fatalf("line %d leads to %d, behind %d", line, there, last)
			}
			last = there
			if back, ok := shift(flip(hunks), there); !ok || back != line {
				t.Fatalf("line %d leads to %d and back to %d", line, there, back)
			}
		}
	})
}
