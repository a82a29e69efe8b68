package reporter

import (
	"fmt"
	"path"
	"strings"

	"github.com/org/qa-action/internal/qa"
)

// page holds what the Markdown sections are made of. The comment, the job
// summary, the check run and the quality report are selections of the same
// sections; they differ in what is folded and how many items are opened.
type page struct {
	r *qa.Report
	o Options
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
	text := name(file, 80)
	if lines.Start > 0 {
		text += ":" + lines.String()
	}
	return link(code(text, 100), p.address(file, lines))
}

// address prefers the pull request's diff for lines that the change wrote and
// the file at the head commit for all others.
func (p page) address(file string, lines qa.Range) string {
	if f, ok := p.r.Change.File(file); ok && f.Status != qa.Deleted && (lines.Start <= 0 || f.Touches(lines)) {
		return p.o.Links.Diff(file, lines)
	}
	return p.o.Links.Blob(file, lines)
}

// commit is a linked short commit id.
func (p page) commit(sha string) string {
	if sha == "" {
		return "unknown"
	}
	return link(code(short(sha), 12), p.o.Links.Commit(sha))
}

func short(sha string) string {
	if isHex(sha) {
		return sha[:7]
	}
	return name(sha, 12)
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

// verdict is the word for a gate or run that everyone reads; an unknown one is
// never shown as passed.
func verdict(v qa.Verdict) string {
	switch v {
	case qa.Pass, qa.Conditional, qa.Fail, qa.Inconclusive, qa.NotApplicable, qa.Advisory:
		return string(v)
	}
	return string(qa.Inconclusive)
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

// firsts keeps the first n of words and says how many there are in all.
func firsts(words []string, n int) []string {
	if len(words) <= n {
		return words
	}
	return append(append([]string(nil), words[:n]...), fmt.Sprintf("… (%d of %d shown)", n, len(words)))
}

// safePath reports whether p stays inside the directory it is relative to.
func safePath(p string) bool {
	return p != "" && !path.IsAbs(p) && path.Clean(p) == p && p != ".." && !strings.HasPrefix(p, "../") &&
		!strings.ContainsAny(p, "\\\n\r\x00")
}
