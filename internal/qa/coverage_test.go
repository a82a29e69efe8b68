package qa

import (
	"fmt"
	"strings"
	"testing"
)

func TestCountText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		count Count
		want  string
	}{
		{Count{183, 200}, "183/200 = 91.5 %"},
		{Count{1, 3}, "1/3 = 33.33 %"},
		{Count{2, 3}, "2/3 = 66.66 %"}, // cut, not rounded
		{Count{99999, 100000}, "99999/100000 = 99.99 %"},
		{Count{1, 100000}, "1/100000 = < 0.01 %"},
		{Count{5, 5}, "5/5 = 100 %"},
		{Count{1, 20}, "1/20 = 5 %"},
		{Count{1, 99}, "1/99 = 1.01 %"},
		{Count{0, 0}, "n/a"},
	} {
		if got := tt.count.Text(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func TestCountReaches(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		count   Count
		percent float64
		want    bool
	}{
		{Count{9999, 10000}, 100, false},
		{Count{9999, 10000}, 99.99, true},
		{Count{99999, 100000}, 100, false},
		{Count{4, 5}, 80, true},
		{Count{799999, 1000000}, 80, false},
		{Count{29, 10000}, 0.29, true}, // 0.29*100 is 28.999…
		{Count{28, 10000}, 0.29, false},
		{Count{0, 10}, 0, true},
	} {
		if got := tt.count.Reaches(tt.percent); got != tt.want {
			t.Errorf("%v reaches %v: %v", tt.count, tt.percent, got)
		}
	}
}

// Percentages are those of floating point with two decimals, without zeros at the end.
func TestPercentOfAnyCount(t *testing.T) {
	t.Parallel()
	for total := 1; total < 300; total++ {
		for covered := range total + 1 {
			hundredths := covered * 10000 / total
			want := strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", float64(hundredths)/100), "0"), ".")
			if hundredths == 0 && covered > 0 {
				want = "< 0.01"
			}
			if got := (Count{covered, total}).Percent(); got != want {
				t.Fatalf("%d of %d: %q, want %q", covered, total, got, want)
			}
		}
	}
}
