package quality

import (
	"testing"

	"github.com/org/qa-action/internal/qa"
)

// TestModelMovesNoVerdict: what only a model says costs points, and stops where
// the verdict would be another.
func TestModelMovesNoVerdict(t *testing.T) {
	t.Parallel()
	claims := func(engine string, n int) []qa.Finding {
		var out []qa.Finding
		for range n {
			f := finding(qa.Security, qa.Critical, qa.Corroborated)
			f.Engines = []string{engine}
			out = append(out, f)
		}
		return out
	}
	proven := claims("model", 1)
	proven[0].Evidence = qa.Proven
	for name, c := range map[string]struct {
		findings []qa.Finding
		value    int
	}{
		"one claim":            {claims("model", 1), 86},
		"many claims":          {claims("model", 9), 80},
		"many of an engine":    {claims("gosec", 9), 40},
		"both":                 {append(claims("gosec", 2), claims("model", 9)...), 60},
		"engines below anyway": {append(claims("gosec", 3), claims("model", 1)...), 44},
		"proven":               {proven, 40},
	} {
		r := green()
		r.Findings = c.findings
		if s := Score(r); *s.Value != c.value {
			t.Errorf("%s: score is %d, want %d: %+v", name, *s.Value, c.value, s)
		}
	}
}

// TestLoopOfFewLines: with few executable lines a loop that ends below its
// target advises only, as coverage itself does.
func TestLoopOfFewLines(t *testing.T) {
	t.Parallel()
	for lines, want := range map[int]qa.Verdict{9: qa.Pass, 10: qa.Conditional} {
		r := green()
		r.Coverage.Patch.Lines = qa.Count{Covered: 0, Total: lines}
		r.Coverage.Layers[0].Below = true
		r.Score = Score(r)
		if Judge(r, Rules{Target: 80}); r.Result != want {
			t.Errorf("%d lines: %s (%s), want %s", lines, r.Result, r.Reason, want)
		}
	}
}
