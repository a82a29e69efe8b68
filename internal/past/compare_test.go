package past

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/history"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/rooted"
)

func count(covered, total int) *qa.Count { return &qa.Count{Covered: covered, Total: total} }

func TestARememberedBaselineStandsInOnlyWhereNothingWasMeasured(t *testing.T) {
	t.Parallel()
	past := Memory{
		Baseline: &history.Baseline{SHA: "old", Lines: count(3, 4), Files: map[string]qa.Count{"was.go": {Covered: 1, Total: 2}}},
		Source:   qa.BaselineSource{Kind: "cache", SHA: "old", Behind: 2},
	}
	change := qa.Change{Files: []qa.FileChange{{Path: "a.go", OldPath: "was.go", Status: qa.Renamed}}}
	head := func() qa.CoverageReport {
		return qa.CoverageReport{Head: &qa.Coverage{Lines: count(1, 1)}, Files: []qa.FileRow{{Path: "a.go"}}}
	}
	measured := head()
	measured.BaseLines = count(9, 9)
	for name, c := range map[string]struct {
		past     Memory
		coverage qa.CoverageReport
		source   qa.BaselineSource
		want     qa.BaselineSource
		lines    *qa.Count
		file     *qa.Count
	}{
		"base was not run":     {past, head(), qa.BaselineSource{Kind: "none", Reason: "no time"}, qa.BaselineSource{Kind: "cache", SHA: "old", Behind: 2, Reason: "no time"}, count(3, 4), count(1, 2)},
		"base was measured":    {past, measured, qa.BaselineSource{Kind: "base-run", SHA: "b"}, qa.BaselineSource{Kind: "base-run", SHA: "b"}, count(9, 9), nil},
		"only failing on base": {past, head(), qa.BaselineSource{Kind: "base-run", SHA: "b"}, qa.BaselineSource{Kind: "cache", SHA: "old", Behind: 2, Reason: "coverage of base was not measured in this run"}, count(3, 4), count(1, 2)},
		"nothing remembered":   {Memory{Source: qa.BaselineSource{Kind: "none", Reason: "cache: has none"}}, head(), qa.BaselineSource{Kind: "none", Reason: "no time"}, qa.BaselineSource{Kind: "none", Reason: "no time; cache: has none"}, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &Reader{Change: change}
			p := &qa.Report{Coverage: c.coverage, Baseline: c.source}
			r.standIn(c.past, p)
			if diff := cmp.Diff([]any{c.want, c.lines, c.file}, []any{p.Baseline, p.Coverage.BaseLines, p.Coverage.Files[0].Base}); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTrendOfARun(t *testing.T) {
	t.Parallel()
	half := 0.5
	past := Memory{Points: []qa.TrendPoint{{SHA: "a", Coverage: &half}, {SHA: "head", Coverage: &half}}}
	for name, c := range map[string]struct {
		past   Memory
		lines  *qa.Count
		want   string
		points int
	}{
		"better":          {past, count(9, 10), "improving", 2},
		"worse":           {past, count(1, 10), "declining", 2},
		"unknown":         {past, nil, "insufficient_data", 2},
		"nothing to know": {Memory{}, count(9, 10), "insufficient_data", 0},
	} {
		p := &qa.Report{Change: qa.Change{Head: "head"}}
		if c.lines != nil {
			p.Coverage.Head = &qa.Coverage{Lines: c.lines}
		}
		c.past.trend(p)
		if p.Trend.Direction != c.want || len(p.Trend.Points) != c.points {
			t.Errorf("%s: got %s with %d points", name, p.Trend.Direction, len(p.Trend.Points))
		}
	}
}

// A finding that is not reported any more is fixed only when its code is gone
// or changed; the lines around it belong to it, layout does not.
func TestWhatCountsAsChangedCode(t *testing.T) {
	t.Parallel()
	old := "a\nb\nc\nd\nbad(x)\ne\nf\ng\nfar\n"
	for name, c := range map[string]struct {
		now   *string
		then  *string
		quote string
		want  bool
	}{
		"same":                       {&old, &old, "bad(x)", false},
		"moved and indented":         {ptr("new\n\n  a\n  b\n  c\n  d\n  bad(x)\n  e\n  f\n  g\n"), &old, "bad(x)", false},
		"guard in front":             {ptr("a\nb\nc\nif ok {\nbad(x)\n}\ne\nf\ng\n"), &old, "bad(x)", true},
		"change far away":            {ptr("z\nb\nc\nd\nbad(x)\ne\nf\ng\nnear\n"), &old, "bad(x)", false},
		"file is gone":               {nil, &old, "bad(x)", true},
		"force push, quote is there": {ptr("if ok { bad(x) }"), nil, "bad(x)", false},
		"force push, quote is gone":  {ptr("good(x)"), nil, "bad(x)", true},
		"force push, nothing known":  {ptr("good(x)"), nil, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			if c.now != nil {
				if err := os.WriteFile(filepath.Join(root, "a.go"), []byte(*c.now), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			r := &Reader{Read: func(path string) ([]byte, error) { return rooted.ReadIn(root, path, 1<<20) }, Content: func(_ context.Context, commit, path string) ([]byte, error) {
				if c.then == nil || commit != "seen" {
					return nil, fs.ErrNotExist
				}
				return []byte(*c.then), nil
			}}
			got := r.changed(history.Entry{Path: "a.go", Quote: c.quote, Lines: qa.Range{Start: 5, End: 5}, Seen: "seen"})
			if got != c.want {
				t.Errorf("changed %t", got)
			}
		})
	}
}

func ptr(s string) *string { return &s }
