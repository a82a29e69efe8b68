package reporter

import (
	"strings"
	"testing"

	"github.com/org/qa-action/internal/qa"
)

func TestFencedCodeCannotBreakOut(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"fence":       "a\n```\n@everyone <img src=x>\n",
		"long fence":  "````\n`````\n",
		"our mark":    "<!-- qa-action -->",
		"terminal":    "\x1b]8;;https://example.com\x07x",
		"hidden text": "a\u200b\U000E0041b",
		"too long":    strings.Repeat("x\n", 500),
		"wide":        strings.Repeat("x", 5000),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := fenced(text, "a_test.go", 10)
			lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
			fence := strings.TrimSuffix(lines[0], "go")
			if strings.Trim(fence, "`") != "" || lines[len(lines)-1] != fence {
				t.Fatalf("no fence around %q", got)
			}
			inside := strings.Join(lines[1:len(lines)-1], "\n")
			if strings.Contains(inside, fence) || strings.Contains(inside, "<!--") || strings.ContainsAny(inside, "\x1b\U000E0041") || len(lines) > 13 || len(got) > 1000 {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestProofsShowTheFailingTest(t *testing.T) {
	t.Parallel()
	r := &qa.Report{Findings: []qa.Finding{
		{ID: "SCOUT-ISSUE-1", Symbol: "Merge", Proof: &qa.Proof{Test: "TestA", Path: "a_test.go", Code: "func TestA(t *testing.T) {}", Base: qa.Passed, Head: qa.Failed, Regression: true}},
		{ID: "SCOUT-ISSUE-2"},
	}}
	got := page{r: r, folds: true}.proofs()
	if len(got.items) != 1 || !strings.Contains(got.items[0].full, "```go\nfunc TestA(t *testing.T) {}\n```") || !strings.Contains(got.open, "1 failing test") {
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
