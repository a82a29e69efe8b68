package scout

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/qa"
)

// What of a file is shown: a short one whole; of a longer one its head and what
// is near the change or in a function that it touches.
const (
	wholeFile  = 160 // lines
	headLines  = 20
	nearChange = 12
)

// marked shows a file as the change made it, line by line: "+" before lines it
// wrote, "-" before lines it took away, which stand where they were.
func marked(f shownFile) string {
	lines := strings.Split(strings.TrimSuffix(f.Source, "\n"), "\n")
	gone := map[int][]string{}
	var touched []int
	if f.Before != "" {
		for _, g := range change.Removed([]byte(f.Before), []byte(f.Source)) {
			gone[g.At] = append(gone[g.At], g.Lines...)
			touched = append(touched, g.At)
		}
	}
	var b strings.Builder
	skipped := false
	for i, line := range lines {
		n := i + 1
		if len(lines) > wholeFile && !f.near(n, touched) {
			skipped = true
			continue
		}
		if skipped {
			b.WriteString("…\n")
			skipped = false
		}
		takenAway(&b, gone[n])
		mark := " "
		if written(f.Added, n, n) {
			mark = "+"
		}
		fmt.Fprintf(&b, "%s %s\n", mark, line)
	}
	if skipped {
		b.WriteString("…\n")
	}
	takenAway(&b, gone[len(lines)+1])
	return b.String()
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
