package scout

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/org/qa-action/internal/llm"
	"github.com/org/qa-action/internal/qa"
)

func wide() input {
	in := input{Perspectives: []qa.Perspective{qa.Bug, qa.Security, qa.CodeQuality, qa.UX}}
	for i, path := range []string{"most.go", "least.go", "some.go"} {
		added := qa.Range{Start: 1, End: []int{5, 1, 3}[i]}
		in.Files = append(in.Files, shownFile{Path: path, Source: strings.Repeat(code, 40), Added: []qa.Range{added}, Around: []qa.Range{{Start: 1, End: 200}}})
	}
	return in
}

func TestFitCutsInAFixedOrder(t *testing.T) {
	t.Parallel()
	var m model
	order := []string{"perspective ux", "perspective code-quality", "verification of low findings", "model scan of least.go", "model scan of some.go"}
	whole := m.Estimate(wide())
	if fit, cuts := m.Fit(wide(), whole); len(cuts) > 0 || len(fit.Files) != 3 || fit.Unverified != "" {
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

func TestLowClaimsAreNotRefutedWhenShort(t *testing.T) {
	t.Parallel()
	low, high := claimed("return out"), claimed("out = append(out, items[i])")
	low.Severity = "low"
	m, _ := answers(t, [][]claim{{low, high}, {low, high}})
	var asked []string
	m.Refute = func(_ context.Context, r llm.Request) (judgement, error) {
		asked = append(asked, r.Prompt)
		// Number 2 was not asked about: nothing is refuted by it.
		return judgement{Verdicts: []refutation{{Number: 2, Refuted: true}}}, nil
	}
	in := sample()
	in.Unverified = qa.Low
	res, err := m.Scan(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if len(asked) != 1 || strings.Contains(asked[0], "quote: return out") || !strings.Contains(asked[0], "quote: out = append") {
		t.Errorf("asked %d times:\n%s", len(asked), asked)
	}
	if len(res.Hits) != 2 || res.Hits[0].Evidence != qa.Corroborated || res.Hits[1].Evidence != qa.Suspected || len(res.Dropped) > 0 {
		t.Errorf("got %+v, dropped %v", res.Hits, res.Dropped)
	}
}
