package markdown

import (
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/escape"
	"github.com/org/qa-action/internal/reporter/extract"
	"github.com/org/qa-action/internal/reporter/fit"
	"github.com/org/qa-action/internal/wording"
)

// account is what the run saw of each changed file: one line, which opens to a
// list per class. What it did not see is named beside it.
func accountSections(p page) []fit.Section {
	classes := extract.AccountOf(p.r)
	if len(classes) == 0 {
		return nil
	}
	var out []fit.Section
	if named := extract.Dark(classes); len(named) > 0 {
		var b strings.Builder
		for _, c := range named {
			names := each.Of(c.Files, func(f qa.FileAccount) string { return escape.Code(f.Path, 80) })
			fmt.Fprintf(&b, "- **%s %s** (%s): %s\n", wording.Number(len(c.Files)), c.Words(), extract.ClassMeanings[c.Class], strings.Join(extract.Firsts(names, extract.OpenFiles), ", "))
		}
		out = append(out, fit.Section{Title: "files that the run did not see", Rank: 3, Open: b.String() + "\n"})
	}
	s := fit.Section{Title: "what the run saw", Noun: "changed files", Rank: 5, Share: 0.1}
	s.Open, s.Close = p.fold(extract.AccountTitle(p.r, classes))
	for _, c := range classes {
		head := fmt.Sprintf("- **%s %s**\n", wording.Number(len(c.Files)), c.Words())
		for _, f := range c.Shown() {
			text := head + "  - " + p.fileName(f.Path)
			if evidence := escape.Prose(f.Evidence, 200); evidence != "" {
				text += " · " + evidence
			}
			if f.Weak {
				text += " *(weak evidence)*"
			}
			s.Items = append(s.Items, fit.Item{Full: text + "\n"})
			head = ""
		}
		if more := c.Others(); more != "" {
			s.Items = append(s.Items, fit.Item{Full: "  - " + more + "\n"})
		}
	}
	if p.folds || len(out) == 0 {
		return append([]fit.Section{s}, out...)
	}
	return append(out, s)
}
