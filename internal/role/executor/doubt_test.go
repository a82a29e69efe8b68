package executor

import (
	"context"
	"slices"
	"testing"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// A test that passes alone is flaky only if it also passes with the others: one
// that another test breaks every time fails for everybody.
func TestPassingAloneIsNotFlaky(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		// whether the test passes in the n-th run of the whole suite
		whole  func(n int) bool
		triage qa.Triage
	}{
		"another test breaks it": {func(int) bool { return false }, qa.NewFailure},
		"comes and goes":         {func(n int) bool { return n > 1 }, qa.FlakyFailure},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := 0
			head := stand{t.TempDir(), t.TempDir(), func(cmd runtime.Command) (process.Result, error) {
				if slices.Contains(cmd.Argv, "-run") || onWhole(&n, c.whole) {
					return says(t, 0, passA, passB, passP)(cmd)
				}
				return says(t, 1, passA, failB, failP)(cmd)
			}}
			base := stand{t.TempDir(), t.TempDir(), says(t, 0, passA, passB, passP)}
			b, err := Measure(t.Context(), Sides{Head: head, Base: func(context.Context) (Tree, error) { return base, nil }}, target,
				BaselineOptions{Keep: fixture.Place(t, t.TempDir()), Reruns: 3})
			if err != nil {
				t.Fatal(err)
			}
			if len(b.Tests.Failing) != 1 || b.Tests.Failing[0].Triage != c.triage {
				t.Errorf("failing: %+v", b.Tests.Failing)
			}
		})
	}
}

func onWhole(n *int, passes func(int) bool) bool {
	*n++
	return passes(*n)
}

const passB = `{"Action":"run","Package":"example.com/p","Test":"TestB"}
{"Action":"pass","Package":"example.com/p","Test":"TestB","Elapsed":0.1}`
