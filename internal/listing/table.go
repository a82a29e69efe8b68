package listing

import (
	"math"

	"github.com/org/qa-action/internal/qa"
)

// Table is how much of each file is covered, and no more of it: there may be hundreds of
// thousands.
type Table struct {
	pages [][]row
}

// row is a file and how much of it is covered, by the counts below.
type row struct {
	path  string
	parts [3]struct{ covered, total uint32 }
}

// unknown is the total of what the format cannot give.
const unknown = math.MaxUint32

// The counts of a row.
const (
	lines = iota
	branches
	functions
)

// Add adds a file.
func (t *Table) Add(f *qa.FileCoverage) {
	const page = 1024
	last := len(t.pages) - 1
	if last < 0 || len(t.pages[last]) == page {
		t.pages = append(t.pages, make([]row, 0, page))
		last++
	}
	r := row{path: f.Path}
	for i, c := range []*qa.Count{lines: f.LineCount, branches: f.Branches, functions: f.Functions} {
		r.parts[i].total = unknown
		if c != nil {
			r.parts[i].covered, r.parts[i].total = uint32(c.Covered), uint32(c.Total) //nolint:gosec // a report has no more
		}
	}
	t.pages[last] = append(t.pages[last], r)
}

// addAll adds those files that were not given one by one.
func (t *Table) addAll(cov *qa.Coverage) {
	for i := range cov.Files {
		t.Add(&cov.Files[i])
	}
}

// each goes through the rows.
func (t *Table) each(use func(r *row)) {
	for _, page := range t.pages {
		for i := range page {
			use(&page[i])
		}
	}
}

// count is one of a row, nil where the format cannot give it.
func (r *row) count(i int) *qa.Count {
	if r.parts[i].total == unknown {
		return nil
	}
	return &qa.Count{Covered: int(r.parts[i].covered), Total: int(r.parts[i].total)}
}
