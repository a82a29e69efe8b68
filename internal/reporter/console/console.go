// Package console renders a report for a terminal or a log.
package console

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"charm.land/lipgloss/v2/table"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/escape"
	"github.com/org/qa-action/internal/reporter/extract"
	"github.com/org/qa-action/internal/reporter/number"
	"github.com/org/qa-action/internal/reporter/sink"
)

// Render writes the result for a terminal or a log: verdict and gates,
// then what needs a person. Colours only with o.Colour; with o.CI the lines are
// not wrapped and the parts that need nobody are log groups, which CI folds.
func Render(w io.Writer, r *qa.Report, o sink.Options) error {
	c := console{r: r, o: o}
	c.head()
	c.gates()
	c.account()
	c.since()
	c.failing()
	c.problems()
	c.quarantine()
	c.moved()
	c.findings()
	c.coverage()
	c.generated()
	c.manifest()
	_, err := io.WriteString(w, c.b.String())
	return err
}

const (
	// consoleItems is how many entries of a list the console shows.
	consoleItems = 20
	// screen is how wide a table is, in columns.
	screen = 100
)

type console struct {
	r *qa.Report
	o sink.Options
	b strings.Builder
}

func (c *console) printf(format string, args ...any) { fmt.Fprintf(&c.b, format, args...) }

// paint colours s for a verdict or level word; without colour it is s.
func (c *console) paint(s, colour string, bold bool) string {
	if !c.o.Colour {
		return s
	}
	style := lipgloss.NewStyle().Bold(bold)
	if colour != "" {
		style = style.Foreground(lipgloss.Color(colour))
	}
	return style.Render(s)
}

// ANSI colours by number, so that the terminal's own palette decides.
const (
	red    = "1"
	green  = "2"
	yellow = "3"
	grey   = "8"
)

func verdictColour(v qa.Verdict) string {
	switch v {
	case qa.Pass:
		return green
	case qa.Fail:
		return red
	case qa.Conditional, qa.Inconclusive:
		return yellow
	}
	return grey
}

// part prints a titled part; print writes the body and is not called when n is
// 0. A log folds groups, so what needs a person is never one.
func (c *console) part(title string, n int, print func()) { c.titled(title, n, false, print) }

func (c *console) group(title string, n int, print func()) { c.titled(title, n, c.o.CI, print) }

func (c *console) titled(title string, n int, grouped bool, print func()) {
	if n == 0 {
		return
	}
	if grouped {
		c.printf("::group::%s\n", title)
		print()
		c.printf("::endgroup::\n")
		return
	}
	c.printf("\n%s\n", c.paint(title, "", true))
	print()
}

func (c *console) more(shown, all int, noun string) {
	if shown < all {
		c.printf("  … %d of %d %s shown; all of them are in the report files\n", shown, all, noun)
	}
}

func (c *console) head() {
	v := qa.Verdict(extract.Verdict(c.r.Result))
	c.printf("%s", c.paint("QA "+string(v), verdictColour(v), true))
	if reason := escape.Terminal(extract.Reason(c.r), 500); reason != "" {
		c.printf("  %s", reason)
	}
	c.printf("\n")
	for _, what := range extract.NotDone(c.r) {
		c.printf("%s %s\n", c.paint("not done:", yellow, true), escape.Terminal(what, 300))
	}
	if all := extract.Facts(c.r); len(all) > 0 {
		c.printf("%s\n", strings.ReplaceAll(strings.Join(all, " · "), "**", ""))
	}
	for _, step := range c.r.Next {
		c.printf("%s %s: %s\n", c.paint("next:", "", true), escape.Terminal(step.What, 120), escape.Terminal(step.Command, 300))
	}
	if c.r.Partial {
		c.printf("partial report: the run ended before all of its parts; what is missing is unknown, not passed\n")
	}
	if !c.r.Manifest.Model.Configured {
		c.printf("no model configured\n")
	} else {
		c.printf("%s\n", extract.ModelText(c.r, escape.Terminal))
	}
	for _, w := range slices.Concat(c.r.Change.Notes, c.r.Coverage.Warnings, c.r.Manifest.Warnings) {
		c.printf("%s %s\n", c.paint("warning:", yellow, true), escape.Terminal(w, 300))
	}
}

