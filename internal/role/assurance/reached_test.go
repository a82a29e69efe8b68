package assurance

import (
	"testing"

	"github.com/org/qa-action/internal/qa"
)

func TestReached(t *testing.T) {
	t.Parallel()
	// 3 and 5 ran, 7 and 9 did not; nothing is known of the lines between.
	file := &qa.FileCoverage{Lines: []qa.LineHit{{Line: 3, Hits: 1}, {Line: 5, Hits: 2}, {Line: 7}, {Line: 9}}}
	type answer struct{ at, sure bool }
	for line, want := range map[int]answer{
		2: {true, true}, 3: {true, true}, 4: {true, true},
		6: {true, true},  // the condition below a loop's body that ran
		7: {false, true}, // known, and not run
		8: {true, false}, // a case between two bodies that did not run
		9: {false, true}, 10: {true, false},
	} {
		at, sure := reached(file, line)
		if got := (answer{at, sure}); got != want {
			t.Errorf("reached(line %d) = %v, want %v", line, got, want)
		}
	}
	if at, _ := reached(nil, 3); at {
		t.Error("a file that no report knows was reached")
	}
	if at, _ := reached(&qa.FileCoverage{Lines: []qa.LineHit{{Line: 3}}}, 4); at {
		t.Error("a file of which nothing ran was reached")
	}
}
