package markdown

import (
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/escape"
	"github.com/org/qa-action/internal/reporter/extract"
	"github.com/org/qa-action/internal/reporter/fit"
	"github.com/org/qa-action/internal/reporter/number"
	"github.com/org/qa-action/internal/wording"
)

// head is the verdict in one line, the numbers in a second, and what makes the
// result less than it seems.
func headSection(p page) fit.Section {
	r := p.r
	var b strings.Builder
	title := "## " + icon(r.Result) + " QA " + extract.Verdict(r.Result)
	if reason := escape.Prose(strings.TrimSuffix(extract.Reason(r), "."), 500); reason != "" {
		title += ": " + reason
	}
	b.WriteString(title + "\n\n")
	undone := undoneList(r)
	b.WriteString(undone)
	if all := extract.Facts(r); len(all) > 0 {
		b.WriteString(strings.Join(all, " · ") + "\n\n")
	}
	b.WriteString(nextSteps(r))
	if r.Partial {
		b.WriteString("> [!WARNING]\n> **Partial report:** what is missing here is unknown, not passed.\n\n")
	}
	return fit.Section{Title: "verdict", Open: b.String(), Must: true, Tight: func(limit int) string {
		if text := title + "\n\n" + undone; len(text) <= limit {
			return text
		}
		if len(title)+2 <= limit {
			return title + "\n\n"
		}
		return "## " + icon(r.Result) + " QA " + extract.Verdict(r.Result) + "\n\n"
	}}
}

// nextSteps are commands a reader can copy.
func nextSteps(r *qa.Report) string {
	var b strings.Builder
	for i, step := range r.Next {
		lead := "**Next:** "
		if i > 0 {
			lead = "Then "
		}
		b.WriteString(lead + escape.Prose(step.What, 120) + ": " + escape.Code(wording.Line(step.Command, 300), 300) + "<br>\n")
	}
	if b.Len() == 0 {
		return ""
	}
	return strings.TrimSuffix(b.String(), "<br>\n") + "\n\n"
}

func undoneList(r *qa.Report) string {
	var b strings.Builder
	for _, what := range extract.NotDone(r) {
		b.WriteString("- **Not done:** " + escape.Prose(escape.List(what, 240), 240) + "\n")
	}
	if b.Len() == 0 {
		return ""
	}
	return b.String() + "\n"
}

// foot says what was looked at, compared with what, and by what means.
func footSection(p page) fit.Section {
	r := p.r
	parts := []string{"Commit " + p.commit(r.Change.Head)}
	if r.Change.Dirty {
		parts[0] += " with uncommitted edits"
	}
	if r.Mode != "" {
		parts = append(parts, "mode "+strings.TrimSpace(escape.Prose(r.Mode, 20)+" "+escape.Prose(r.Depth, 20)))
	}
	if r.Manifest.Seconds > 0 {
		parts = append(parts, number.Duration(r.Manifest.Seconds))
	}
	if !r.Manifest.Model.Configured {
		parts = append(parts, "no model configured")
	}
	if run := p.o.Links.Run; run != "" {
		parts = append(parts, escape.Link("full report", run))
	}
	text := strings.Join(parts, " · ")
	if base := baseline(p); base != "" {
		text += ".<br>" + base
	}
	if p.folds {
		text = "<sub>" + text + "</sub>"
	}
	return fit.Section{Title: "provenance", Open: text + "\n", Rank: 0}
}

func baseline(p page) string {
	return extract.BaselineWords(p.r.Baseline, p.commit(p.r.Baseline.SHA), func(s string) string { return escape.Prose(s, 200) })
}
