package markdown

import (
	"strings"
	"testing"

	"github.com/org/qa-action/internal/qa"
)

func TestProofsShowTheFailingTest(t *testing.T) {
	t.Parallel()
	r := &qa.Report{Findings: []qa.Finding{
		{ID: "SCOUT-ISSUE-1", Symbol: "Merge", Proof: &qa.Proof{Test: "TestA", Path: "a_test.go", Code: "func TestA(t *testing.T) {}", Base: qa.Passed, Head: qa.Failed, Regression: true}},
		{ID: "SCOUT-ISSUE-2"},
		{ID: "SCOUT-ISSUE-3", Proof: &qa.Proof{Test: "TestB", Path: "a_test.go", Code: "func TestB(t *testing.T) {}", Base: qa.Failed, Head: qa.Failed}},
	}}
	both := proofSections(page{r: r, folds: true})
	got, judge := both[0], both[1]
	if len(got.Items) != 1 || len(judge.Items) != 1 || !strings.Contains(judge.Open, "Code of 1 failing test") || !strings.Contains(got.Open, "git apply evidence.patch") || !strings.Contains(got.Items[0].Full, "```go\nfunc TestA(t *testing.T) {}\n```") || !strings.Contains(got.Open, "1 test to add with your fix") {
		t.Errorf("got %+v", got)
	}
	for _, p := range []struct {
		proof qa.Proof
		want  string
	}{
		{qa.Proof{Regression: true, Base: qa.Passed}, "passes on base"},
		{qa.Proof{Base: qa.Failed}, "on head and on base"},
		{qa.Proof{Base: qa.BuildFailed}, "nothing to compare"},
	} {
		if words := proofWords(&p.proof); !strings.Contains(words, p.want) {
			t.Errorf("%+v: %q", p.proof, words)
		}
	}
}
