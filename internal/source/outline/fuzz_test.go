package outline

import (
	"bytes"
	"testing"

	"github.com/org/qa-action/internal/testsupport/fixture"
)

func FuzzParse(f *testing.F) {
	fixture.Seeds(f, func(path string, src []byte) { f.Add(path, src) })
	f.Fuzz(func(t *testing.T, path string, src []byte) {
		if len(src) > 1<<13 { // single inputs stay fast
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
