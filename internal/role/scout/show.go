package scout

import (
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
)

const (
	longLine   = 2000  // characters of a line of a large file
	maxExcerpt = 60000 // characters of one piece; a longer excerpt is shown in several
)

// marked shows a file as the change made it, or the piece of it that is asked about.
func marked(f shownFile) string { return related.Joined(f.rows(), f.holds) }

// rows are the lines of the file as they are shown; a deleted one is one row.
func (f shownFile) rows() []string {
	if f.Deleted {
		return []string{related.Gone(strings.Split(strings.TrimSuffix(f.Before, "\n"), "\n"))}
	}
	return f.Rows()
}

func written(added []qa.Range, from, to int) bool {
	return slices.ContainsFunc(added, func(r qa.Range) bool { return r.Overlaps(qa.Range{Start: from, End: to}) })
}
