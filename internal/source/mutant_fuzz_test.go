package source

import (
	"bytes"
	"testing"

	"github.com/org/qa-action/internal/fixture"
)

func FuzzMutants(f *testing.F) {
	fixture.Seeds(f, func(path string, src []byte) { f.Add(path, src) })
	f.Fuzz(func(t *testing.T, path string, src []byte) {
		if len(src) > 1<<13 { // single inputs stay fast
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
			if _, err := parseWhole(path, mutated); err != nil {
				t.Errorf("%+v: %v\n%s", m, err, mutated)
			}
		}
	})
}
