package scout

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// What of a file is shown: a short one whole; of a longer one its head and what
// is near the change or in a function that it touches.
const (
	wholeFile  = 160 // lines
	headLines  = 20
	nearChange = 12
	longLine   = 2000  // characters of a line of a large file
	maxExcerpt = 60000 // characters of one piece; a longer excerpt is shown in several
)

// marked shows a file as the change made it, line by line: "+" before lines it
// wrote, "-" before lines it took away, which stand where they were.
func marked(f shownFile) string {
	var b strings.Builder
	skipped := false
	rows := f.rows()
	for i, text := range rows {
		if text == "" || !f.holds(i+1) {
			skipped = skipped || text != "" || i+1 < len(rows)
			continue
		}
		if skipped {
			b.WriteString("…\n")
			skipped = false
		}
		b.WriteString(text)
	}
	if skipped {
		b.WriteString("…\n")
	}
	return b.String()
}

// rows are the lines of the file as they are shown, each below those that were taken
// away before it, and empty where it is not worth its tokens. The last one is what
// was taken away at the end.
func (f shownFile) rows() []string {
	if f.Deleted {
		var b strings.Builder
		takenAway(&b, strings.Split(strings.TrimSuffix(f.Before, "\n"), "\n"))
		return []string{b.String()}
	}
	lines := strings.Split(strings.TrimSuffix(f.Source, "\n"), "\n")
	gone := map[int][]string{}
	var touched []int
	if f.Before != "" {
		for _, g := range change.Removed([]byte(f.Before), []byte(f.Source)) {
			gone[g.At] = append(gone[g.At], g.Lines...)
			touched = append(touched, g.At)
		}
	}
	out := make([]string, 0, len(lines)+1)
	for i, line := range lines {
		n := i + 1
		if len(lines) > wholeFile && !f.near(n, touched) {
			out = append(out, "")
			continue
		}
		if len(f.Source) > largeFile {
			line = wording.Cut(line, longLine)
		}
		var b strings.Builder
		takenAway(&b, gone[n])
		mark := " "
		if written(f.Added, n, n) {
			mark = "+"
		}
		fmt.Fprintf(&b, "%s %s\n", mark, line)
		out = append(out, b.String())
	}
	var end strings.Builder
	takenAway(&end, gone[len(lines)+1])
	return append(out, end.String())
}

func takenAway(b *strings.Builder, lines []string) {
	for _, line := range lines {
		fmt.Fprintf(b, "- %s\n", line)
	}
}

// near reports whether a line of a long file is worth its tokens.
func (f shownFile) near(line int, touched []int) bool {
	return line <= headLines || written(f.Added, line-nearChange, line+nearChange) ||
		slices.ContainsFunc(f.Around, func(r qa.Range) bool { return r.Contains(line) }) ||
		slices.ContainsFunc(touched, func(at int) bool { return at >= line-nearChange && at <= line+nearChange })
}

func written(added []qa.Range, from, to int) bool {
	return slices.ContainsFunc(added, func(r qa.Range) bool { return r.Overlaps(qa.Range{Start: from, End: to}) })
}
