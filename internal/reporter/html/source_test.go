package html

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

func TestAnnotatedSource(t *testing.T) {
	t.Parallel()
	text := ""
	for i := 1; i <= 40; i++ {
		text += fmt.Sprintf("line %d\n", i)
	}
	change := qa.FileChange{Path: "a.go", Status: qa.Modified, Kind: qa.KindSource, Added: []qa.Range{{Start: 10, End: 11}}}
	row := qa.FileRow{Path: "a.go", Covered: []qa.Range{{Start: 10, End: 10}}, Missing: []qa.Range{{Start: 11, End: 11}}}
	r := &qa.Report{Change: qa.Change{Files: []qa.FileChange{change}}, Coverage: qa.CoverageReport{Files: []qa.FileRow{row}},
		Findings: []qa.Finding{{Path: "a.go", Lines: qa.Range{Start: 30, End: 31}, Status: qa.StatusNew, Message: "m"}}}
	files, note := sourceFiles(r, func(string) ([]byte, error) { return []byte(text), nil })
	assert.Equal(t, note, "")
	var got []string
	for _, row := range files[0].Rows {
		switch {
		case row.Gap > 0:
			got = append(got, fmt.Sprintf("gap %d", row.Gap))
		case row.Changed || len(row.Findings) > 0:
			got = append(got, fmt.Sprintf("%d %s %d", row.Number, row.State, len(row.Findings)))
		}
	}
	assert.DeepEqual(t, got, []string{"gap 6", "10 covered 0", "11 missed 0", "gap 12", "30  1", "gap 7"})

	_, note = sourceFiles(r, nil)
	assert.Equal(t, note, "The source was not at hand when this page was made.")
	for want, read := range map[string]func(string) ([]byte, error){
		"could not be read": func(string) ([]byte, error) { return nil, errors.New("gone") },
		"is binary":         func(string) ([]byte, error) { return []byte("a\x00b"), nil },
		"2097153 bytes":     func(string) ([]byte, error) { return make([]byte, sourceBytes+1), nil },
	} {
		files, _ := sourceFiles(r, read)
		assert.Assert(t, strings.Contains(files[0].Note, want), files[0].Note)
	}
}

// TestAnnotatedSourceIsBounded: a change of everything ends in a page, and the
// page says what it does not show.
func TestAnnotatedSourceIsBounded(t *testing.T) {
	t.Parallel()
	r := &qa.Report{}
	for i := range 30 {
		r.Change.Files = append(r.Change.Files, qa.FileChange{Path: fmt.Sprintf("f%d.go", i), Status: qa.Added, Kind: qa.KindSource, Added: []qa.Range{{Start: 1, End: 5000}}})
	}
	files, note := sourceFiles(r, func(string) ([]byte, error) { return []byte(strings.Repeat("x\n", 5000)), nil })
	rows := 0
	for _, f := range files {
		rows += len(f.Rows)
		assert.Assert(t, strings.Contains(f.Note, " of 5000 shown"), f.Note)
	}
	assert.Assert(t, rows <= sourceRows)
	assert.Equal(t, note, "8 of 30 changed files shown; the others are too much for one page.")
}

func TestTrendHasGaps(t *testing.T) {
	t.Parallel()
	score := func(n int) *int { return &n }
	c := newTrendChart(qa.Trend{Points: []qa.TrendPoint{{Score: score(0)}, {Score: score(50)}, {}, {Score: score(100)}}})
	assert.DeepEqual(t, c.Score.Paths, []string{"M40.0 176.0L234.7 96.0", "M624.0 16.0"})
	assert.Equal(t, len(c.Score.Dots), 3)
	assert.Equal(t, len(c.Coverage.Dots), 0)
	assert.Assert(t, newTrendChart(qa.Trend{Points: make([]qa.TrendPoint, 1)}) == nil)
}

func TestTimelineKeepsWaves(t *testing.T) {
	t.Parallel()
	tl := newTimeline([]qa.TaskRow{{ID: "B", Wave: 2, Start: 10, Seconds: 10}, {ID: "A", Wave: 1, Seconds: 10}, {ID: "C", Wave: 2, Start: 10, Seconds: 0}})
	var ids []string
	for _, b := range tl.Bars {
		ids = append(ids, fmt.Sprintf("%s %v %.0f+%.0f", b.Task.ID, b.First, b.X, b.Width))
	}
	assert.DeepEqual(t, ids, []string{"A true 190+280", "B true 470+280", "C false 470+3"})
	assert.Equal(t, tl.Total, "20 s")
}
