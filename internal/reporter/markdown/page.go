// Package markdown renders a report for the code host: the comment, the job
// summary, the check run, the quality report and the body of a proposal are
// selections of the same sections.
package markdown

import (
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/escape"
	"github.com/org/qa-action/internal/reporter/fit"
	"github.com/org/qa-action/internal/reporter/sink"
)

// page holds what the Markdown sections are made of. The comment, the job
// summary, the check run and the quality report are selections of the same
// sections; they differ in what is folded and how many items are opened.
type page struct {
	r *qa.Report
	o sink.Options
	// folds puts secondary parts into details elements; without it they are
	// headed sections of a file that is read as text.
	folds bool
	// open is how many items of a list are shown unfolded or with details.
	open int
}

// fold gives what stands around a secondary part; title is plain text of ours.
func (p page) fold(title string) (open, end string) {
	if p.folds {
		return "<details>\n<summary>" + title + "</summary>\n\n", "\n</details>\n\n"
	}
	return "## " + title + "\n\n", "\n"
}

// listed is a secondary part with an entry for each of all; without any it is empty.
func listed[T any](p page, s fit.Section, title string, all []T, entry func(T) string) fit.Section {
	if len(all) == 0 {
		return fit.Section{}
	}
	open, end := p.fold(title)
	s.Open, s.Close = open+s.Open, end
	for _, one := range all {
		s.Items = append(s.Items, fit.Item{Full: entry(one)})
	}
	return s
}

// heading of a part that is always open.
func (p page) heading(title string) string {
	if p.folds {
		return "### " + title + "\n\n"
	}
	return "## " + title + "\n\n"
}

// place is a linked "path:10-14".
func (p page) place(file string, lines qa.Range) string {
	if file == "" {
		return ""
	}
	text := escape.Name(file, 80)
	if lines.Start > 0 {
		text += ":" + lines.String()
	}
	return escape.Link(escape.Code(text, 100), p.o.Links.Line(p.r.Change, file, lines))
}

// commit is a linked short commit id.
func (p page) commit(sha string) string {
	if sha == "" {
		return "unknown"
	}
	return escape.Link(escape.Code(escape.Short(sha), 12), p.o.Links.Commit(sha))
}

// fileName is a linked code span for a repository path.
func (p page) fileName(file string) string { return p.place(file, qa.Range{}) }

func icon(v qa.Verdict) string {
	switch v {
	case qa.Pass:
		return "✅"
	case qa.Conditional:
		return "🟡"
	case qa.Fail:
		return "❌"
	case qa.Inconclusive:
		return "⚠️"
	case qa.Advisory:
		return "ℹ️"
	}
	return "➖"
}

// severityMark is the mark of a severity that asks for somebody.
func severityMark(s qa.Severity) string {
	if s == qa.Critical || s == qa.High {
		return severityIcon(s)
	}
	return ""
}

func severityIcon(s qa.Severity) string {
	switch s {
	case qa.Critical:
		return "🟥"
	case qa.High:
		return "🟧"
	case qa.Medium:
		return "🟨"
	}
	return "⬜"
}
