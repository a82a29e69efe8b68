package scout

import (
	"context"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/llm"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
)

// pending is a claim as it stands in a report.
func pending(fingerprint, path string, line int, severity qa.Severity) qa.Finding {
	return qa.Finding{
		Fingerprint: fingerprint, Path: path, Lines: qa.Range{Start: line, End: line}, Severity: severity, Engines: []string{"model"},
		Perspectives: []qa.Perspective{qa.Bug}, Status: qa.StatusNew, Evidence: qa.Suspected, Message: "reads one too many: " + fingerprint, Quote: "for i := 0; i <= n; i++ {",
	}
}

// A second reader is asked once about the claims of a group, in the words with which the
// scan began, and what is said of a number that was not asked is nothing.
func TestRefute(t *testing.T) {
	t.Parallel()
	var prompts []string
	m := answers()
	scanned := m.Ask
	m.Ask = func(ctx context.Context, r llm.Request) (reply, error) {
		prompts = append(prompts, r.Prompt)
		return scanned(ctx, r)
	}
	m.Refute = func(_ context.Context, r llm.Request) (judgement, error) {
		prompts = append(prompts, r.Prompt)
		return judgement{Verdicts: []refutation{{Number: 0}, {Number: -1, Refuted: true}, {Number: 7, Refuted: true}, {Number: 2, Refuted: true, Reason: "n is a length"}, {Number: 1}}}, nil
	}
	in := sample()
	_, err := m.Scan(t.Context(), in)
	assert.NilError(t, err)
	said, err := m.Read(t.Context(), in, unsettled([]qa.Finding{pending("a", "take.go", 2, qa.High), pending("b", "take.go", 3, qa.High), pending("c", "take.go", 4, qa.Medium), pending("d", "else.go", 2, qa.High)}, nil))
	assert.NilError(t, err)
	assert.DeepEqual(t, said, []Reading{{Fingerprint: "a"}, {Fingerprint: "b", Refuted: true, Reason: "n is a length"}})
	assert.Equal(t, len(prompts), 2)
	same, _, _ := strings.Cut(prompts[0], "Report each defect")
	assert.Assert(t, len(same) > 100 && strings.HasPrefix(prompts[1], same), "%s\n---\n%s", same, prompts[1])
	assert.Assert(t, strings.Contains(prompts[1], "1.\n<data>\ntake.go: reads one too many: a\nquote: for i") && !strings.Contains(prompts[1], "else.go"), prompts[1])
}

// A test that was to show a claim and passes on both sides speaks against it, and its
// reader sees it. One that fails somewhere, or not always, says nothing.
func TestRefuteWithWhatPasses(t *testing.T) {
	t.Parallel()
	f := pending("a", "take.go", 2, qa.High)
	f.ID = "SCOUT-ISSUE-1"
	tried := func(change func(*qa.GeneratedTest)) qa.GeneratedTest {
		g := qa.GeneratedTest{Finding: f.ID, Base: qa.Passed, Head: qa.Passed, Gate: "G7", Code: "func TestTakeAll(t *testing.T) {}"}
		change(&g)
		return g
	}
	for name, c := range map[string]struct {
		change func(*qa.GeneratedTest)
		told   bool
	}{
		"adds nothing":          {func(*qa.GeneratedTest) {}, true},
		"kept":                  {func(g *qa.GeneratedTest) { g.Kept, g.Gate = true, "" }, true},
		"of another finding":    {func(g *qa.GeneratedTest) { g.Finding = "SCOUT-ISSUE-2" }, false},
		"fails on base":         {func(g *qa.GeneratedTest) { g.Base = qa.Failed }, false},
		"fails on head":         {func(g *qa.GeneratedTest) { g.Head = qa.Failed }, false},
		"now and then":          {func(g *qa.GeneratedTest) { g.Gate = "G5" }, false},
		"its assertion is none": {func(g *qa.GeneratedTest) { g.Gate = "G9" }, false},
	} {
		var prompt string
		m := model{Refute: func(_ context.Context, r llm.Request) (judgement, error) {
			prompt = r.Prompt
			return judgement{}, nil
		}}
		_, err := m.Read(t.Context(), sample(), unsettled([]qa.Finding{f}, []qa.GeneratedTest{tried(c.change)}))
		assert.NilError(t, err)
		assert.Equal(t, strings.Contains(prompt, "passes on the code before the change and after it:\n<data>\nfunc TestTakeAll"), c.told, "%s\n%s", name, prompt)
	}
}

