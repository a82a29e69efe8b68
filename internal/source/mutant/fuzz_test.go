package mutant

import (
	"bytes"
	"testing"

	"github.com/org/qa-action/internal/source/syntax"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

func FuzzMutants(f *testing.F) {
	fixture.WithoutRaceDetector(f)
	fixture.Seeds(f, func(path string, src []byte) { f.Add(path, src) })
	f.Fuzz(func(t *testing.T, path string, src []byte) {
		if len(src) > 1<<13 { // single inputs stay fast
			return
		}
		mutants, err := Make(path, src, everyLine)
		if err != nil {
			return
		}
		for _, m := range mutants {
			mutated := Apply(src, m)
			if bytes.Equal(mutated, src) {
				t.Errorf("mutant changes nothing: %+v", m)
			}
			if _, err := syntax.ParseWhole(path, mutated); err != nil {
				t.Errorf("%+v: %v\n%s", m, err, mutated)
			}
		}
	})
}
