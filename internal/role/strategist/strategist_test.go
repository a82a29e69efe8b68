package strategist

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/outline"
)

func changed(n int, dirs ...string) qa.Change {
	var c qa.Change
	for i := range n {
		c.Files = append(c.Files, qa.FileChange{
			Path: fmt.Sprintf("%s/f%d.go", dirs[i%len(dirs)], i), Kind: qa.KindSource, Status: qa.Modified, Added: []qa.Range{{Start: 1, End: 5}},
		})
	}
	return c
}

func severe(n int, s qa.Severity) (out []qa.Finding) {
	for i := range n {
		out = append(out, qa.Finding{ID: fmt.Sprintf("SCOUT-ISSUE-%d", i+1), Path: "a/b/f0.go", Lines: qa.Range{Start: 2, End: 2}, Severity: s, Evidence: qa.Corroborated, Status: qa.StatusNew})
	}
	return out
}

func TestDepthOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		change qa.Change
		want   config.Depth
	}{
		{changed(3, "a/b"), config.Targeted},
		{changed(3, "a/b", "a/c"), config.Standard},
		{changed(4, "a/b/x", "a/b/y"), config.Standard},
		{changed(10, "a", "b", "c"), config.Standard},
		{changed(11, "a"), config.Comprehensive},
		{changed(4, "a", "b", "c", "d"), config.Comprehensive},
	} {
		if got := DepthOf(c.change, false); got != c.want {
			t.Errorf("%d files: got %s, want %s", len(c.change.Files), got, c.want)
		}
	}
}

func TestLayerSelection(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in   Input
		want string
	}{
		"nothing":             {Input{Depth: config.Standard}, ""},
		"one file":            {Input{Change: changed(1, "a"), Depth: config.Standard}, "L1"},
		"three files":         {Input{Change: changed(3, "a"), Depth: config.Standard}, "L1 L2"},
		"critical finding":    {Input{Change: changed(1, "a"), Findings: severe(1, qa.Critical), Depth: config.Standard}, "L1 L2"},
		"targeted is L1":      {Input{Change: changed(3, "a"), Findings: severe(3, qa.Critical), Depth: config.Targeted, E2E: true}, "L1"},
		"three high, no e2e":  {Input{Change: changed(1, "a"), Findings: severe(3, qa.High), Depth: config.Standard}, "L1"},
		"three high with e2e": {Input{Change: changed(1, "a"), Findings: severe(3, qa.High), Depth: config.Standard, E2E: true}, "L1 L3"},
		"findings only":       {Input{Findings: severe(1, qa.Low), Depth: config.Standard}, "L1"},
		"comprehensive, e2e":  {Input{Change: changed(12, "a"), Depth: config.Comprehensive, E2E: true}, "L1 L2 L3"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, l := range Plan(c.in).Layers {
				if l.Selected {
					got = append(got, string(l.Layer))
				} else if l.Rationale == "" {
					t.Errorf("%s is not selected without a reason", l.Layer)
				}
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("got %v, want %s", got, c.want)
			}
		})
	}
}

func TestFocusIsOrderedByRiskAndLeavesOutUntouchedFunctions(t *testing.T) {
	t.Parallel()
	in := Input{
		Change: qa.Change{Files: []qa.FileChange{{Path: "a.go", Kind: qa.KindSource, Added: []qa.Range{{Start: 2, End: 4}, {Start: 22, End: 23}}}}},
		Outlines: map[string]qa.Outline{"a.go": {Functions: []qa.Function{
			{Name: "Covered", Lines: qa.Range{Start: 1, End: 10}, Complexity: 1, Exported: true},
			{Name: "Untouched", Lines: qa.Range{Start: 11, End: 19}, Complexity: 30},
			{Name: "Outer", Lines: qa.Range{Start: 20, End: 40}, Complexity: 2},
			{Name: "Outer.inner", Lines: qa.Range{Start: 21, End: 25}, Complexity: 3},
		}}},
		Patch:    &qa.PatchCoverage{Missing: []qa.Missing{{Path: "a.go", Ranges: []qa.Range{{Start: 22, End: 23}}}}},
		Findings: []qa.Finding{{ID: "SCOUT-ISSUE-1", Path: "a.go", Lines: qa.Range{Start: 23, End: 23}, Severity: qa.Critical, Evidence: qa.Corroborated, Status: qa.StatusNew}},
		Depth:    config.Standard, FanIn: func(string) int { return 20 },
	}
	s := Plan(in)
	var names []string
	for _, f := range s.Focus {
		names = append(names, f.Symbol)
	}
	if !slices.Equal(names, []string{"Outer.inner", "Covered"}) {
		t.Fatalf("focus is %v", names)
	}
	if got, want := s.Focus[0].Risk, 40*0.2+30+15*2.0/15+10; got != want {
		t.Errorf("risk %v, want %v (%v)", got, want, s.Focus[0].Reasons)
	}
	if !slices.Equal(s.PriorityIssues, []string{"SCOUT-ISSUE-1"}) {
		t.Errorf("priority issues %v", s.PriorityIssues)
	}
}

