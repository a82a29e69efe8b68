package extract

import (
	"fmt"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/number"
	"github.com/org/qa-action/internal/wording"
)

// Denominator accounts for every changed line, so that a high rate of few
// lines cannot pass for a high rate of all.
func Denominator(c *qa.PatchCoverage) string {
	text := fmt.Sprintf("%s = %d executable + %d test or non-code + %d excluded + %d unmapped",
		wording.Count(c.Changed, "changed line"), c.Lines.Total, c.NonCode, c.Excluded, c.UnmappedLines)
	if c.Branches != nil {
		text += "; branches on changed lines " + number.Fraction(*c.Branches)
	}
	return text + "."
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
	if l.Patch == nil && of != nil && of.Lines.Total == 0 {
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
	out := append([]qa.FileRow(nil), rows...)
	SortBy(out, func(f qa.FileRow) (int, string) { return -LineCount(f.Missing), f.Path })
	return out
}
