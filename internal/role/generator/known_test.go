package generator

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/mutant"
)

// TestSettled: one more test that passes on both sides is not wanted where all lines are
// run and every wrong version is noticed; of what was not tried nobody says so.
func TestSettled(t *testing.T) {
	t.Parallel()
	at := func(line int) mutant.Mutant { return mutant.Mutant{Path: "a.go", Line: line} }
	for name, c := range map[string]struct {
		k    Known
		want bool
	}{
		"nothing was tried":       {Known{}, false},
		"only elsewhere":          {Known{Judged: []mutant.Mutant{at(9)}}, false},
		"all were noticed":        {Known{Judged: []mutant.Mutant{at(2), at(3)}}, true},
		"one lives":               {Known{Judged: []mutant.Mutant{at(2), at(3)}, Living: []mutant.Mutant{at(3)}}, false},
		"one lives elsewhere":     {Known{Judged: []mutant.Mutant{at(2), at(9)}, Living: []mutant.Mutant{at(9)}}, true},
		"a line that no test ran": {Known{Judged: []mutant.Mutant{at(2)}, Gained: map[string][]int{"a.go": {9}}}, false},
	} {
		f := qa.Focus{Path: "a.go", Lines: qa.Range{Start: 1, End: 5}}
		if name == "a line that no test ran" {
			f.Uncovered = []qa.Range{{Start: 4, End: 4}}
		}
		assert.Assert(t, !c.k.settled(f), "no report knows its lines")
		c.k.Measured = func(f qa.Focus) bool { return f.Path == "a.go" }
		assert.Equal(t, c.k.settled(f), c.want, name)
	}
	s := subject()
	s.Settled = true
	text, err := render("write.md", batch{s}.question())
	assert.NilError(t, err)
	assert.Assert(t, strings.Contains(text, "none that passes on both is wanted"), text)
	s.Settled = false
	text, err = render("write.md", batch{s}.question())
	assert.NilError(t, err)
	assert.Assert(t, !strings.Contains(text, "none that passes on both is wanted"), text)
}

// TestMutantsOfAFunctionWithin: a wrong version of an inner function is told once, with the
// inner one where that is asked about.
func TestMutantsOfAFunctionWithin(t *testing.T) {
	t.Parallel()
	outer := qa.Focus{Path: "a.go", Symbol: "Limit", Lines: qa.Range{Start: 1, End: 9}}
	inner := qa.Focus{Path: "a.go", Symbol: "Limit.fn", Lines: qa.Range{Start: 3, End: 6}}
	k := Known{Strategy: &qa.Strategy{Focus: []qa.Focus{outer, inner}}, Living: []mutant.Mutant{{ID: "1", Path: "a.go", Line: 2}, {ID: "2", Path: "a.go", Line: 4}}}
	ids := func(f qa.Focus) string {
		return strings.Join(each.Of(k.living(f), func(m mutant.Mutant) string { return m.ID }), " ")
	}
	assert.Equal(t, ids(outer), "1")
	assert.Equal(t, ids(inner), "2")
	assert.Equal(t, k.Open(), 2)
	k.Measured = func(qa.Focus) bool { return true }
	k.Living, k.Judged = k.Living[1:], k.Living[1:]
	assert.Assert(t, !k.settled(outer), "nothing of its own was tried")
	k.Living = []mutant.Mutant{{ID: "1", Path: "a.go", Line: 2}, {ID: "2", Path: "a.go", Line: 4}}
	k.Strategy.Focus[1].Like = "another one"
	assert.Equal(t, ids(outer), "1 2", "else nobody would be asked")
}
