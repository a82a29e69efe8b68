package baseline

import (
	"slices"
	"testing"

	"github.com/org/qa-action/internal/role/executor"
)

func TestLongestFirst(t *testing.T) {
	dirs := []string{".", "apps/quick", "apps/slow", "apps/slow/inner", "new"}
	var all []executor.Target
	for _, dir := range dirs {
		all = append(all, executor.Target{Name: dir, Dir: dir})
	}
	seconds := map[string]float64{
		"top.test.js": 2, "apps/quick/a.test.js": 0.5, "apps/quick/b.test.js": 0.25,
		"apps/slow/a.test.js": 3, "apps/slow/inner/a.test.js": 9, "apps/slowest/a.test.js": 4,
	}
	// The root has 2 + 4, for nothing else holds what lies in apps/slowest.
	want := []int{4, 3, 0, 2, 1}
	if got := longestFirst(all, seconds); !slices.Equal(got, want) {
		t.Errorf("order %v, expected %v", got, want)
	}
	if got := longestFirst(all, nil); !slices.Equal(got, []int{0, 1, 2, 3, 4}) {
		t.Errorf("order %v without times", got)
	}
}
