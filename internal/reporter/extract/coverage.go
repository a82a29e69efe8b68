package extract

import (
	"cmp"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/number"
	"github.com/org/qa-action/internal/wording"
)

// Patch is the patch coverage in words. Lines of files in no coverage report are not
// covered and not uncovered: nobody knows.
func Patch(c *qa.PatchCoverage) string {
	switch {
	case len(c.Unmapped) == 0:
		return number.Fraction(c.Lines)
	case c.Lines.Total == 0:
		return "unknown"
	}
	return number.Fraction(c.Lines) + " of the lines that are known"
}

// Denominator accounts for every changed line, so that a high rate of few
// lines cannot pass for a high rate of all.
func Denominator(c *qa.PatchCoverage) string {
	parts := []string{wording.Number(c.Lines.Total) + " executable"}
	for _, part := range []struct {
		n    int
		word string
	}{{c.NonCode, "test or non-code"}, {c.Excluded, "excluded"}, {c.UnmappedLines, "unmapped"}} {
		if part.n > 0 {
			parts = append(parts, wording.Number(part.n)+" "+part.word)
		}
	}
	text := wording.Count(c.Changed, "changed line") + " = " + strings.Join(parts, " + ")
	if c.Branches != nil && c.Branches.Total > 0 { // most lines have none
		text += "; branches on changed lines " + number.Fraction(*c.Branches)
	}
	return text + "."
}

// Gap is how grave it is that a changed file is covered no more than that; empty when
// it is covered well enough.
func Gap(c qa.Count) qa.Severity {
	switch {
	case c.Total <= 0 || c.Reaches(50):
		return ""
	case c.Reaches(20):
		return qa.High
	}
	return qa.Critical
}

func LineCount(ranges []qa.Range) int {
	n := 0
	for _, r := range ranges {
		n += r.Len()
	}
	return n
}

// LayerPatch is a layer's patch coverage; without an executable line in the
// change there is none to know.
func LayerPatch(l qa.LayerResult, of *qa.PatchCoverage) string {
	if l.Patch == nil && of != nil && of.Lines.Total == 0 && len(of.Unmapped) == 0 {
		return number.Fraction(of.Lines)
	}
	return number.FractionOf(l.Patch)
}

// LayerRate is the share of the layer's tests that passed, of all that ran: the
// layer's own rate holds only new failures against it.
func LayerRate(l qa.LayerResult) string {
	if l.Tally != nil {
		return number.RatePercent(l.Tally.PassRate())
	}
	return number.RatePercent(l.PassRate)
}

// FileRows puts files with most uncovered changed lines first.
func FileRows(rows []qa.FileRow) []qa.FileRow {
	return slices.SortedStableFunc(slices.Values(rows), func(a, b qa.FileRow) int {
		return cmp.Or(cmp.Compare(LineCount(b.Missing), LineCount(a.Missing)), cmp.Compare(a.Path, b.Path))
	})
}