// Of what a window does not hold the parts are asked about, each claim with its own.
func TestRefuteInParts(t *testing.T) {
	t.Parallel()
	in := sample()
	in.Files = append(in.Files, shownFile{Side: related.Side{Path: "b.go", Source: code, Added: []qa.Range{{Start: 2, End: 2}}}})
	m := model{Group: 1 << 20, Refute: func(_ context.Context, r llm.Request) (judgement, error) {
		if strings.Contains(r.Prompt, "File take.go") && strings.Contains(r.Prompt, "File b.go") {
			return judgement{}, llm.ErrTooLong
		}
		assert.Check(t, strings.Contains(r.Prompt, "File b.go") == strings.Contains(r.Prompt, "b.go: reads"), r.Prompt)
		return judgement{Verdicts: []refutation{{Number: 1}}}, nil
	}}
	said, err := m.Read(t.Context(), in, unsettled([]qa.Finding{pending("a", "take.go", 2, qa.High), pending("b", "b.go", 2, qa.High)}, nil))
	assert.NilError(t, err)
	assert.DeepEqual(t, said, []Reading{{Fingerprint: "a"}, {Fingerprint: "b"}})

	m.Refute = func(context.Context, llm.Request) (judgement, error) { return judgement{}, llm.ErrTooLong }
	said, err = m.Read(t.Context(), sample(), unsettled([]qa.Finding{pending("a", "take.go", 2, qa.High)}, nil))
	assert.ErrorIs(t, err, llm.ErrTooLong)
	assert.Equal(t, len(said), 0)
}

// What stands counts. A file with a claim that nobody read was not reviewed, unless a
// test settled the claim or it weighs nothing.
func TestWeigh(t *testing.T) {
	t.Parallel()
	stands, refuted := Reading{Fingerprint: "f"}, Reading{Fingerprint: "f", Refuted: true, Reason: "n is\na length"}
	for name, c := range map[string]struct {
		change   func(*qa.Finding)
		said     Readings
		evidence qa.Evidence
		state    string
	}{
		"stands":          {nil, Readings{stands}, qa.Corroborated, "ran: 2 claims did not survive"},
		"refuted":         {nil, Readings{refuted}, qa.Suspected, "ran: 2 claims did not survive, 1 refuted"},
		"nobody read it":  {nil, Readings{{Fingerprint: "other"}}, qa.Suspected, "failed: " + notAnswered},
		"proven":          {func(f *qa.Finding) { f.Evidence = qa.Proven }, nil, qa.Proven, "ran: 2 claims did not survive"},
		"low":             {func(f *qa.Finding) { f.Severity = qa.Low }, Readings{stands}, qa.Suspected, "ran: 2 claims did not survive"},
		"rated low":       {nil, Readings{{Fingerprint: "f", Severity: qa.Low}}, qa.Suspected, "ran: 2 claims did not survive"},
		"rated medium":    {nil, Readings{{Fingerprint: "f", Severity: qa.Medium}}, qa.Corroborated, "ran: 2 claims did not survive"},
		"rated higher":    {nil, Readings{{Fingerprint: "f", Severity: qa.Critical}}, qa.Corroborated, "ran: 2 claims did not survive"},
		"rated nonsense":  {nil, Readings{{Fingerprint: "f", Severity: "none"}}, qa.Corroborated, "ran: 2 claims did not survive"},
		"fresh":           {func(f *qa.Finding) { f.Fresh = true }, Readings{stands}, qa.Corroborated, "ran: 2 claims did not survive"},
		"fresh, medium":   {func(f *qa.Finding) { f.Fresh, f.Severity = true, qa.Medium }, Readings{stands}, qa.Suspected, "ran: 2 claims did not survive"},
		"rated so":        {func(f *qa.Finding) { f.Fresh = true }, Readings{{Fingerprint: "f", Severity: qa.Medium}}, qa.Suspected, "ran: 2 claims did not survive"},
		"fresh, refuted":  {func(f *qa.Finding) { f.Fresh = true }, Readings{refuted}, qa.Suspected, "ran: 2 claims did not survive, 1 refuted"},
		"dismissed":       {func(f *qa.Finding) { f.Status = qa.StatusDismissed }, nil, qa.Suspected, "ran: 2 claims did not survive"},
		"a linter agrees": {func(f *qa.Finding) { f.Engines, f.Evidence = append(f.Engines, "ruff"), qa.Corroborated }, nil, qa.Corroborated, "ran: 2 claims did not survive"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := pending("f", "take.go", 2, qa.High)
			if c.change != nil {
				c.change(&f)
			}
			scanned := map[string]string{"big.go": "too long"}
			engines := []qa.Engine{{Name: "ruff", State: "ran"}, {Name: "model", State: "ran", Reason: "2 claims did not survive", Unseen: scanned, Reviewed: []string{"else.go", "take.go"}}}
			findings := []qa.Finding{f}
			c.said.Weigh(findings)
			c.said.Tell(engines, findings)
			assert.Equal(t, findings[0].Evidence, c.evidence)
			assert.Equal(t, engines[1].State+": "+engines[1].Reason, c.state)
			assert.Equal(t, engines[0].State, "ran")
			assert.Equal(t, len(engines[0].Unseen), 0)
			unread := name == "nobody read it"
			assert.Equal(t, engines[1].Unseen["take.go"] != "" && !slices.Contains(engines[1].Reviewed, "take.go"), unread)
			assert.Equal(t, engines[1].Unseen["big.go"], "too long")
			assert.DeepEqual(t, scanned, map[string]string{"big.go": "too long"}) // it belongs to the scan
			assert.Equal(t, strings.HasSuffix(findings[0].Message, " Refuted by a second reader: n is a length"), strings.HasSuffix(name, "refuted"))
			assert.Equal(t, strings.Contains(findings[0].Message, " A second reader rates it "), strings.HasPrefix(name, "rated") && c.said[0].Severity.Rank() >= qa.Medium.Rank() && c.said[0].Severity != "none")
		})
	}
}
