package markdown

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/escape"
	"github.com/org/qa-action/internal/reporter/extract"
	"github.com/org/qa-action/internal/reporter/fit"
	"github.com/org/qa-action/internal/reporter/number"
	"github.com/org/qa-action/internal/wording"
)

// trend is the development over the last runs, as text and as a chart.
func trendSection(p page) fit.Section {
	t := p.r.Trend
	if len(t.Points) < 2 {
		return fit.Section{}
	}
	s := fit.Section{Title: "trend", Rank: 7}
	start, end := p.fold("Trend: " + escape.Attribute(strings.ReplaceAll(t.Direction, "_", " "), 40) + extract.Lately(t.Points))
	last := t.Points[max(0, len(t.Points)-extract.TrendPoints):]
	s.Open = start + fmt.Sprintf("%s, confidence %s.", wording.Count(len(last), "run"), extract.OrUnknown(escape.Prose(t.Confidence, 20)))
	unknown := 0
	for _, pt := range last {
		if pt.Score == nil || pt.Coverage == nil {
			unknown++
		}
	}
	if unknown > 0 {
		s.Open += fmt.Sprintf(" What %s did not measure is drawn like the run beside it.", extract.Verb(unknown, "of them", "of them"))
	}
	s.Open += "\n\n" + "```mermaid\n" + mermaid(last) + "```\n" + end
	return s
}

// mermaid draws score and coverage. The chart language has no gaps: a point that
// is unknown repeats the one before it, or the first that is known, and a series
// that nothing is known of is left out.
func mermaid(points []qa.TrendPoint) string {
	var labels, scores, coverages []string
	for i, pt := range points {
		labels = append(labels, fmt.Sprint(i+1-len(points)))
		score, coverage := "", ""
		if pt.Score != nil {
			score = fmt.Sprint(*pt.Score)
		}
		if pt.Coverage != nil {
			coverage = number.Hundredths(number.Basis(*pt.Coverage))
		}
		scores, coverages = append(scores, score), append(coverages, coverage)
	}
	text := "xychart-beta\n  title \"Score (bars) and coverage in % (line)\"\n" +
		"  x-axis \"runs, 0 is this one\" [" + strings.Join(labels, ", ") + "]\n  y-axis \"0 to 100\" 0 --> 100\n"
	if filled(scores) {
		text += "  bar [" + strings.Join(scores, ", ") + "]\n"
	}
	if filled(coverages) {
		text += "  line [" + strings.Join(coverages, ", ") + "]\n"
	}
	return text
}

// filled puts a neighbour's value where there is none; false when there is no
// value at all.
func filled(values []string) bool {
	first := slices.IndexFunc(values, func(v string) bool { return v != "" })
	if first < 0 {
		return false
	}
	for i := range values {
		switch {
		case i < first:
			values[i] = values[first]
		case values[i] == "":
			values[i] = values[i-1]
		}
	}
	return true
}
