package markdown

import (
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/escape"
	"github.com/org/qa-action/internal/reporter/extract"
	"github.com/org/qa-action/internal/reporter/fit"
	"github.com/org/qa-action/internal/reporter/sink"
	"github.com/org/qa-action/internal/wording"
)

// proposalBudget keeps well under what the code host takes for the body of a
// pull request (65,536 characters).
const proposalBudget = 30_000

// Proposal is the body of the pull request that offers the kept tests.
func Proposal(r *qa.Report, o sink.Options) string {
	p := page{r: r, o: o, folds: true}
	kept := extract.KeptFirst(r.Generated)[:extract.KeptTests(r.Generated)]
	head := fit.Section{Title: "what this is", Must: true, Open: fmt.Sprintf(
		"%s for #%d, proven on %s: each passed on that commit in every repetition, and changes nothing but test files. Merge this into the branch of #%d, or close it to get no more.\n\n",
		wording.Count(len(kept), "test"), r.Change.Number, p.commit(r.Change.Head), r.Change.Number)}
	list := fit.Section{Title: "tests", Noun: "tests", Rank: 1, Open: "| Test | For | Base → head | Why |\n|---|---|---|---|\n"}
	for _, t := range kept {
		list.Items = append(list.Items, fit.Item{Full: fmt.Sprintf("| %s<br>%s | %s | %s | %s |\n",
			escape.Code(t.Name, extract.NameLimit), escape.Code(t.Path, 100), escape.Code(t.Target, 80), baseHead(t), generatedWhy(t))})
	}
	foot := fit.Section{Title: "note", Must: true, Rank: 2, Open: "\n<sub>A commit that was made with a workflow's own token starts no workflows. If the checks do not start here, close and reopen this pull request, or push to it.</sub>\n"}
	return fit.Sections([]fit.Section{head, list, foot}, proposalBudget)
}

// deliveryWords say what became of the kept tests beyond the patch.
func deliveryWords(d qa.Delivery) string {
	what := wording.Count(d.Tests, "kept test") + " in " + wording.Count(d.Files, "file")
	way := escape.Prose(strings.ReplaceAll(d.Way, "-", " "), 30)
	switch {
	case d.Reason != "":
		return what + " **not delivered** by " + way + ": " + escape.Prose(d.Reason, 300)
	case d.Commit == "":
		return what + " were delivered by " + escape.Link(way, d.URL) + " before"
	}
	return what + " delivered by " + escape.Link(way, d.URL) + ", commit " + escape.Code(escape.Short(d.Commit), 12)
}
