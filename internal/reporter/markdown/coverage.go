package markdown

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/escape"
	"github.com/org/qa-action/internal/reporter/extract"
	"github.com/org/qa-action/internal/reporter/fit"
	"github.com/org/qa-action/internal/reporter/number"
)

// patch shows which changed lines no test ran. With nothing missing the
// numbers stand in the verdict line and the denominator in the coverage part.
func patchSection(p page) fit.Section {
	c := p.r.Coverage.Patch
	if c == nil || (len(c.Missing) == 0 && len(c.Unmapped) == 0) {
		return fit.Section{}
	}
	s := fit.Section{Title: "uncovered changed lines", Noun: "files", Rank: 2, Share: 0.15, Close: "\n"}
	var b strings.Builder
	b.WriteString(p.heading("Patch coverage " + extract.Patch(c) + extract.WithGenerated(p.r.Coverage.WithGenerated)))
	b.WriteString(extract.Denominator(c) + "\n\n")
	if n := len(c.Unmapped); n > 0 && !named(c.Unmapped, p.r.Coverage.Warnings) {
		names := each.Of(c.Unmapped, func(u string) string { return escape.Code(u, 80) })
		fmt.Fprintf(&b, "> [!WARNING]\n> **%s in no coverage report**: %s. What is in there is unknown, not covered.\n\n",
			extract.Verb(n, "changed file is", "changed files are"), strings.Join(extract.Firsts(names, 10), ", "))
	}
	if len(c.Missing) == 0 {
		s.Open = b.String()
		return s
	}
	b.WriteString("| File | Patch | Uncovered changed lines |\n|---|---|---|\n")
	s.Open = b.String()
	for _, m := range missingFirst(c) {
		count, known := c.Files[m.Path]
		measured := "unknown"
		if known {
			measured = number.Fraction(count)
		}
		s.Items = append(s.Items, fit.Item{Full: fmt.Sprintf("| %s | %s | %s |\n", p.fileName(m.Path), measured, p.ranges(m.Path, m.Ranges))})
	}
	return s
}

// named reports whether the warnings already speak of every path.
func named(paths, warnings []string) bool {
	text := strings.Join(warnings, "\n")
	return !slices.ContainsFunc(paths, func(p string) bool { return !strings.Contains(text, p) })
}

// missingFirst orders files by uncovered lines, most first; ties by path.
func missingFirst(c *qa.PatchCoverage) []qa.Missing {
	return slices.SortedStableFunc(slices.Values(c.Missing), func(a, b qa.Missing) int {
		return cmp.Or(cmp.Compare(extract.LineCount(b.Ranges), extract.LineCount(a.Ranges)), cmp.Compare(a.Path, b.Path))
	})
}

// ranges links line ranges to the diff.
func (p page) ranges(file string, ranges []qa.Range) string {
	parts := each.Of(ranges[:min(len(ranges), 12)], func(r qa.Range) string { return escape.Link(r.String(), p.o.Links.Diff(file, r)) })
	text := strings.Join(parts, ", ")
	if len(ranges) > 12 {
		text += fmt.Sprintf(" … (12 of %d ranges)", len(ranges))
	}
	return text
}

// coverage is the coverage table per layer and per changed file.
func coverageSection(p page) fit.Section {
	c := p.r.Coverage
	if c.State != "measured" {
		if c.Reason == "" && c.State == "" || extract.Unasked(p.r) || p.folds && p.r.Tests.Head.Executed() == 0 {
			return fit.Section{}
		}
		return fit.Section{Title: "coverage", Rank: 3, Open: "**Coverage unknown**: " + extract.OrUnknown(escape.Prose(c.Reason, 300)) + "\n\n"}
	}
	title := "Coverage"
	var head *qa.Count
	if c.Head != nil {
		head = c.Head.Lines
	}
	if head != nil {
		title += " " + number.Fraction(*head)
		if d := number.Change(head, c.BaseLines); d != "" {
			title += " (" + d + ")"
		}
	}
	s := fit.Section{Title: "coverage tables", Noun: "changed files", Rank: 4, Share: 0.2}
	s.Open, s.Close = p.fold(title)
	var b strings.Builder
	if c.Reason != "" {
		b.WriteString("Coverage is " + escape.Prose(c.Reason, 300) + "\n\n")
	}
	if c.Patch != nil && len(c.Patch.Missing) == 0 && len(c.Patch.Unmapped) == 0 {
		b.WriteString("Patch coverage " + number.Fraction(c.Patch.Lines) + extract.WithGenerated(c.WithGenerated) + ": " + extract.Denominator(c.Patch) + "\n\n")
	}
	b.WriteString(p.layers())
	b.WriteString(totals(p))
	told := p.folds && c.Patch != nil && len(c.Patch.Missing) > 0 // the table of uncovered lines stands above
	if told && len(c.Files) > 0 {
		b.WriteString("| Changed file | Lines | vs base |\n|---|---|---|\n")
	} else if len(c.Files) > 0 {
		b.WriteString("| Changed file | Patch | Lines | vs base | Uncovered |\n|---|---|---|---|---|\n")
	}
	s.Open += b.String()
	for _, f := range extract.FileRows(c.Files) {
		lines := number.FractionOf(f.Lines) + lowMark(f.Lines)
		row := fmt.Sprintf("| %s | %s | %s | %s | %s |\n", p.fileName(f.Path), number.FractionOf(f.Patch), lines, number.Change(f.Lines, f.Base), p.ranges(f.Path, f.Missing))
		if told {
			row = fmt.Sprintf("| %s | %s | %s |\n", p.fileName(f.Path), lines, number.Change(f.Lines, f.Base))
		}
		s.Items = append(s.Items, fit.Item{Full: row})
	}
	return s
}

