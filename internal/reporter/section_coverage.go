package reporter

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// denominator accounts for every changed line, so that a high rate of few
// lines cannot pass for a high rate of all.
func denominator(c *qa.PatchCoverage) string {
	text := fmt.Sprintf("%s = %d executable + %d test or non-code + %d excluded + %d unmapped",
		wording.Count(c.Changed, "changed line"), c.Lines.Total, c.NonCode, c.Excluded, c.UnmappedLines)
	if c.Branches != nil {
		text += "; branches on changed lines " + fraction(*c.Branches)
	}
	return text + "."
}

// patch shows which changed lines no test ran. With nothing missing the
// numbers stand in the verdict line and the denominator in the coverage part.
func (p page) patch() section {
	c := p.r.Coverage.Patch
	if c == nil || (len(c.Missing) == 0 && len(c.Unmapped) == 0) {
		return section{}
	}
	s := section{title: "uncovered changed lines", noun: "files", rank: 2, share: 0.15, close: "\n"}
	var b strings.Builder
	b.WriteString(p.heading("Patch coverage " + fraction(c.Lines) + withGenerated(p.r.Coverage.WithGenerated)))
	b.WriteString(denominator(c) + "\n\n")
	if n := len(c.Unmapped); n > 0 && !named(c.Unmapped, p.r.Coverage.Warnings) {
		var names []string
		for _, u := range c.Unmapped {
			names = append(names, code(u, 80))
		}
		fmt.Fprintf(&b, "> [!WARNING]\n> **%s in no coverage report**: %s. What is in there is unknown, not covered.\n\n",
			verb(n, "changed file is", "changed files are"), strings.Join(firsts(names, 10), ", "))
	}
	if len(c.Missing) == 0 {
		s.open = b.String()
		return s
	}
	b.WriteString("| File | Patch | Uncovered changed lines |\n|---|---|---|\n")
	s.open = b.String()
	for _, m := range missingFirst(c) {
		count, known := c.Files[m.Path]
		measured := "unknown"
		if known {
			measured = fraction(count)
		}
		s.items = append(s.items, item{full: fmt.Sprintf("| %s | %s | %s |\n", p.fileName(m.Path), measured, p.ranges(m.Path, m.Ranges))})
	}
	return s
}

// named reports whether the warnings already speak of every path.
func named(paths, warnings []string) bool {
	text := strings.Join(warnings, "\n")
	for _, p := range paths {
		if !strings.Contains(text, p) {
			return false
		}
	}
	return true
}

// missingFirst orders files by uncovered lines, most first; ties by path.
func missingFirst(c *qa.PatchCoverage) []qa.Missing {
	out := append([]qa.Missing(nil), c.Missing...)
	sortBy(out, func(m qa.Missing) (int, string) { return -lineCount(m.Ranges), m.Path })
	return out
}

func lineCount(ranges []qa.Range) int {
	n := 0
	for _, r := range ranges {
		n += r.Len()
	}
	return n
}

// ranges links line ranges to the diff.
func (p page) ranges(file string, ranges []qa.Range) string {
	var parts []string
	for _, r := range ranges[:min(len(ranges), 12)] {
		parts = append(parts, link(r.String(), p.o.Links.Diff(file, r)))
	}
	text := strings.Join(parts, ", ")
	if len(ranges) > 12 {
		text += fmt.Sprintf(" … (12 of %d ranges)", len(ranges))
	}
	return text
}