// A defect outside of functions is a matter of those that use its lines: of the
// changed ones where there are some, else they come into focus for it.
func TestFocusOfFindingsOutsideOfFunctions(t *testing.T) {
	t.Parallel()
	reads := qa.Function{Name: "Reads", Lines: qa.Range{Start: 5, End: 8}, Complexity: 1}
	other := qa.Function{Name: "Other", Lines: qa.Range{Start: 1, End: 4}, Complexity: 1}
	changed := qa.Function{Name: "Changed", Lines: qa.Range{Start: 10, End: 12}, Complexity: 1}
	for name, c := range map[string]struct {
		users    []outline.Caller
		severity qa.Severity
		want     []string
	}{
		"none changed":       {[]outline.Caller{{Path: "a.go", Function: reads}, {Path: "b.go", Function: other}, {Path: "c.go", Function: other}}, qa.High, []string{"a.go Reads 1", "b.go Other 1", "a.go Changed 0"}},
		"one changed":        {[]outline.Caller{{Path: "a.go", Function: changed}, {Path: "a.go", Function: reads}}, qa.High, []string{"a.go Changed 1"}},
		"nobody uses it":     {nil, qa.High, []string{"a.go Changed 0"}},
		"of too low a grade": {[]outline.Caller{{Path: "a.go", Function: reads}}, qa.Low, []string{"a.go Changed 0"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := Plan(Input{
				Change:   qa.Change{Files: []qa.FileChange{{Path: "a.go", Kind: qa.KindSource, Added: []qa.Range{{Start: 2, End: 2}, {Start: 11, End: 11}}}}},
				Outlines: map[string]qa.Outline{"a.go": {Functions: []qa.Function{reads, changed}}},
				Findings: []qa.Finding{{ID: "F1", Path: "a.go", Lines: qa.Range{Start: 2, End: 2}, Severity: c.severity, Perspectives: []qa.Perspective{qa.Bug}, Evidence: qa.Corroborated, Status: qa.StatusNew}},
				Depth:    config.Standard, Users: func(qa.Finding) []outline.Caller { return c.users },
			})
			var got []string
			for _, f := range s.Focus {
				got = append(got, fmt.Sprintf("%s %s %d", f.Path, f.Symbol, len(f.Findings)))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("focus %q, want %q", got, c.want)
			}
		})
	}
}

func TestLearn(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"src/a.test.ts":      "import { a } from './a'\ndescribe('a', () => {\n  it('x', () => { expect(a).toBe(1) })\n})\n",
		"src/b.test.ts":      "import { b } from './b'\ndescribe('b', () => {\n  it('x', () => { expect(b).toBe(1) })\n})\n",
		"test/e2e.spec.ts":   "test('x', () => {})\n",
		"src/gone.test.ts":   "",
		"src/deep/c.test.ts": "import { c } from './c'\n it('x', () => { expect(c).toBe(1) })\n",
	}
	read := func(p string) ([]byte, error) {
		if p == "src/gone.test.ts" {
			return nil, os.ErrNotExist
		}
		return []byte(files[p]), nil
	}
	tests := []string{"src/a.test.ts", "src/b.test.ts", "src/deep/c.test.ts", "src/gone.test.ts", "test/e2e.spec.ts"}
	c := Learn("vitest", "3.2.4", tests, []string{"src/b.ts"}, read)
	if c.Location != "beside the source" || c.Naming != "{name}.test.ts" || c.Examples[0] != "src/b.test.ts" {
		t.Errorf("got %+v", c)
	}
	if want := []string{"describe/it blocks", "ES module imports", "expect assertions"}; !slices.Equal(c.Style, want) {
		t.Errorf("style %v, want %v", c.Style, want)
	}
}
