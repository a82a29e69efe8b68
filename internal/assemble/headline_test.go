package assemble

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/qa"
)

// afterTwo is a test merge whose base has put two lines in front of a.go, taken
// head's a.go line 5 away, and renamed old.go.
func afterTwo(path string, line int) (string, int, bool) {
	switch {
	case path == "old.go":
		return "new.go", line, true
	case path == "gone.go":
		return "", 0, false
	case path != "a.go":
		return path, line, true
	case line <= 2:
		return "", 0, false
	case line >= 7:
		return path, line - 1, true
	}
	return path, line - 2, true
}

func lines(from, to int) qa.Range { return qa.Range{Start: from, End: to} }

func TestLinesOfTheTestMergeAreThoseOfHead(t *testing.T) {
	t.Parallel()
	before := func() *qa.Report {
		return &qa.Report{
			Change: qa.Change{Files: []qa.FileChange{{Path: "a.go", Added: []qa.Range{lines(3, 8)}, Gaps: []int{0, 1, 4}}}},
			Findings: []qa.Finding{
				{Path: "a.go", Lines: lines(3, 4)}, {Path: "a.go", Lines: lines(1, 3)}, {Path: "a.go", Lines: lines(1, 2)},
				{Path: "b.go", Lines: lines(9, 9)}, {Path: "old.go", Lines: lines(2, 2)}, {Path: "a.go"},
				{Path: "a.go", Lines: lines(3, 3), Fix: &qa.Fix{Lines: lines(3, 5)}}, {Path: "a.go", Lines: lines(6, 6), Fix: &qa.Fix{Lines: lines(6, 7)}},
				{Path: "a.go", Lines: lines(2, 3), Fix: &qa.Fix{Lines: lines(2, 3)}},
			},
			Tests: qa.Tests{Failing: []qa.FailingTest{{Case: qa.Case{File: "a.go", Line: 4}}, {Case: qa.Case{Name: "nowhere"}}}},
			Coverage: qa.CoverageReport{
				Files: []qa.FileRow{{Path: "a.go", Missing: []qa.Range{lines(1, 4)}, Covered: []qa.Range{lines(6, 7)}, Partial: []qa.Range{lines(2, 2)}}},
				Patch: &qa.PatchCoverage{Missing: []qa.Missing{{Path: "a.go", Ranges: []qa.Range{lines(1, 4)}}, {Path: "b.go", Ranges: []qa.Range{lines(1, 4)}}}},
			},
		}
	}
	p := before()
	patch := p.Coverage.Patch
	measured := HeadLine(afterTwo).toHead(p)
	want := before()
	want.Change.Files[0].Added, want.Change.Files[0].Gaps = []qa.Range{lines(1, 4), lines(6, 7)}, []int{0, 2}
	for i, f := range []qa.Finding{{Path: "a.go", Lines: lines(1, 2)}, {Path: "a.go", Lines: lines(1, 1)}, {Path: "a.go"},
		{Path: "b.go", Lines: lines(9, 9)}, {Path: "new.go", Lines: lines(2, 2)}, {Path: "a.go"},
		{Path: "a.go", Lines: lines(1, 1), Fix: &qa.Fix{Lines: lines(1, 3)}}, {Path: "a.go", Lines: lines(4, 4)}, {Path: "a.go", Lines: lines(1, 1)}} {
		want.Findings[i] = f
	}
	want.Tests.Failing[0].Case.Line = 2
	row := &want.Coverage.Files[0]
	row.Missing, row.Covered, row.Partial = []qa.Range{lines(1, 2)}, []qa.Range{lines(4, 4), lines(6, 6)}, nil
	want.Coverage.Patch.Missing[0].Ranges = []qa.Range{lines(1, 2)}
	if diff := cmp.Diff(want, p); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(before().Coverage.Patch, patch); diff != "" {
		t.Errorf("the measurement was changed: %s", diff)
	}
	if diff := cmp.Diff(before().Findings, onMeasured(p, measured).Findings); diff != "" {
		t.Error(diff)
	}
	same := before()
	HeadLine(nil).toHead(same)
	if diff := cmp.Diff(before(), same); diff != "" {
		t.Error(diff)
	}
}
