package scout

import (
	"strings"

	"github.com/org/qa-action/internal/related"
)

// maxExcerpt is how many characters one piece has; a longer excerpt is shown in several.
const maxExcerpt = 60000

// marked shows a file as the change made it, or the piece of it that is asked about.
func marked(f shownFile) string { return related.Joined(f.rows(), f.holds) }

// rows are the lines of the file as they are shown; a deleted one is one row.
func (f shownFile) rows() []string {
	if f.Deleted {
		return []string{related.Gone(strings.Split(strings.TrimSuffix(f.Before, "\n"), "\n"))}
	}
	return f.Rows()
}
