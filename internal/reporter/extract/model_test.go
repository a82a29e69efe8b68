package extract

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

func TestModelText(t *testing.T) {
	t.Parallel()
	usd := 0.05
	r := &qa.Report{
		Findings:  []qa.Finding{{Status: qa.StatusNew, Engines: []string{"model"}}, {Status: qa.StatusNew, Engines: []string{"eslint"}}},
		Generated: []qa.GeneratedTest{{Kept: true}, {Kept: true}, {Kept: true, Origin: &qa.Origin{}}, {}},
	}
	r.Manifest.Model = qa.ModelUse{Configured: true, Models: []string{"a\x1bb"}, Calls: 3, Cached: 1, Prompt: 2000, Completion: 900, Thoughts: 700, Estimated: true, CostUSD: &usd}
	as := func(text string, _ int) string { return strings.ReplaceAll(text, "\x1b", "") }
	assert.Equal(t, ModelText(r, as), "model ab: 3 calls (1 from the cache, 0 retried, 0 cut short), 2,000 tokens in, 900 out (700 of them thoughts)"+
		", estimated in part, since the endpoint does not count, USD 0.0500, 0.0500 per finding (1), 0.0250 per kept test (2)")
	r.Manifest.Model = qa.ModelUse{Configured: true}
	assert.Equal(t, ModelText(r, as), "model unknown: 0 calls (0 from the cache, 0 retried, 0 cut short), 0 tokens in, 0 out, cost unknown (no prices configured)")
}
