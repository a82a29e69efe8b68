package scout

import (
	"context"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/llm"
	"github.com/org/qa-action/internal/qa"
)

func told(title, trigger, explanation string) claim {
	return claim{Path: "take.go", Quote: "\tfor i := 0; i <= n; i++ {\n\t\tout = append(out, items[i])", Title: title, Severity: "high", Trigger: trigger, Explanation: explanation, Perspective: "bug"}
}

// Two claims are one only when cause and input are the same: of one line several
// things may be wrong.
func TestClaimsAreMergedByCauseAndInput(t *testing.T) {
	t.Parallel()
	bound := told("off-by-one", "Take([]int{1}, 1) panics, [1] expected", "The loop runs once more than there are items.")
	again := told("off-by-one", "Take([]int{1}, 1) reads items[1] and panics, [1] expected", "The bound is inclusive.")
	negative := told("negative-count-ignored", "Take(nil, -1) gives nil without an error, ErrCount expected as before", "A check of negative counts got lost.")
	for name, c := range map[string]struct {
		claims []claim
		want   string
	}{
		"one thing twice":       {[]claim{bound, bound}, "off-by-one"},
		"in other words":        {[]claim{bound, again}, "off-by-one"},
		"two defects":           {[]claim{bound, negative, bound}, "off-by-one negative-count-ignored"},
		"one cause, two inputs": {[]claim{bound, told("off-by-one", "Take(nil, 0) of an empty list crashes, nothing expected", "The loop runs once more than there are items.")}, "off-by-one off-by-one"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kept, dropped := placed(c.claims, sample().Files)
			assert.Equal(t, len(dropped), 0, dropped)
			assert.Equal(t, strings.Join(each.Of(kept, func(b ballot) string { return b.Title }), " "), c.want)
		})
	}
}

// One request asks about all perspectives; no answer is asked for once more.
func TestRequests(t *testing.T) {
	t.Parallel()
	high := claimed("for i := 0; i <= n; i++ {")
	high.Perspective = "security"
	low := claim{Path: "take.go", Quote: "return out", Title: "x", Severity: "low", Trigger: "y"}
	for name, c := range map[string]struct {
		claims []claim
		fails  int // requests
		want   string
	}{
		"nothing found":      {nil, 0, "scan0"},
		"something found":    {[]claim{low, high}, 0, "scan0"},
		"one answer is none": {[]claim{high}, 1, "scan0 scan1"},
		"no answer at all":   {[]claim{high}, 2, "scan0 scan1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var asked []string
			var prompts []string
			note := func(r llm.Request) {
				asked = append(asked, strings.TrimPrefix(r.Job, "scout/")+string(rune('0'+r.Variant)))
				prompts = append(prompts, r.Prompt)
			}
			m := model{
				Ask: func(_ context.Context, r llm.Request) (reply, error) {
					note(r)
					if r.Variant < c.fails {
						return reply{}, llm.ErrReply
					}
					return reply{Findings: c.claims, Risks: []string{"Take: a"}}, nil
				},
			}
			in := sample()
			in.Perspectives = []qa.Perspective{qa.Bug, qa.Security, qa.UX}
			res, err := m.Scan(t.Context(), in)
			assert.Equal(t, err != nil, c.fails > 0)
			assert.Equal(t, len(res.Unanswered) > 0, c.fails == attempts)
			assert.Equal(t, len(res.Risks) > 0, c.fails < attempts)
			assert.Equal(t, strings.Join(asked, " "), c.want)
			for _, h := range res.Hits {
				if h.Severity == qa.High {
					assert.DeepEqual(t, h.Perspectives, []qa.Perspective{qa.Security})
				}
				assert.Equal(t, h.Evidence, qa.Suspected, "nobody said that it stands")
			}
			for _, p := range in.Perspectives {
				assert.Assert(t, strings.Contains(prompts[0], " "+string(p)), prompts[0])
			}
		})
	}
}

// A perspective that was not asked for is no reason to lose a claim.
func TestPerspectivesOfClaims(t *testing.T) {
	t.Parallel()
	c := claimed("for i := 0; i <= n; i++ {")
	c.Perspective = "style"
	m := answers(c)
	res, err := m.Scan(t.Context(), sample())
	assert.NilError(t, err)
	assert.Equal(t, len(res.Hits), 1)
	assert.DeepEqual(t, res.Hits[0].Perspectives, []qa.Perspective{qa.Bug})
}
