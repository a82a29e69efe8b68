package analyst

import (
	"context"
	"strings"
	"testing"

	"github.com/org/qa-action/internal/llm"
	"github.com/org/qa-action/internal/qa"
)

func ask(t *testing.T, r *qa.Report, gained map[string][]int) (prompt string, texts []string) {
	t.Helper()
	m := Model{Ask: func(_ context.Context, q llm.Request) (Reply, error) {
		if !q.Optional {
			t.Error("a run must not depend on recommendations")
		}
		prompt = q.Prompt
		return Reply{Recommendations: []string{" mend\n it ", "", "2", "3", "4", "5", "6"}}, nil
	}, Text: func(string) []byte { return []byte("1\n2\n3\n\tgoto fail\n5\nx\n") }}
	texts, err := m.Recommend(t.Context(), r, gained)
	if err != nil {
		t.Fatal(err)
	}
	return prompt, texts
}

func TestWhatKeptTestsRunIsNotMissing(t *testing.T) {
	t.Parallel()
	r := &qa.Report{
		Findings:  []qa.Finding{{Path: "a.go", Message: "breaks", Evidence: qa.Proven, Status: qa.StatusNew, Proof: &qa.Proof{Test: "TestBreaks"}, Also: []qa.Proof{{Test: "TestBroken"}}}},
		Generated: []qa.GeneratedTest{{Name: "TestKept", Kept: true, Target: "A", Reason: "kills 1 mutants"}, {Name: "TestProof", Gate: "G4"}, {Name: "TestWeak", Gate: "G8", Reason: "notices nothing"}, {Name: "TestDead", Gate: "G8"}, {Name: "TestCrash", Gate: "G8", Kills: 2}, {Name: "TestTorn", Gate: "G2"}},
	}
	r.Coverage.Patch = &qa.PatchCoverage{Missing: []qa.Missing{
		{Path: "a.go", Ranges: []qa.Range{{Start: 3, End: 6}}},
		{Path: "b.go", Ranges: []qa.Range{{Start: 1, End: 2}}},
		{Path: "examples/a.go", Ranges: []qa.Range{{Start: 1, End: 2}}},
	}}
	prompt, texts := ask(t, r, map[string][]int{"a.go": {3, 5}, "b.go": {1, 2}})
	for _, want := range []string{"breaks\nshown by: TestBreaks; TestBroken\n", "a.go: 4, 6\n4: goto fail\n6: x\n", "TestKept for A", "kept and waits", "dropped:\n<data>\n1 did not build: TestTorn\n2 noticed no wrong version: TestWeak; TestDead\n1 failed on wrong versions, but by a crash or as nothing came back, not by an assertion on what is wrong: TestCrash\n"} {
		if !strings.Contains(prompt, want) {
			t.Errorf("the prompt lacks %q:\n%s", want, prompt)
		}
	}
	for _, not := range []string{"b.go", "examples", "TestProof"} {
		if strings.Contains(prompt, not) {
			t.Errorf("the prompt has %q:\n%s", not, prompt)
		}
	}
	if len(texts) != 5 || texts[0] != "mend it" {
		t.Errorf("recommendations %q", texts)
	}
}

func TestNothingToActOnAsksNobody(t *testing.T) {
	t.Parallel()
	r := &qa.Report{}
	r.Coverage.Patch = &qa.PatchCoverage{Missing: []qa.Missing{{Path: "a.go", Ranges: []qa.Range{{Start: 3, End: 3}}}}}
	if prompt, _ := ask(t, r, map[string][]int{"a.go": {3}}); prompt != "" {
		t.Errorf("asked:\n%s", prompt)
	}
}

// A test that fails on head says something of new code, for which base cannot speak: it is
// told as what it is, with what it ended in.
func TestFailingTestsOfNewCodeAreTold(t *testing.T) {
	t.Parallel()
	shown := qa.Finding{Path: "a.go", Lines: qa.Range{Start: 7}, Symbol: "New", Message: "it does not give what the test expects", Evidence: qa.Suspected, Status: qa.StatusNew,
		Proof: &qa.Proof{Test: "TestNew", Head: qa.Failed, Base: qa.BuildFailed, Message: "panic: index out of range"}}
	opinion, known := shown, shown
	opinion.Proof, opinion.Message = nil, "an opinion alone"
	known.Status, known.Message = qa.StatusKnown, "stood before"
	prompt, _ := ask(t, &qa.Report{Findings: []qa.Finding{opinion, known, shown}}, nil)
	want := "Generated test that fails on head; nothing says that what it expects is right:\n<data>\na.go:7 New: it does not give what the test expects\npanic: index out of range\n</data>"
	if !strings.Contains(prompt, want) || strings.Contains(prompt, opinion.Message) || strings.Contains(prompt, known.Message) {
		t.Errorf("asked:\n%s", prompt)
	}
}

// Where findings are all there is, and each says how it is mended, nobody is asked.
func TestFindingsWithMendsAskNobody(t *testing.T) {
	t.Parallel()
	mend := func(text string) qa.Finding {
		return qa.Finding{Path: "a.go", Lines: qa.Range{Start: 7}, Message: "breaks", Suggestion: text, Evidence: qa.Proven, Status: qa.StatusNew}
	}
	prompt, texts := ask(t, &qa.Report{Findings: []qa.Finding{mend("round\n it"), mend(strings.Repeat("x", 900))}}, nil)
	if prompt != "" || len(texts) != 2 || texts[0] != "a.go:7: round it" || len(texts[1]) > longest+3 {
		t.Errorf("%q: %q", prompt, texts)
	}
	if prompt, _ := ask(t, &qa.Report{Findings: []qa.Finding{mend("round it"), mend("")}}, nil); prompt == "" {
		t.Error("a finding without a mend, and nobody was asked")
	}
	if prompt, _ := ask(t, &qa.Report{Findings: []qa.Finding{mend("round it")}, Mutation: &qa.Mutation{Survivors: []string{"a.go:8" + qa.Alike}}}, nil); prompt != "" {
		t.Error("a version that is held for no wrong one was asked about")
	}
	if prompt, _ := ask(t, &qa.Report{Findings: []qa.Finding{mend("round it")}, Mutation: &qa.Mutation{Survivors: []string{"a.go:8"}}}, nil); prompt == "" {
		t.Error("a living mutant, and nobody was asked")
	}
}
