package past

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/org/qa-action/internal/history"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
)

// What a run of a change measured on base serves the next one, of the same commit, the
// same directory and the same suite only; otherwise base runs.
func TestWhatWasMeasuredOnBaseIsUsedAgain(t *testing.T) {
	t.Parallel()
	measured := func(sha, scope string, lines *qa.Count) *history.Baseline {
		b := history.MeasuredOnBase(sha, map[string]history.Suite{".": {Key: "k", Passed: []string{"a"}}}, nil)
		b.Scope, b.Lines = scope, lines
		return &b
	}
	for name, c := range map[string]struct {
		base, default_ *history.Baseline
		key            string
		plain          bool // the suite has no coverage
		want           bool
	}{
		"the same":                       {measured("base", "", count(1, 2)), nil, "k", false, true},
		"beside one of a commit before":  {measured("base", "", count(1, 2)), measured("older", "", count(1, 2)), "k", false, true},
		"another suite":                  {measured("base", "", count(1, 2)), nil, "other", false, false},
		"another commit":                 {measured("elsewhere", "", count(1, 2)), nil, "k", false, false},
		"an older commit":                {measured("older", "", count(1, 2)), nil, "k", false, false},
		"another directory":              {measured("base", "sub", count(1, 2)), nil, "k", false, false},
		"without coverage":               {measured("base", "", nil), nil, "k", false, false},
		"without coverage, as the suite": {measured("base", "", nil), nil, "k", true, true},
		"nothing":                        {nil, nil, "k", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := history.Digest{Base: c.base}.Pack(32 << 10)
			if err != nil {
				t.Fatal(err)
			}
			older, err := history.Digest{Baseline: c.default_}.Pack(32 << 10)
			if err != nil {
				t.Fatal(err)
			}
			r := Reader{Source: Source{Ancestors: []string{"base", "older"}, Before: "push", Ref: "pr/7",
				Carried: func(_ context.Context, sha string) (string, error) {
					return map[string]string{"push": text, "older": older}[sha], nil
				}}}
			m, err := r.Recall(t.Context(), nil, time.Unix(0, 0))
			if err != nil {
				t.Fatal(err)
			}
			if _, got := m.StandsFor(".", "base", c.key, !c.plain); got != c.want {
				t.Errorf("stands for base: %t; remembered %+v", got, m.Baseline)
			}
		})
	}
}

// TestLessonsAreRecalled: what the last push of a change learnt about tests, its next run
// is told, by file.
func TestLessonsAreRecalled(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	ledger, _, _ := history.Ledger{}.Advance(history.Push{Head: "push", Date: now, Lessons: []history.Lesson{{Path: "a.go", Text: "kept", Date: now.UTC().Format(time.RFC3339)}}})
	text, err := history.Digest{Ref: "pr/7", Ledger: &ledger}.Pack(32 << 10)
	if err != nil {
		t.Fatal(err)
	}
	r := Reader{Source: Source{Ref: "pr/7", Before: "push", Carried: func(context.Context, string) (string, error) { return text, nil }}}
	m, err := r.Recall(t.Context(), nil, now)
	if err != nil {
		t.Fatal(err)
	}
	if got := m.LessonsByFile()["a.go"]; len(got) != 1 || got[0] != "kept" {
		t.Errorf("recalled %+v", m.Lessons)
	}
}

// A record that says of a failing test that it failed on base as well excuses nothing:
// who failed is run on base, and that alone tells.
func TestARecordDoesNotExcuseAFailure(t *testing.T) {
	t.Parallel()
	b := executor.Baseline{
		Head:  executor.Run{Suite: qa.Suite{Cases: []qa.Case{{Name: "a", Status: qa.Failed}}}},
		Tests: qa.Tests{Failing: []qa.FailingTest{{Case: qa.Case{Name: "a", Status: qa.Failed}, Triage: qa.NewFailure}}},
	}
	if !CompareWith(&b, history.Suite{Key: "k", Failed: []string{"a"}}) {
		t.Fatal("not compared")
	}
	if got := b.Tests.Failing; len(got) != 1 || got[0].Triage != qa.NewFailure {
		t.Errorf("%+v", got)
	}
}

// What cannot be reached is asked once, and why is told.
func TestCheckRunsThatDoNotAnswer(t *testing.T) {
	t.Parallel()
	asked := 0
	r := Reader{Source: Source{Ancestors: []string{"base", "older", "oldest"}, Before: "push", Ref: "pr/7",
		Carried: func(context.Context, string) (string, error) { asked++; return "", errors.New("no answer") }}}
	_, err := r.Recall(t.Context(), nil, time.Unix(0, 0))
	if asked != 1 || err == nil || !strings.Contains(err.Error(), "no answer") {
		t.Errorf("asked %d times: %v", asked, err)
	}
}
