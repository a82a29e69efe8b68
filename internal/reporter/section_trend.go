package reporter

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// trend is the development over the last runs, as text and as a chart.
func (p page) trend() section {
	t := p.r.Trend
	if len(t.Points) < 2 {
		return section{}
	}
	s := section{title: "trend", rank: 7}
	start, end := p.fold("Trend: " + attribute(strings.ReplaceAll(t.Direction, "_", " "), 40) + lately(t.Points))
	last := t.Points[max(0, len(t.Points)-trendPoints):]
	s.open = start + fmt.Sprintf("%s, confidence %s.", wording.Count(len(last), "run"), orUnknown(prose(t.Confidence, 20)))
	unknown := 0
	for _, pt := range last {
		if pt.Score == nil || pt.Coverage == nil {
			unknown++
		}
	}
	if unknown > 0 {
		s.open += fmt.Sprintf(" What %s did not measure is drawn like the run beside it.", verb(unknown, "of them", "of them"))
	}
	s.open += "\n\n" + "```mermaid\n" + mermaid(last) + "```\n" + end
	return s
}

// lately is what the direction stands on: coverage of the last two runs that
// know it.
func lately(points []qa.TrendPoint) string {
	var known []string
	for _, pt := range points {
		if pt.Coverage != nil {
			known = append(known, hundredths(basis(*pt.Coverage)))
		}
	}
	if len(known) < 2 {
		return ""
	}
	return fmt.Sprintf(", coverage %s → %s %%", known[len(known)-2], known[len(known)-1])
}

// trendPoints is how many runs a chart shows.
const trendPoints = 30

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
			coverage = hundredths(basis(*pt.Coverage))
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
