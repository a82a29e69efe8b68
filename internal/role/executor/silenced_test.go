package executor

import (
	"testing"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/qa"
)

// What passed on base and is in no report of head is dropped where its file shows fewer
// tests than before.
func TestDropped(t *testing.T) {
	one := func(file, name string) qa.Case { return qa.Case{File: file, Name: name, Status: qa.Passed} }
	was := qa.Suite{Cases: []qa.Case{one("a", "x"), one("a", "y"), one("b", "old")}}
	now := qa.Suite{Cases: []qa.Case{one("a", "x"), one("b", "new")}}
	whole := Baseline{Head: Run{Suite: now}, Base: &Run{Suite: was}, Tests: qa.Tests{Removed: []string{one("a", "y").ID(), one("b", "old").ID()}}}
	if got := Dropped(whole); len(got) != 1 || got[0].Name != "y" {
		t.Errorf("dropped: %v", got)
	}
	part, selected, unknown := whole, whole, whole
	part.Target.Part = &adapter.Part{}
	selected.Target.Only = []adapter.Selected{{File: "a"}}
	unknown.Base = nil
	for _, b := range []Baseline{part, selected, unknown} {
		if got := Dropped(b); got != nil {
			t.Errorf("of a part: %v", got)
		}
	}
}