// coverage is the coverage table per layer and per changed file.
func (p page) coverage() section {
	c := p.r.Coverage
	if c.State != "measured" {
		if c.Reason == "" && c.State == "" || unasked(p.r) {
			return section{}
		}
		return section{title: "coverage", rank: 3, open: "**Coverage unknown**: " + orUnknown(prose(c.Reason, 300)) + "\n\n"}
	}
	title := "Coverage"
	var head *qa.Count
	if c.Head != nil {
		head = c.Head.Lines
	}
	if head != nil {
		title += " " + fraction(*head)
		if d := change(head, c.BaseLines); d != "" {
			title += " (" + d + ")"
		}
	}
	s := section{title: "coverage tables", noun: "changed files", rank: 4, share: 0.2}
	s.open, s.close = p.fold(title)
	var b strings.Builder
	if c.Reason != "" {
		b.WriteString("Coverage is " + prose(c.Reason, 300) + "\n\n")
	}
	if c.Patch != nil && len(c.Patch.Missing) == 0 && len(c.Patch.Unmapped) == 0 {
		b.WriteString("Patch coverage " + fraction(c.Patch.Lines) + withGenerated(c.WithGenerated) + ": " + denominator(c.Patch) + "\n\n")
	}
	b.WriteString(layers(c.Layers, c.Patch))
	b.WriteString(p.totals())
	if len(c.Files) > 0 {
		b.WriteString("| Changed file | Patch | Lines | vs base | Uncovered |\n|---|---|---|---|---|\n")
	}
	s.open += b.String()
	for _, f := range fileRows(c.Files) {
		s.items = append(s.items, item{full: fmt.Sprintf("| %s | %s | %s | %s | %s |\n",
			p.fileName(f.Path), fractionOf(f.Patch), fractionOf(f.Lines), change(f.Lines, f.Base), p.ranges(f.Path, f.Missing))})
	}
	return s
}

// totals names the metrics beyond lines that the formats could give.
func (p page) totals() string {
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
			parts = append(parts, m.name+" "+fraction(*m.count))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "Whole run: " + strings.Join(parts, " · ") + "\n\n"
}

// layerPatch is a layer's patch coverage; without an executable line in the
// change there is none to know.
func layerPatch(l qa.LayerResult, of *qa.PatchCoverage) string {
	if l.Patch == nil && of != nil && of.Lines.Total == 0 {
		return fraction(of.Lines)
	}
	return fractionOf(l.Patch)
}

// layerRate is the share of the layer's tests that passed, of all that ran: the
// layer's own rate holds only new failures against it.
func layerRate(l qa.LayerResult) string {
	if l.Tally != nil {
		return ratePercent(l.Tally.PassRate())
	}
	return ratePercent(l.PassRate)
}

// layers is the table of measured layers, and why the others are not in it.
func layers(all []qa.LayerResult, of *qa.PatchCoverage) string {
	var rows, others strings.Builder
	for _, l := range all {
		title := strings.TrimSpace(prose(string(l.Layer), 8) + " " + prose(l.Name, 20))
		if l.State != "measured" {
			fmt.Fprintf(&others, "- %s %s: %s\n", title, orUnknown(prose(l.State, 20)), orUnknown(prose(l.Reason, 160)))
			continue
		}
		tests := ""
		if l.Tally != nil {
			tests = fmt.Sprintf("%d/%d", l.Tally.Passed+l.Tally.Flaky, l.Tally.Executed())
		}
		patch := layerPatch(l, of)
		if l.Below {
			patch += " ⚠️ below target"
		}
		fmt.Fprintf(&rows, "| %s | %s | %s %% | %s | %s | %s | %s | %d |\n", title, patch, hundredths(int64(l.Target*100+0.5)),
			fractionOf(l.Lines), change(l.Lines, l.BaseLines), tests, layerRate(l), l.Rounds)
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

// fileRows puts files with most uncovered changed lines first.
func fileRows(rows []qa.FileRow) []qa.FileRow {
	out := append([]qa.FileRow(nil), rows...)
	sortBy(out, func(f qa.FileRow) (int, string) { return -lineCount(f.Missing), f.Path })
	return out
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

// warnings are what makes numbers less trustworthy; they are never folded.
func (p page) warnings() section {
	var all []string
	all = slices.Concat(all, p.r.Change.Notes, p.r.Coverage.Warnings, p.r.Manifest.Warnings)
	if p.r.Coverage.Head != nil {
		all = append(all, p.r.Coverage.Head.Conflicts...)
	}
	if len(all) == 0 {
		return section{}
	}
	s := section{title: "warnings", noun: "warnings", rank: 2, share: 0.05, open: "> [!WARNING]\n", close: "\n"}
	seen := map[string]bool{}
	for _, w := range all {
		if text := prose(w, 300); !seen[text] {
			seen[text] = true
			s.items = append(s.items, item{full: "> - " + text + "\n"})
		}
	}
	return s
}
