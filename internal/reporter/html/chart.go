package html

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/extract"
	"github.com/org/qa-action/internal/reporter/number"
)

// trendChart is the geometry of score and coverage over the last runs, in the
// units of the drawing: 640 × 200 inside margins.
type trendChart struct {
	Direction, Confidence string
	Points                []qa.TrendPoint
	Score, Coverage       series
	Grid                  []gridLine
}

// series is one line of a chart; an unknown point is a gap, not a zero.
type series struct {
	Paths []string // "M x y L x y …", one per unbroken run
	Dots  []dot
}

type dot struct {
	X, Y  float64
	Label string
}

type gridLine struct {
	At    float64
	Label string
}

const (
	chartLeft, chartTop     = 40.0, 16.0
	chartWidth, chartHeight = 584.0, 160.0
)

func newTrendChart(t qa.Trend) *trendChart {
	if len(t.Points) < 2 {
		return nil
	}
	c := &trendChart{Direction: t.Direction, Confidence: t.Confidence, Points: t.Points[max(0, len(t.Points)-extract.TrendPoints):]}
	var scores, coverages []*float64
	for _, p := range c.Points {
		var score, coverage *float64
		if p.Score != nil {
			v := float64(*p.Score)
			score = &v
		}
		if p.Coverage != nil {
			v := *p.Coverage * 100
			coverage = &v
		}
		scores, coverages = append(scores, score), append(coverages, coverage)
	}
	c.Score = newSeries("score", "", scores)
	c.Coverage = newSeries("coverage", " %", coverages)
	for _, v := range []float64{0, 25, 50, 75, 100} {
		c.Grid = append(c.Grid, gridLine{At: chartY(v), Label: fmt.Sprint(v)})
	}
	return c
}

func newSeries(title, unit string, values []*float64) series {
	var s series
	var path strings.Builder
	end := func() {
		if path.Len() > 0 {
			s.Paths = append(s.Paths, path.String())
			path.Reset()
		}
	}
	for i, v := range values {
		if v == nil {
			end()
			continue
		}
		x := chartLeft + chartWidth*float64(i)/float64(max(len(values)-1, 1))
		y := chartY(*v)
		verb := "L"
		if path.Len() == 0 {
			verb = "M"
		}
		fmt.Fprintf(&path, "%s%.1f %.1f", verb, x, y)
		s.Dots = append(s.Dots, dot{X: x, Y: y, Label: fmt.Sprintf("run %d of %d: %s %s%s", i+1, len(values), title, number.Hundredths(int64(*v*100+1e-7)), unit)})
	}
	end()
	return s
}

func chartY(v float64) float64 { return chartTop + chartHeight*(1-min(max(v, 0), 100)/100) }

// timeline is the run's tasks as bars over time, in waves.
type timeline struct {
	Height, Bottom float64
	Bars           []bar
	Ticks          []gridLine
	Total          string
}

type bar struct {
	X, Y, Width float64
	TextX       float64
	End         bool // the text ends at TextX instead of starting there
	Task        qa.TaskRow
	Band        bool // every other wave is shaded
	First       bool // first task of its wave
}

const (
	timeLeft, timeWidth = 190.0, 560.0
	timeRow             = 26.0
)

func newTimeline(tasks []qa.TaskRow) *timeline {
	if len(tasks) == 0 {
		return nil
	}
	rows := slices.Clone(tasks)
	slices.SortStableFunc(rows, func(a, b qa.TaskRow) int { return cmp.Compare(a.Wave, b.Wave) })
	end := 0.0
	for _, t := range rows {
		end = max(end, t.Start+t.Seconds)
	}
	scale := timeWidth / max(end, 0.001)
	out := &timeline{Total: number.Duration(end)}
	for i, t := range rows {
		b := bar{X: timeLeft + max(t.Start, 0)*scale, Y: 8 + float64(i)*timeRow, Width: max(max(t.Seconds, 0)*scale, 3), Task: t, Band: t.Wave%2 == 0}
		b.First = i == 0 || rows[i-1].Wave != t.Wave
		b.TextX = b.X + b.Width + 6
		if b.TextX > timeLeft+timeWidth*0.7 {
			b.TextX, b.End = b.X-6, true
		}
		out.Bars = append(out.Bars, b)
	}
	out.Bottom = 8 + float64(len(rows))*timeRow
	out.Height = out.Bottom + 26
	for i := range 5 {
		part := float64(i) / 4
		out.Ticks = append(out.Ticks, gridLine{At: timeLeft + timeWidth*part, Label: number.Duration(end * part)})
	}
	return out
}