// lowMark marks a changed file that is covered far too little to be built on.
func lowMark(c *qa.Count) string {
	if c == nil || c.Total <= 0 {
		return ""
	}
	return strings.TrimRight(" "+severityMark(extract.Gap(*c)), " ")
}

// totals names the metrics beyond lines that the formats could give.
func totals(p page) string {
	h := p.r.Coverage.Head
	if h == nil {
		return ""
	}
	var parts []string
	for _, m := range []struct {
		name  string
		count *qa.Count
	}{{"branches", h.Branches}, {"functions", h.Functions}, {"statements", h.Statements}} {
		if m.count != nil {
			parts = append(parts, m.name+" "+number.Fraction(*m.count))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "Whole run: " + strings.Join(parts, " · ") + "\n\n"
}

// layers is the table of measured layers, and why the others are not in it. A page
// that folds leaves out what nobody acts on: layers that were not selected, and the
// only layer of which no round was made, which has the numbers of the whole run.
func (p page) layers() string {
	all, of := p.r.Coverage.Layers, p.r.Coverage.Patch
	if p.folds {
		all = slices.DeleteFunc(slices.Clone(all), func(l qa.LayerResult) bool { return l.State == "skipped" })
		if len(all) == 1 && all[0].State == "measured" && all[0].Rounds == 0 && !all[0].Below {
			return ""
		}
	}
	var rows, others strings.Builder
	for _, l := range all {
		title := strings.TrimSpace(escape.Prose(string(l.Layer), 8) + " " + escape.Prose(l.Name, 20))
		if l.State != "measured" {
			fmt.Fprintf(&others, "- %s %s: %s\n", title, extract.OrUnknown(escape.Prose(l.State, 20)), extract.OrUnknown(escape.Prose(l.Reason, 160)))
			continue
		}
		tests := ""
		if l.Tally != nil {
			tests = fmt.Sprintf("%d/%d", l.Tally.Passed+l.Tally.Flaky, l.Tally.Executed())
		}
		patch := extract.LayerPatch(l, of)
		if l.Below {
			patch += " ⚠️ below target"
		}
		fmt.Fprintf(&rows, "| %s | %s | %s %% | %s | %s | %s | %s | %d |\n", title, patch, number.Hundredths(int64(l.Target*100+0.5)),
			number.FractionOf(l.Lines), number.Change(l.Lines, l.BaseLines), tests, extract.LayerRate(l), l.Rounds)
	}
	text := ""
	if rows.Len() > 0 {
		text = "| Layer | Patch | Target | Lines | vs base | Tests | Pass rate | Rounds |\n|---|---|---|---|---|---|---|---|\n" + rows.String() + "\n"
	}
	if others.Len() > 0 {
		text += others.String() + "\n"
	}
	return text
}

// warnings are what makes numbers less trustworthy; they are never folded.
func warningsSection(p page) fit.Section {
	var all []string
	all = slices.Concat(all, p.r.Change.Notes, p.r.Coverage.Warnings, p.r.Manifest.Warnings)
	if p.r.Coverage.Head != nil {
		all = append(all, p.r.Coverage.Head.Conflicts...)
	}
	if len(all) == 0 {
		return fit.Section{}
	}
	s := fit.Section{Title: "warnings", Noun: "warnings", Rank: 2, Share: 0.05, Open: "> [!WARNING]\n", Close: "\n"}
	seen := map[string]bool{}
	for _, w := range all {
		if text := escape.Prose(w, 300); !seen[text] {
			seen[text] = true
			s.Items = append(s.Items, fit.Item{Full: "> - " + text + "\n"})
		}
	}
	return s
}
