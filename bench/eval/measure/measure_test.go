package measure

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

// The expected values are from the closed formula, worked out by hand for 0 of
// n, where the upper end is z²/(n+z²), and by symmetry.
func TestInterval(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		share     Share
		low, high float64
	}{
		{Share{0, 0}, 0, 1},
		{Share{0, 20}, 0, 3.8414588 / 23.8414588},
		{Share{20, 20}, 20 / 23.8414588, 1},
		{Share{5, 10}, 0.2366, 0.7634},
	} {
		low, high := tt.share.Interval()
		if math.Abs(low-tt.low) > 1e-4 || math.Abs(high-tt.high) > 1e-4 {
			t.Errorf("%v: %.4f to %.4f, want %.4f to %.4f", tt.share, low, high, tt.low, tt.high)
		}
	}
}

func TestHolds(t *testing.T) {
	t.Parallel()
	place := Place{File: "a.go", Symbol: "T.Do", Lines: qa.Range{Start: 10, End: 12}}
	for _, tt := range []struct {
		finding qa.Finding
		want    bool
	}{
		{qa.Finding{Path: "a.go", Lines: qa.Range{Start: 11, End: 11}}, true},
		{qa.Finding{Path: "a.go", Lines: qa.Range{Start: 14, End: 15}}, true},
		{qa.Finding{Path: "a.go", Lines: qa.Range{Start: 15, End: 15}}, false},
		{qa.Finding{Path: "b.go", Lines: qa.Range{Start: 11, End: 11}}, false},
		{qa.Finding{Path: "a.go", Symbol: "T.Do", Lines: qa.Range{Start: 40, End: 41}}, true},
		{qa.Finding{Path: "a.go"}, false}, // a whole file names no place
	} {
		if got := place.Holds(tt.finding); got != tt.want {
			t.Errorf("%+v: %v", tt.finding, got)
		}
	}
}

