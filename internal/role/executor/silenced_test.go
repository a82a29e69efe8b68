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
	part, unknown := whole, whole
	part.Target.Part = &adapter.Part{}
	unknown.Base = nil
	for _, b := range []Baseline{part, unknown} {
		if got := Dropped(b); got != nil {
			t.Errorf("of a part: %v", got)
		}
	}
}

// A file that ends before it names a test is reported as one, which is none of those that
// it had.
func TestAFileIsNoTest(t *testing.T) {
	x := qa.Case{File: "a", Name: "x", Status: qa.Passed}
	file := qa.Suite{Cases: []qa.Case{{File: "a", Name: "a", Status: qa.Passed}}}
	b := Baseline{Head: Run{Suite: file}, Base: &Run{Suite: qa.Suite{Cases: []qa.Case{x}}}, Tests: qa.Tests{Removed: []string{x.ID()}}}
	if got := Dropped(b); len(got) != 1 {
		t.Errorf("dropped: %v", got)
	}
	for _, c := range []struct {
		head  qa.Suite
		fewer bool
	}{
		{file, true},
		{qa.Suite{Cases: []qa.Case{{File: "a", Name: "x"}, {File: "b", Name: "z"}}}, false},
		{qa.Suite{Cases: []qa.Case{{File: "a", Name: "x"}}}, true},
	} {
		if got := len(Gone([]string{"a > x", "b > y"}, c.head)) > 0; got != c.fewer {
			t.Errorf("%v: %v", c.head.Cases, got)
		}
	}
}
