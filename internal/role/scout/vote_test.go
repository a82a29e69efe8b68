package scout

import (
	"context"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/llm"
	"github.com/org/qa-action/internal/qa"
)

func told(title, trigger, explanation string) claim {
	return claim{Path: "take.go", Quote: "\tfor i := 0; i <= n; i++ {\n\t\tout = append(out, items[i])", Title: title, Severity: "high", Trigger: trigger, Explanation: explanation, Perspective: "bug"}
}

// Two claims are one only when cause and input are the same: of one line several
// things may be wrong, and another reader says one thing in other words.
func TestClaimsAreMergedByCauseAndInput(t *testing.T) {
	t.Parallel()
	bound := told("off-by-one", "Take([]int{1}, 1) panics, [1] expected", "The loop runs once more than there are items.")
	again := told("off-by-one-in-loop", "Take([]int{1, 2}, 2) reads items[2] and panics", "The bound is inclusive.")
	negative := told("negative-count-ignored", "Take(nil, -1) gives nil without an error, ErrCount expected as before", "A check of negative counts got lost.")
	for name, c := range map[string]struct {
		passes [][]claim
		want   string
	}{
		"two readers, one defect":           {[][]claim{{bound}, {again}}, "off-by-one:2"},
		"one reader, two defects":           {[][]claim{{bound, negative}, {again}}, "off-by-one:2 negative-count-ignored:1"},
		"two readers, two defects":          {[][]claim{{bound, negative}, {negative, again}}, "off-by-one:2 negative-count-ignored:2"},
		"two readers, a defect each":        {[][]claim{{bound}, {negative}}, "off-by-one:1 negative-count-ignored:1"},
		"one reader says one thing twice":   {[][]claim{{bound, bound}, {}}, "off-by-one:1"},
		"one cause, two inputs, one reader": {[][]claim{{bound, told("off-by-one", "Take(nil, 0) of an empty list crashes, nothing expected", "The loop runs once more than there are items.")}}, "off-by-one:1 off-by-one:1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kept, dropped := vote(c.passes, sample().Files)
			assert.Equal(t, len(dropped), 0, dropped)
			var got []string
			for _, b := range kept {
				got = append(got, b.Title+":"+string(rune('0'+b.votes)))
			}
			assert.Equal(t, strings.Join(got, " "), c.want)
		})
	}
}

// One request asks about all perspectives. A second vote is asked for only where
// something was found that counts, and a refutation only for what both say.
func TestRequests(t *testing.T) {
	t.Parallel()
	high := claimed("for i := 0; i <= n; i++ {")
	high.Perspective = "security"
	low := high
	low.Severity = "low"
	for name, c := range map[string]struct {
		passes [][]claim
		want   string
	}{
		"nothing found":        {[][]claim{{}, {high}}, "scan0"},
		"only what is low":     {[][]claim{{low}, {low}}, "scan0"},
		"one of two says so":   {[][]claim{{high}, {}}, "scan0 scan1"},
		"both say so":          {[][]claim{{high}, {high}}, "scan0 scan1 refute0"},
		"both, and one of low": {[][]claim{{high, {Path: "take.go", Quote: "return out", Title: "x", Severity: "low", Trigger: "y"}}, {high}}, "scan0 scan1 refute0"},
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
					return reply{Findings: c.passes[r.Variant]}, nil
				},
				Refute: func(_ context.Context, r llm.Request) (judgement, error) { note(r); return judgement{}, nil },
			}
			in := sample()
			in.Perspectives = []qa.Perspective{qa.Bug, qa.Security, qa.UX}
			res, err := m.Scan(t.Context(), in)
			assert.NilError(t, err)
			assert.Equal(t, strings.Join(asked, " "), c.want)
			for _, h := range res.Hits {
				if h.Severity == qa.High {
					assert.DeepEqual(t, h.Perspectives, []qa.Perspective{qa.Security})
				}
			}
			// What providers cache is the beginning: up to the end of the files it is the same.
			same, _, _ := strings.Cut(prompts[0], "Report what you find")
			for _, p := range prompts {
				assert.Assert(t, len(same) > 100 && strings.HasPrefix(p, same), "%s\n---\n%s", same, p)
			}
			for _, p := range in.Perspectives {
				assert.Assert(t, strings.Contains(prompts[0], "- "+string(p)+": "), prompts[0])
			}
			if len(asked) == 3 {
				assert.Assert(t, !strings.Contains(prompts[2], "quote: return out"), prompts[2])
			}
		})
	}
}

// A perspective that was not asked for is no reason to lose a claim.
func TestPerspectivesOfClaims(t *testing.T) {
	t.Parallel()
	c := claimed("for i := 0; i <= n; i++ {")
	c.Perspective = "style"
	m, _ := answers(t, [][]claim{{c}, {c}})
	res, err := m.Scan(t.Context(), sample())
	assert.NilError(t, err)
	assert.Equal(t, len(res.Hits), 1)
	assert.DeepEqual(t, res.Hits[0].Perspectives, []qa.Perspective{qa.Bug})
}