func (c *console) gates() {
	var rows [][]string
	for _, g := range extract.SortedGates(c.r) {
		measured := escape.Terminal(escape.List(g.Measured, 120), 120)
		if g.Reason != "" && g.Verdict != qa.Pass {
			measured += "; " + escape.Terminal(escape.List(g.Reason, 120), 120)
		}
		rows = append(rows, []string{extract.Verdict(g.Verdict), escape.Terminal(g.Name, 60), measured, escape.Terminal(g.Rule, 160), escape.Terminal(g.Input, 80)})
	}
	c.printf("\n")
	c.table([]string{"VERDICT", "GATE", "MEASURED", "RULE", "INPUT"}, rows, func(row, col int) string {
		if col == 0 {
			return verdictColour(qa.Verdict(rows[row][0]))
		}
		return ""
	})
}

// table prints rows under a header: aligned columns without lines, wrapped to
// the screen except in a log.
func (c *console) table(header []string, rows [][]string, colour func(row, col int) string) {
	if len(rows) == 0 {
		return
	}
	t := table.New().Headers(header...).Rows(rows...).Border(lipgloss.HiddenBorder()).
		BorderTop(false).BorderBottom(false).BorderLeft(false).BorderRight(false).BorderHeader(false).BorderColumn(false).
		StyleFunc(func(row, col int) lipgloss.Style {
			style := lipgloss.NewStyle().PaddingRight(2)
			if !c.o.Colour {
				return style
			}
			if row == table.HeaderRow {
				return style.Foreground(lipgloss.Color(grey))
			}
			if name := colour(row, col); name != "" {
				style = style.Foreground(lipgloss.Color(name))
			}
			return style
		})
	if !c.o.CI {
		if text := t.Render(); lipgloss.Width(text) > screen {
			t = t.Width(screen)
		}
	}
	for _, l := range strings.Split(strings.TrimRight(t.Render(), "\n"), "\n") {
		c.printf("%s\n", strings.TrimRight(l, " "))
	}
}

func (c *console) findings() {
	all := extract.Counting(c.r.Findings)
	c.part(extract.FindingsTitle(all), len(all), func() {
		limit := qa.InFull(all, c.r.MaxShown)
		for _, f := range all[:min(limit, consoleItems)] {
			colour := yellow
			if f.Severity.AtLeast(qa.High) {
				colour = red
			}
			c.printf("  %s %s  %s (%s, %s)\n", c.paint(fmt.Sprintf("%-8s", escape.Terminal(string(f.Severity), 10)), colour, true),
				escape.Terminal(place(f.Path, f.Lines.Start), 120), escape.Terminal(f.Message, 300), escape.Terminal(f.Rule.ID, 60), escape.Terminal(string(f.Evidence), 20))
			if why := extract.Unproven(c.r, f); why != "" {
				c.printf("           not proven: %s\n", escape.Terminal(why, 300))
			}
		}
		if limit < min(len(all), consoleItems) {
			c.printf("  … %s\n", extract.Beyond(all[limit:]))
		} else {
			c.more(consoleItems, len(all), "findings")
		}
	})
}

