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
	}}
	got := proofsSection(page{r: r, folds: true})
	if len(got.Items) != 1 || !strings.Contains(got.Items[0].Full, "```go\nfunc TestA(t *testing.T) {}\n```") || !strings.Contains(got.Open, "1 failing test") {
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
