package builtin

import (
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// What can be a decision is counted as a regular expression counts it.
func FuzzDecisions(f *testing.F) {
	decision := regexp.MustCompile(`(?:\b|\d)(if|elif|for|while|do|case|catch|except|select|and|or)\b|&&|\|\||\?`)
	for _, text := range []string{
		"", "if", "if x else 2", "1if x else 2", "a1if", "_if", "if_", "if2", "1if2if", "iff", "élif", "a&&b", "&&&", "&&&&", "&|&|", "|||", "a?.b ?? c",
		"for(;;)do{}while(0)", "x.case\nand or\tselect", "9", "or9or", "?if", "if?", "\xff if",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		all := len(decision.FindAllIndex(source, -1))
		if got := decisions(source, math.MaxInt); got != all {
			t.Errorf("%q: %d, want %d", source, got, all)
		}
		if got := decisions(source, 2); got != min(2, all) {
			t.Errorf("%q: %d of two at most", source, got)
		}
	})
}

func TestDecidesAsOutlinesDo(t *testing.T) {
	t.Parallel()
	for _, sample := range fixture.Samples(t) {
		countsEnough(t, sample.Name, sample.Text)
	}
	countsEnough(t, "a.rs", []byte("fn f(x: u8) -> u8 {\n    match x {\n"+strings.Repeat("        1 => 2,\n", 20)+"        _ => 3,\n    }\n}\n"))
}

// FuzzPieces divides Python.
func FuzzPieces(f *testing.F) {
	fixture.Seeds(f, func(path string, src []byte) {
		if strings.HasSuffix(path, ".py") {
			f.Add(src)
		}
	})
	for _, text := range []string{
		"class A:\n  x = lambda: 1 if a else 2\n  @d\n  @e(1 or 2)\n  def f(self):\n    if a: pass\n  # c\n  def g(): pass\n",
		"@d\nclass A(B):\n\tdef f(self): return a or b\n",
		"def f():\n  x = '''\ndef g(): if\n'''\n  if x: pass\n",
		"def f():\r\n  x = '''\\\r\ndef g(): if\r\n'''\r\n  if x: pass\r\n",
		"def f(\na=1,\n):\n  return (a or\nb)\n",
		"def f():\n  if a or \\\n b: pass\n",
		"if a:\n  def f():\n    if b: pass\nelse:\n  def f():\n    if c: pass\n",
		"class A:\n    if a:\n        def f(): return a or b\n    else:\n        def f(): return a or b\nx = lambda: a or b",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, source []byte) { countsEnough(t, "a.py", source) })
}

// countsEnough holds that no function decides more often than is counted for any line of
// it, as its outline says.
func countsEnough(t *testing.T, name string, source []byte) {
	t.Helper()
	l, err := syntax.LanguageOf(name)
	if err != nil {
		t.Fatal(err)
	}
	o, err := outline.Parse(name, source)
	if err != nil || o.Broken {
		return // what recovers from an error may draw a function over anything
	}
	for _, fn := range o.Functions {
		for line := fn.Lines.Start; line <= fn.Lines.End; line++ {
			change := qa.FileChange{Path: name, Language: l.Name, Added: []qa.Range{{Start: line, End: line}}}
			f := engine.NewFile(change, source, nil)
			if most := fn.Complexity - 1; most > 0 && !decides(f, most, false) {
				t.Errorf("%s: line %d of %s is not looked at, which has %d decisions", name, line, fn.Name, most)
				return
			}
		}
	}
}
