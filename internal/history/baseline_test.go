package history

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/qa"
)

func TestBaselineOfAReport(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff(Baseline{SHA: "c"}, BaselineOf(qa.Report{Change: qa.Change{Head: "c"}})); diff != "" {
		t.Errorf("nothing measured: %s", diff)
	}
	r := qa.Report{Change: qa.Change{Head: "c"}}
	r.Tests.Head = qa.Tally{Tests: 2, Passed: 1, Failed: 1}
	r.Tests.Failing = []qa.FailingTest{{Case: qa.Case{Suite: "s", Name: "x"}}}
	r.Coverage.Head = &qa.Coverage{Lines: &qa.Count{Covered: 1, Total: 2}}
	for i := range maxBaselineFiles + 1 {
		r.Coverage.Head.Files = append(r.Coverage.Head.Files, qa.FileCoverage{Path: fmt.Sprintf("%05d", i), LineCount: &qa.Count{Covered: 1, Total: 2}})
	}
	b := BaselineOf(r)
	if !b.Cut || len(b.Files) != maxBaselineFiles || b.Tests.Failed != 1 || b.Failing[0] != "s > x" || b.Lines.Total != 2 {
		t.Errorf("cut %t, %d files, %+v", b.Cut, len(b.Files), b.Tests)
	}
}

func TestFirst(t *testing.T) {
	t.Parallel()
	source := func(name string, b *Baseline, err error) Source {
		return Source{Name: name, Find: func(context.Context) (*Baseline, error) { return b, err }}
	}
	ancestors := []string{"base", "older", "oldest"}
	for name, tc := range map[string]struct {
		sources []Source
		want    qa.BaselineSource
	}{
		"first":   {[]Source{source("check-run", &Baseline{SHA: "base"}, nil)}, qa.BaselineSource{Kind: "check-run", SHA: "base"}},
		"behind":  {[]Source{source("check-run", nil, nil), source("cache", &Baseline{SHA: "oldest"}, nil)}, qa.BaselineSource{Kind: "cache", SHA: "oldest", Behind: 2, Reason: "check-run: has none"}},
		"foreign": {[]Source{source("cache", &Baseline{SHA: "0123456789"}, nil), source("history", &Baseline{SHA: "older"}, nil)}, qa.BaselineSource{Kind: "history", SHA: "older", Behind: 1, Reason: "cache: commit 0123456 is not before the change"}},
		"none":    {[]Source{source("check-run", nil, errors.New("403")), source("history", nil, nil)}, qa.BaselineSource{Kind: "none", Reason: "check-run: 403; history: has none"}},
	} {
		b, got := First(t.Context(), ancestors, tc.sources)
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if (b == nil) != (got.Kind == "none") {
			t.Errorf("%s: baseline %v", name, b)
		}
	}
}

func TestBooksFindTheNearestBaseline(t *testing.T) {
	t.Parallel()
	b := New()
	for i := range maxBaselines + 5 {
		r := ran(fmt.Sprint(i), fmt.Sprint("c", i), noon)
		r.Baseline = &Baseline{SHA: r.SHA}
		b.Record(r)
	}
	again := ran("again", "c20", noon)
	again.Baseline = &Baseline{SHA: "c20", Cut: true}
	b.Record(again)
	if len(b.Baselines) != maxBaselines {
		t.Errorf("%d baselines", len(b.Baselines))
	}
	if got := b.Baseline([]string{"x", "c20", "c34"}, ""); got == nil || got.SHA != "c20" || !got.Cut {
		t.Errorf("got %+v", got)
	}
	if got := b.Baseline([]string{"c1"}, ""); got != nil {
		t.Errorf("a dropped baseline is found: %+v", got)
	}
}

// A large suite keeps the names of its tests and files for the newest commits, which
// changes are compared with: else each change would run base again.
func TestTheNewestBaselinesAreWhole(t *testing.T) {
	t.Parallel()
	names := make([]string, maxOlderTests+1)
	files := map[string]qa.Count{}
	for i := range maxOlderFiles + 1 {
		files[fmt.Sprint(i)] = qa.Count{Covered: 1, Total: 1}
	}
	opened := make([]string, maxOlderFiles+1)
	b := New()
	for i := range maxNewest + 1 {
		r := ran(fmt.Sprint(i), fmt.Sprint("c", i), noon)
		of := Baseline{SHA: r.SHA, Files: files, Opened: opened, Whole: true, Suites: map[string]Suite{".": {Key: "k", Passed: names}}}.Bounded()
		r.Baseline = &of
		b.Record(r)
	}
	for i, got := range b.Baselines {
		if whole := i > 0; got.Cut == whole || got.Whole != whole || (got.Files != nil) != whole || (got.Suites != nil) != whole || (got.Opened != nil) != whole {
			t.Errorf("commit %d of %d: cut %t, whole %t, %d files, %d suites", i, maxNewest+1, got.Cut, got.Whole, len(got.Files), len(got.Suites))
		}
	}
}

func TestBaselinesOfScopesAreApart(t *testing.T) {
	t.Parallel()
	b := New()
	for i, scope := range []string{"", "packages/web"} {
		r := ran(fmt.Sprint(i), "c", noon)
		r.Baseline = &Baseline{SHA: "c", Scope: scope, Tests: &qa.Tally{Tests: i}}
		b.Record(r)
	}
	if got := b.Baseline([]string{"c"}, "packages/web"); got == nil || got.Tests.Tests != 1 {
		t.Errorf("got %+v", got)
	}
	if got := b.Baseline([]string{"c"}, "packages/api"); got != nil {
		t.Errorf("got %+v", got)
	}
}

func TestSuitesReadBackEqual(t *testing.T) {
	t.Parallel()
	cases := []qa.Case{test("a", qa.Passed, 1), test("b", qa.Errored, 1), test("c", qa.Skipped, 0), test("d", qa.Flaky, 1), test("e", qa.Failed, 1)}
	s := SuiteOf(cases)
	want := Suite{Passed: []string{"s > a"}, Failed: []string{"s > b", "s > e"}, Skipped: []string{"s > c"}, Flaky: []string{"s > d"}}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want, SuiteOf(s.Cases())); diff != "" {
		t.Error(diff)
	}
	many := Baseline{Suites: map[string]Suite{".": {Passed: make([]string, maxBaselineTests)}, "web": {Skipped: []string{"x"}}}}
	if got := many.Bounded(); got.Suites != nil || !got.Cut {
		t.Errorf("%d suites", len(got.Suites))
	}
}