func (c *console) coverage() {
	cov := c.r.Coverage
	if cov.State != "measured" {
		if cov.Reason != "" && !extract.Unasked(c.r) {
			c.printf("\ncoverage unknown: %s\n", escape.Terminal(cov.Reason, 300))
		}
		return
	}
	title := "Coverage"
	if cov.Head != nil && cov.Head.Lines != nil {
		title += " " + number.Fraction(*cov.Head.Lines)
	}
	c.group(title, 1, func() {
		if cov.Reason != "" {
			c.printf("  %s\n", escape.Terminal(cov.Reason, 300))
		}
		if cov.Patch != nil {
			c.printf("  patch %s%s; %s\n", number.Fraction(cov.Patch.Lines), extract.WithGenerated(cov.WithGenerated), extract.Denominator(cov.Patch))
		}
		for _, l := range cov.Layers {
			if l.State != "measured" {
				c.printf("  %s %s %s: %s\n", escape.Terminal(string(l.Layer), 8), escape.Terminal(l.Name, 20), escape.Terminal(l.State, 20), escape.Terminal(l.Reason, 160))
				continue
			}
			c.printf("  %s %s patch %s, target %s %%, pass rate %s\n", escape.Terminal(string(l.Layer), 8), escape.Terminal(l.Name, 20),
				extract.LayerPatch(l, cov.Patch), number.Hundredths(int64(l.Target*100+0.5)), extract.LayerRate(l))
		}
		var rows [][]string
		for _, f := range extract.FileRows(cov.Files) {
			if len(rows) < consoleItems {
				rows = append(rows, []string{"  " + escape.Terminal(f.Path, 80), number.FractionOf(f.Patch), number.FractionOf(f.Lines), number.Change(f.Lines, f.Base), qa.FormatRanges(f.Missing[:min(len(f.Missing), 12)])})
			}
		}
		c.table([]string{"  FILE", "PATCH", "LINES", "VS BASE", "UNCOVERED"}, rows, func(int, int) string { return "" })
		c.more(consoleItems, len(cov.Files), "files")
	})
}

func (c *console) generated() {
	all, add := extract.KeptFirst(c.r.Generated), extract.ToAdd(c.r.Findings)
	c.group(extract.GeneratedTitle(all, add), len(all), func() {
		for _, t := range all[:min(len(all), consoleItems)] {
			c.printf("  %-7s %s  %s  %s\n", extract.Fate(t, add), escape.Terminal(t.Name, extract.NameLimit), escape.Terminal(t.Path, 100), escape.Terminal(strings.TrimSpace(t.Gate+" "+t.Reason), 200))
		}
		c.more(consoleItems, len(all), "generated tests")
	})
}

// manifest names only what should have happened and did not; that an engine has
// nothing to do with this change or this repository is in the report files.
func (c *console) manifest() {
	var notes []string
	for _, t := range extract.Targets(c.r) {
		if t.State != "ran" && t.Tail == "" && t.Reason != extract.AsVerdict { // the others stand among the problems
			notes = append(notes, "target "+escape.Terminal(t.Name, 60)+" "+escape.Terminal(t.State, 20)+": "+escape.Terminal(t.Reason, 240))
		}
	}
	for _, e := range extract.EngineGroups(c.r.Manifest.Engines) {
		if e.State != "ran" && e.State != "skipped" {
			notes = append(notes, "engine "+escape.Terminal(e.Name, 300)+" "+escape.Terminal(e.State, 20)+": "+escape.Terminal(e.Reason, 240))
		}
	}
	for _, cut := range c.r.Manifest.Cuts {
		notes = append(notes, "cut by a budget: "+escape.Terminal(cut, 200))
	}
	for _, check := range extract.ChecksLeft(c.r.Manifest) {
		note := "check of the test scripts: " + escape.Terminal(check.Check, 200)
		if check.Reason != "" {
			note += ": " + escape.Terminal(check.Reason, 200)
		}
		notes = append(notes, note)
	}
	for _, what := range c.r.Manifest.Unrun {
		notes = append(notes, "not run: "+escape.Terminal(what, 300))
	}
	c.group("Not done", len(notes), func() {
		for _, n := range notes[:min(len(notes), consoleItems)] {
			c.printf("  %s\n", n)
		}
		c.more(consoleItems, len(notes), "notes")
	})
	for _, text := range c.r.Recommendations[:min(len(c.r.Recommendations), 5)] {
		c.printf("→ %s\n", escape.Terminal(text, 300))
	}
	c.more(5, len(c.r.Recommendations), "recommendations")
}
