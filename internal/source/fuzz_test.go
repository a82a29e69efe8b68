package source

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/txtar"
)

// seedFiles feeds the samples and the candidates, and shapes that have been
// hard on parsers.
func seedFiles(f *testing.F, add func(path string, src []byte)) {
	for _, path := range samples(f) {
		src, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		add(filepath.Base(path), src)
	}
	archives, _ := filepath.Glob(filepath.Join("testdata", "*", "policy.txtar"))
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			add(filepath.Base(file.Name), file.Data)
		}
	}
	for _, e := range Extensions() {
		for _, src := range []string{"", "\x00", "\xff\xfe", "}{", "`${", "\"", "package p", "f(", "def", "x = '''", "\r\n\r", "\ufeffimport a"} {
			add("a"+e, []byte(src))
		}
	}
}

// maxFuzz keeps single inputs fast.
const maxFuzz = 1 << 13

func FuzzParse(f *testing.F) {
	seedFiles(f, func(path string, src []byte) { f.Add(path, src) })
	f.Fuzz(func(t *testing.T, path string, src []byte) {
		if len(src) > maxFuzz {
			return
		}
		o, err := Parse(path, src)
		if err != nil {
			return
		}
		lines := bytes.Count(src, []byte("\n")) + 1
		for _, fn := range o.Functions {
			if fn.Name == "" || fn.Complexity < 1 || fn.Lines.Start < 1 || fn.Lines.End > lines || fn.Lines.Len() < 1 ||
				fn.StartByte < 0 || fn.EndByte > len(src) || fn.StartByte > fn.EndByte {
				t.Errorf("impossible function %+v", fn)
			}
		}
		for _, im := range o.Imports {
			if len(im.Names) != len(im.From) {
				t.Errorf("names and origins differ in number: %+v", im)
			}
		}
	})
}

func FuzzMutants(f *testing.F) {
	seedFiles(f, func(path string, src []byte) { f.Add(path, src) })
	f.Fuzz(func(t *testing.T, path string, src []byte) {
		if len(src) > maxFuzz {
			return
		}
		mutants, err := Mutants(path, src, everyLine)
		if err != nil {
			return
		}
		for _, m := range mutants {
			mutated := Apply(src, m)
			if bytes.Equal(mutated, src) {
				t.Errorf("mutant changes nothing: %+v", m)
			}
			if _, _, err := parseWhole(path, mutated); err != nil {
				t.Errorf("%+v: %v\n%s", m, err, mutated)
			}
		}
	})
}

// FuzzPlace adds a test to whatever parses: what was there stays, and what was
// added can be taken out again.
func FuzzPlace(f *testing.F) {
	seedFiles(f, func(path string, src []byte) { f.Add(path, src) })
	f.Fuzz(func(t *testing.T, path string, src []byte) {
		l, err := languageOf(path)
		if err != nil || len(src) > maxFuzz {
			return
		}
		add := map[string]New{
			"go":     {Imports: []string{`"testing"`}, Code: "func TestPlacedHere(t *testing.T) { if f() != 1 { t.Error() } }"},
			"python": {Imports: []string{"from placed import here"}, Code: "def test_placed_here():\n    assert here() == 1"},
		}[l.Name]
		if add.Code == "" {
			add = New{Imports: []string{"import { here } from './placed';"}, Code: "it('placed here', () => { expect(here()).toBe(1); });"}
		}
		before, err := Tests(path, src)
		if err != nil {
			return
		}
		out, err := Place(src, path, add)
		if err != nil {
			return
		}
		after, err := Tests(path, out)
		if err != nil {
			t.Fatal(err)
		}
		if len(after) != len(before)+1 {
			t.Fatalf("%d tests became %d:\n%s", len(before), len(after), out)
		}
		for _, old := range before {
			text := src[old.Start:old.End]
			if !slices.ContainsFunc(after, func(n Test) bool { return bytes.Equal(out[n.Start:n.End], text) }) {
				t.Fatalf("test %q did not stay as it was:\n%s", old.Name, out)
			}
		}
		if _, err := Policy(path, src, out, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := Remove(path, out, []string{after[len(after)-1].Name}); err != nil {
			t.Fatal(err)
		}
	})
}
