package assurance

import (
	"testing"

	"github.com/org/qa-action/internal/qa"
)

func TestReached(t *testing.T) {
	t.Parallel()
	// 3 and 5 ran, 7 and 9 did not; nothing is known of the lines between.
	file := &qa.FileCoverage{Lines: []qa.LineHit{{Line: 3, Hits: 1}, {Line: 5, Hits: 2}, {Line: 7}, {Line: 9}}}
	for line, want := range map[int]bool{
		1: true, 2: true, 3: true, 4: true, 5: true,
		6: true,  // the condition below a loop's body that ran
		7: false, // known, and not run
		8: false, 9: false, 10: false,
	} {
		if got := reached(file, line); got != want {
			t.Errorf("reached(line %d) = %t, want %t", line, got, want)
		}
	}
	if reached(nil, 3) {
		t.Error("a file that no report knows was reached")
	}
}
