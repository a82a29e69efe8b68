package reporter

import (
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// proposalBudget keeps well under what the code host takes for the body of a
// pull request (65,536 characters).
const proposalBudget = 30_000

// Proposal is the body of the pull request that offers the kept tests.
func Proposal(r *qa.Report, o Options) string {
	p := page{r: r, o: o, folds: true}
	kept := keptFirst(r.Generated)[:keptTests(r.Generated)]
	head := section{title: "what this is", must: true, open: fmt.Sprintf(
		"%s for #%d, proven on %s: each passed on that commit in every repetition, and changes nothing but test files. Merge this into the branch of #%d, or close it to get no more.\n\n",
		wording.Count(len(kept), "test"), r.Change.Number, p.commit(r.Change.Head), r.Change.Number)}
	list := section{title: "tests", noun: "tests", rank: 1, open: "| Test | For | Base → head | Why |\n|---|---|---|---|\n"}
	for _, t := range kept {
		list.items = append(list.items, item{full: fmt.Sprintf("| %s<br>%s | %s | %s | %s |\n",
			code(t.Name, nameLimit), code(t.Path, 100), code(t.Target, 80), baseHead(t), generatedWhy(t))})
	}
	foot := section{title: "note", must: true, rank: 2, open: "\n<sub>A commit that was made with a workflow's own token starts no workflows. If the checks do not start here, close and reopen this pull request, or push to it.</sub>\n"}
	return fit([]section{head, list, foot}, proposalBudget)
}

// deliveryWords say what became of the kept tests beyond the patch.
func deliveryWords(d qa.Delivery) string {
	what := wording.Count(d.Tests, "kept test") + " in " + wording.Count(d.Files, "file")
	way := prose(strings.ReplaceAll(d.Way, "-", " "), 30)
	switch {
	case d.Reason != "":
		return what + " **not delivered** by " + way + ": " + prose(d.Reason, 300)
	case d.Commit == "":
		return what + " were delivered by " + link(way, d.URL) + " before"
	}
	return what + " delivered by " + link(way, d.URL) + ", commit " + code(short(d.Commit), 12)
}
