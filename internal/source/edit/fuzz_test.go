package edit_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/source/edit"
	"github.com/org/qa-action/internal/source/policy"
	"github.com/org/qa-action/internal/source/syntax"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// FuzzPlace adds a test to whatever parses: what was there stays, and what was
// added can be taken out again.
func FuzzPlace(f *testing.F) {
	fixture.WithoutRaceDetector(f)
	fixture.Seeds(f, func(path string, src []byte) { f.Add(path, src) })
	f.Fuzz(func(t *testing.T, path string, src []byte) {
		l, err := syntax.LanguageOf(path)
		if err != nil || len(src) > 1<<13 { // single inputs stay fast
			return
		}
		add := map[string]edit.Addition{
			"go":     {Imports: []string{`"testing"`}, Code: "func TestPlacedHere(t *testing.T) { if f() != 1 { t.Error() } }"},
			"python": {Imports: []string{"from placed import here"}, Code: "def test_placed_here():\n    assert here() == 1"},
			"java":   {Imports: []string{"import placed.Here;"}, Code: "@Test\nvoid placedHere() {\n    assertEquals(1, Here.here());\n}"},
			"rust":   {Imports: []string{"use placed::here;"}, Code: "#[test]\nfn placed_here() {\n    assert_eq!(here(), 1);\n}"},
		}[l.Name]
		if add.Code == "" {
			add = edit.Addition{Imports: []string{"import { here } from './placed';"}, Code: "it('placed here', () => { expect(here()).toBe(1); });"}
		}
		before, err := edit.Tests(path, src)
		if err != nil {
			return
		}
		out, err := edit.Place(src, path, add)
		if err != nil {
			return
		}
		after, err := edit.Tests(path, out)
		if err != nil {
			t.Fatal(err)
		}
		if len(after) != len(before)+1 {
			t.Fatalf("%d tests became %d:\n%s", len(before), len(after), out)
		}
		if now := edit.Outdone(path, out); l.Name == "python" && !bytes.Contains(src, []byte("test_placed_here")) && len(now) != len(edit.Outdone(path, src)) {
			t.Fatalf("a new name outdoes none: %q", now)
		}
		for _, old := range before {
			text := src[old.Start:old.End]
			if !slices.ContainsFunc(after, func(n edit.Test) bool { return bytes.Equal(out[n.Start:n.End], text) }) {
				t.Fatalf("test %q did not stay as it was:\n%s", old.Name, out)
			}
		}
		if _, err := policy.Check(path, src, out, nil); err != nil {
			t.Fatal(err)
		}
		for n := 1; n <= min(2, len(after)); n++ { // neighbours share the empty lines between them
			names := each.Of(after[len(after)-n:], func(test edit.Test) string { return test.Name })
			if _, err := edit.Remove(path, out, names); err != nil {
				t.Fatal(err)
			}
		}
	})
}
