package generator

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
	"github.com/org/qa-action/internal/source/mutant"
	"github.com/org/qa-action/internal/wording"
)

// seen are the lines of a file as a question has them: what is shown has no numbers, so
// that a line is named by its text, and where that stands more than once by its place
// among the equal ones.
type seen struct {
	lines []string
	shown []bool
}

func shownLines(file related.Side) seen {
	out := seen{lines: strings.Split(file.Source, "\n")}
	for _, row := range file.Rows() {
		out.shown = append(out.shown, row != "")
	}
	return out
}

func (s seen) text(n int) string {
	if n < 1 || n > len(s.lines) {
		return ""
	}
	return strings.TrimSpace(s.lines[n-1])
}

// which says which of the equal lines that are shown of a range one is; empty where there
// is no other.
func (s seen) which(n int, within qa.Range) string {
	all, at := 0, 0
	for i := max(1, within.Start); i <= min(within.End, len(s.lines)); i++ {
		if i <= len(s.shown) && (s.shown[i-1] || i == n) && s.text(i) == s.text(n) {
			if all++; i <= n {
				at = all
			}
		}
	}
	if all < 2 || !within.Contains(n) {
		return ""
	}
	return fmt.Sprintf(", no. %d of %d such lines", at, all)
}

// wrong tells a mutant by the line that it is in. A line that has the original more than
// once is told as the mutant leaves it.
func wrong(m mutant.Mutant, s seen, within qa.Range) string {
	whole, line := "", wording.Cut(s.text(m.Line), shownLine)
	if m.Line <= len(s.lines) {
		whole = s.lines[m.Line-1]
	}
	which := s.which(m.Line, within)
	if which != "" {
		which += ","
	}
	from, to := m.Column-1, m.Column-1+len(m.Original)
	if strings.Count(whole, m.Original) > 1 && from >= 0 && to <= len(whole) && whole[from:to] == m.Original {
		return fmt.Sprintf("%s%s becomes %s", line, which, wording.Cut(strings.TrimSpace(whole[:from]+m.Replacement+whole[to:]), shownLine))
	}
	if m.Original == strings.TrimSuffix(line, ";") {
		return fmt.Sprintf("%s%s becomes %s", line, which, m.Replacement)
	}
	return fmt.Sprintf("%s%s with %s in place of %s", line, which, cmp.Or(m.Replacement, "nothing"), m.Original)
}

// placed is what a finding quotes of a file, with which of the equal lines its first one
// is where none of them stands there once.
func (s seen) placed(found qa.Finding, function qa.Range) string {
	within := function
	if !within.Contains(found.Lines.Start) {
		within = qa.Range{Start: 1, End: len(s.lines)}
	}
	lines, first, which := strings.Split(found.Quote, "\n"), -1, ""
	at := found.Lines.Start - 1
	for i, line := range lines {
		text := strings.TrimSpace(line)
		if text == "" {
			continue
		}
		for at++; at <= found.Lines.End && s.text(at) != text; at++ {
		}
		one := s.which(at, within)
		if at > found.Lines.End || one == "" {
			return found.Quote
		}
		if first < 0 {
			first, which = i, one
		}
	}
	if first >= 0 {
		lines[first] = wording.Cut(strings.TrimSpace(lines[first]), shownLine-len(which)) + which
	}
	return strings.Join(lines, "\n")
}

// quote is the code that a finding is about: of one about lines that are gone these, and
// not what stands in their place now.
func (w Writer) quote(ctx context.Context, found qa.Finding) string {
	file, changed := w.Change.File(found.Path)
	if !changed || slices.ContainsFunc(file.Added, found.Lines.Overlaps) {
		return found.Quote
	}
	src, err := w.Read(found.Path)
	before := w.Before(ctx, file)
	if err != nil || before == nil {
		return found.Quote
	}
	var gone []string
	for _, g := range change.Removed(before, src) {
		if g.At >= found.Lines.Start && g.At <= found.Lines.End+1 {
			gone = append(gone, each.Of(g.Lines, func(line string) string { return "- " + strings.TrimSpace(line) })...)
		}
	}
	return cmp.Or(strings.Join(gone, "\n"), found.Quote)
}
