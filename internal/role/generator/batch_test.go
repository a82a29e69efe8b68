package generator

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

// Functions of one file whose tests go into one place are asked about together, and
// each test is on trial for the function that it names, else for the one whose finding
// it shows.
func TestFunctionsOfAFileAreAskedAboutTogether(t *testing.T) {
	t.Parallel()
	named := func(symbol, path, tests string) Subject {
		s := subject()
		s.Focus.Symbol, s.Focus.Path, s.TestPath, s.Findings = symbol, path, tests, nil
		return s
	}
	first, two := named("One", "a.go", "a_test.go"), named("Two", "a.go", "a_test.go")
	two.Findings = []qa.Finding{{ID: "SCOUT-ISSUE-2", Severity: qa.High, Message: "two is three"}}
	crossing := named("Three", "a.go", "a_test.go")
	crossing.Layer = qa.L2
	all := []Subject{first, named("Else", "b.go", "b_test.go"), two, crossing, named("Elsewhere", "a.go", "c_test.go"), named("Third", "a.go", "a_test.go"), named("Fourth", "a.go", "a_test.go")}
	var got []string
	for _, b := range grouped(all) {
		got = append(got, strings.Join(b.symbols(), "+"))
	}
	assert.DeepEqual(t, got, []string{"One+Two+Third", "Else", "Three", "Elsewhere", "Fourth"})

	m, asked := one(Reply{Tests: []Test{
		{Name: "a", Function: "Two"}, {Name: "b", Lane: Catching, Finding: "SCOUT-ISSUE-2"}, {Name: "c", Function: "Nobody", Finding: "SCOUT-ISSUE-9"}, {Name: "d", Function: "One", Lane: Catching, Finding: "SCOUT-ISSUE-2"},
	}})
	written, err := m.Write(t.Context(), []Subject{first, two})
	assert.NilError(t, err)
	assert.Equal(t, len(*asked), 1)
	prompt := (*asked)[0].Prompt
	assert.Equal(t, strings.Count(prompt, "File a.go:"), 1, prompt)
	assert.Assert(t, strings.Index(prompt, "Function under test: One") < strings.Index(prompt, "Function under test: Two") && strings.Index(prompt, "Function under test: Two") < strings.Index(prompt, "two is three"), prompt)
	got = nil
	for _, c := range written {
		got = append(got, c.Name+" "+c.Target+" "+c.Finding)
	}
	assert.DeepEqual(t, got, []string{"a Two ", "b Two SCOUT-ISSUE-2", "c One ", "d One SCOUT-ISSUE-2"})
}