func TestFunnel(t *testing.T) {
	t.Parallel()
	tests := []qa.GeneratedTest{
		{Kept: true, Lane: "hardening"}, {Gate: "G0", Lane: "hardening"}, {Gate: "G2"}, {Gate: "G3"}, {Gate: "G4"}, {Gate: "G5"}, {Gate: "G8"}, {Gate: "G9"},
	}
	if got, want := Funnel(tests), (Tests{Written: 8, Built: 6, Stable: 4, Gained: 3, Kept: 1, Hardening: 2, Hardened: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestSumLeavesOutWhatWasNotRun(t *testing.T) {
	t.Parallel()
	n := Sum([]Outcome{
		{Buggy: true, Findings: Findings{Found: true, Seen: true, Posted: 2, True: 1}, Tests: Tests{Kept: 3, Written: 4, Enshrined: 1}, Mutants: 10, Before: 4, After: 7},
		{Buggy: true, NotRun: "no replies"},
		{Findings: Findings{Posted: 1}, Tests: Tests{Kept: 2, Written: 2}},
	})
	for name, pair := range map[string][2]any{
		"recall":    {n.Recall, Share{1, 1}},
		"precision": {n.Precision, Share{1, 3}},
		"clean":     {n.CleanFindings, Share{1, 1}},
		"kept":      {n.Kept, Share{5, 6}},
		"enshrined": {n.Enshrined, Share{1, 3}}, // on clean changes there is nothing to enshrine
		"after":     {n.After, Share{7, 10}},
		"not run":   {n.NotRun, 1},
	} {
		if diff := cmp.Diff(pair[1], pair[0]); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestPrintSaysWhatHasNoAnswer(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	assert.NilError(t, Print(&b, []string{"run1"}, []Outcome{{Run: "run1", Case: "x", Unanswered: "strategist/risks 0: was never asked before"}}))
	assert.Assert(t, strings.Contains(b.String(), "WITHOUT AN ANSWER: strategist/risks 0: was never asked before\n"), b.String())
}

func TestPrintNeverMakesNothingAPercentage(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	assert.NilError(t, Print(&b, []string{"run1"}, []Outcome{{Run: "run1", Case: "x", NotRun: "no replies"}}))
	assert.Assert(t, strings.Contains(b.String(), "NOT RUN: no replies"))
	assert.Assert(t, !strings.Contains(b.String(), " = "), b.String()) // no share of nothing
	assert.Assert(t, !strings.Contains(b.String(), "NaN"))
}

// TestPricesAreToldWhereOneIsGiven: no cost is not a cost of nothing.
func TestPricesAreToldWhereOneIsGiven(t *testing.T) {
	t.Parallel()
	for micro, want := range map[int]int{0: 0, 5: 4} {
		lines := metrics([]string{"run1"}, []Outcome{{Run: "run1", Cost: Cost{Tokens: 9, Micro: micro}}})
		got := 0
		for _, line := range lines {
			if strings.HasPrefix(line[0], "USD") {
				got++
			}
		}
		assert.Equal(t, got, want)
	}
}

func TestMarkdownHasARowPerMetric(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	assert.NilError(t, Markdown(&b, []string{"run1", "run2"}, []Outcome{{Run: "run1", Buggy: true, Findings: Findings{Found: true, Seen: true}}, {Run: "run2", Buggy: true}}))
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	assert.Equal(t, lines[0], "| metric | run1 | run2 | all | 95 % | floor |")
	assert.Equal(t, lines[1], "| --- | --- | --- | --- | --- | --- |")
	assert.Equal(t, lines[2], "| finding recall | 1/1 = 100 % | 0/1 = 0 % | 1/2 = 50 % | 9–91 % | 45 % |")
	for _, line := range lines {
		assert.Equal(t, strings.Count(line, "|"), 7, line)
	}
}

// TestPartsAreToldOfApart: changes of a difficulty and of a size stand in rows of
// their own, and a change that weakened tests alone cannot be proven.
func TestPartsAreToldOfApart(t *testing.T) {
	t.Parallel()
	found := Findings{Found: true, Proven: true, Posted: 1, True: 1}
	lines := metrics([]string{"run1"}, []Outcome{
		{Run: "run1", Buggy: true, Change: Change{Difficulty: "easy", Language: "Go", Lines: 20, Size: 100}, Findings: found, Cost: Cost{Tokens: 1000, Micro: 3000}},
		{Run: "run1", Buggy: true, Change: Change{Difficulty: "hard", Language: "Python", Lines: 21, Size: 200}, Cost: Cost{Tokens: 500, Micro: 1500}},
		{Run: "run1", Buggy: true, Change: Change{Difficulty: "hard", Lines: 30, TestsOnly: true}, Findings: found},
		{Run: "run1", Change: Change{Language: "Go", Lines: 700}},
	})
	got := map[string]string{}
	for _, line := range lines {
		got[line[0]] = line[2]
	}
	for name, want := range map[string]string{
		"proven rate": "1/2 = 50 %", "easy: proven rate": "1/1 = 100 %", "hard: finding recall": "1/2 = 50 %", "hard: proven rate": "0/1 = 0 %",
		"weakened tests alone: finding recall": "1/1 = 100 %", "tokens per token of the diff": "1500/300 = 5.00",
		"diffs of 1 to 20 lines: tokens per change": "1000/1 = 1000.00", "diffs of 21 to 100 lines: tokens per token of the diff": "500/200 = 2.50",
		"diffs of 601 lines and more: finding recall": "–", "medium: finding recall": "",
		"Go: finding recall": "1/1 = 100 %", "Python: finding recall": "0/1 = 0 %", "JavaScript and TypeScript: finding recall": "",
		"Go: findings per clean change": "0/1 = 0.00",
		"USD":                           "0.0045", "USD per change": "0.0011", "USD per posted finding": "0.0022", "USD per kept test": "–",
	} {
		assert.Equal(t, got[name], want, name)
	}
}
