package scout

import (
	"strings"

	"github.com/org/qa-action/internal/related"
)

// maxExcerpt is how many characters one piece has; a longer excerpt is shown in several.
const maxExcerpt = 60000

// marked shows a file as the change made it, or the piece of it that is asked about.
func marked(f shownFile) string { return related.Joined(f.rows(), f.holds) }

// deleted is what is shown of a deleted file, whose parts are lines before the change; all
// of it where there are none.
func (f shownFile) deleted() string {
	lines := strings.Split(strings.TrimSuffix(f.Before, "\n"), "\n")
	if len(f.Whole) == 0 {
		return related.Gone(lines)
	}
	var out strings.Builder
	last := 0
	for _, r := range f.Whole {
		if r.Start > len(lines) {
			break
		}
		if r.Start > last+1 {
			out.WriteString("…\n")
		}
		out.WriteString(related.Gone(lines[r.Start-1 : min(r.End, len(lines))]))
		last = r.End
	}
	if last < len(lines) {
		out.WriteString("…\n")
	}
	return out.String()
}

// rows are the lines of the file as they are shown; a deleted one is one row.
func (f shownFile) rows() []string {
	if f.Deleted {
		return []string{f.deleted()}
	}
	return f.Rows()
}
