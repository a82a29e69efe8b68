package mutation

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/source/mutant"
)

func TestMutantsOfPartsCountOnce(t *testing.T) {
	t.Parallel()
	part := func(statuses ...string) *Set {
		m := &Set{}
		for i, s := range statuses {
			if s != "" {
				m.Add(mutant.Mutant{ID: string(rune('a' + i)), Path: "a.go", Line: i + 1}, s)
			}
		}
		return m
	}
	got := Join(
		part(Killed, Survived, NoCoverage, Survived, Timeout, CompileError),
		part(Survived, Killed, NoCoverage, NoCoverage, Survived, "", Killed),
	)
	want := part(Killed, Killed, NoCoverage, Survived, Timeout, CompileError, Killed)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
