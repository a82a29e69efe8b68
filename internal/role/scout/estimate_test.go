package scout

import (
	"slices"
	"strings"
	"testing"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
)

func wide() input {
	in := input{Perspectives: []qa.Perspective{qa.Bug, qa.Security, qa.CodeQuality, qa.UX}}
	for i, path := range []string{"most.go", "least.go", "some.go"} {
		added := qa.Range{Start: 1, End: []int{5, 1, 3}[i]}
		in.Files = append(in.Files, shownFile{Side: related.Side{Path: path, Source: strings.Repeat(code, 40), Added: []qa.Range{added}, Whole: []qa.Range{{Start: 1, End: 200}}}})
	}
	return in
}

func TestFitCutsInAFixedOrder(t *testing.T) {
	t.Parallel()
	var m model
	order := []string{"model scan of least.go", "model scan of some.go"}
	whole := m.Estimate(wide())
	if fit, cuts := m.Fit(wide(), whole); len(cuts) > 0 || len(fit.Files) != 3 || len(fit.Perspectives) != 4 {
		t.Errorf("cut %v although it fits", cuts)
	}
	last := whole + 1
	for share := 1; share <= 12; share++ {
		fit, cuts := m.Fit(wide(), whole*(12-share)/12)
		if !slices.Equal(cuts, order[:len(cuts)]) {
			t.Errorf("cut in the order %v", cuts)
		}
		if now := m.Estimate(fit); now > last {
			t.Errorf("a smaller budget costs more: %d after %d", now, last)
		} else {
			last = now
		}
	}
	if fit, cuts := m.Fit(wide(), 0); !slices.Equal(cuts, order) || len(fit.Files) != 1 || fit.Files[0].Path != "most.go" {
		t.Errorf("of nothing was left %+v, cut %v", fit.Files, cuts)
	}
}
