package markdown

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/escape"
	"github.com/org/qa-action/internal/reporter/extract"
	"github.com/org/qa-action/internal/reporter/fit"
	"github.com/org/qa-action/internal/reporter/sink"
)

const (
	// explainBudget keeps under what the code host takes for a comment.
	explainBudget = 30_000
	quoteLines    = 40
	// offered is how many findings are named to who asked for one that is not there.
	offered = 20
)

// Explain is everything that a report knows of one finding: what was seen and where,
// how sure that is, the test that shows it, what became of it since it was first seen,
// and what ends it. mark is what a comment or a report calls it. Of one that is not in
// the report it says so and names those that are; found is false then.
func Explain(r *qa.Report, mark string, o sink.Options) (text string, found bool) {
	p := page{r: r, o: o, folds: true}
	i := slices.IndexFunc(r.Findings, func(f qa.Finding) bool {
		return strings.EqualFold(f.ID, mark) || len(mark) >= len(extract.Mark(f)) && mark != "" && strings.HasPrefix(f.Fingerprint, mark)
	})
	if i < 0 {
		return fit.Sections(p.unexplained(mark), explainBudget), false
	}
	f := r.Findings[i]
	head := fit.Section{Title: "finding", Must: true, Open: fmt.Sprintf("### %s %s: %s\n\n%s\n\n",
		escape.Prose(f.ID, 40), escape.Code(extract.Mark(f), 20), escape.Prose(f.Message, 400), p.seenWhere(f))}
	sections := []fit.Section{head}
	add := func(rank int, title, body string) {
		if body != "" {
			sections = append(sections, fit.Section{Title: title, Rank: rank, Open: "**" + title + "**\n\n" + body + "\n"})
		}
	}
	if f.Quote != "" {
		add(1, "The code", escape.Fenced(f.Quote, f.Path, quoteLines))
	}
	add(1, "Evidence", evidenceWords(f))
	if why := escape.Prose(extract.Unproven(p.r, f), 300); why != "" {
		add(1, "Not proven", why)
	}
	if f.Proof != nil && f.Proof.Code != "" {
		add(2, "The test, to stand in "+escape.Code(f.Proof.Path, 100), escape.Fenced(f.Proof.Code, f.Proof.Path, proofLines))
	}
	add(3, "History", statusWords(f))
	if f.Fix != nil {
		add(3, "The fix", escape.Fenced(diffWords(f.Fix), "fix.diff", quoteLines))
	}
	add(3, "What ends it", endWords(f))
	return fit.Sections(sections, explainBudget), true
}

// seenWhere is the line below the title: how bad, of which kind, where, by whom.
func (p page) seenWhere(f qa.Finding) string {
	parts := []string{extract.OrUnknown(escape.Prose(string(f.Severity), 10)) + " " + escape.Prose(extract.Perspectives(f), 60), p.place(f.Path, f.Lines)}
	if f.Symbol != "" {
		parts = append(parts, "in "+escape.Code(f.Symbol, 80))
	}
	parts = append(parts, escape.Code(f.Rule.ID, 60))
	for _, e := range extract.Firsts(f.Engines, 4) {
		parts = append(parts, "said by "+escape.Prose(e, 30))
	}
	for _, c := range extract.Firsts(f.CWE, 4) {
		parts = append(parts, escape.Prose(c, 30))
	}
	return strings.Join(extract.NonEmpty(parts), " · ") + " · at " + p.commit(p.r.Change.Head)
}

// evidenceWords say how sure a finding is, and why.
func evidenceWords(f qa.Finding) string {
	switch {
	case f.Proof != nil && (f.Proof.Regression || f.Proof.Mutant != nil):
		return "proven: " + proofWords(f.Proof) + "\n"
	case f.Proof != nil:
		return "reproduced: " + proofWords(f.Proof) + "\n"
	case f.Evidence == qa.Proven:
		return "proven by what ran\n"
	case f.Evidence == qa.Corroborated:
		return "corroborated: a rule that decides by itself, or more than one engine\n"
	case f.Evidence == qa.Suspected:
		return "suspected: one opinion that nothing confirmed; it does not count\n"
	}
	return escape.Prose(string(f.Evidence), 30) + "\n"
}

// statusWords say what became of a finding over the pushes.
func statusWords(f qa.Finding) string {
	text := map[qa.FindingStatus]string{
		qa.StatusNew: "new in this change", qa.StatusReopened: "was fixed before, and is there again",
		qa.StatusKnown: "older than this change; it does not count", qa.StatusPersisting: "still open from before; it does not count",
		qa.StatusFixed: "fixed", qa.StatusDismissed: "dismissed",
	}[f.Status]
	if d := f.Dismissal; d != nil {
		text += fmt.Sprintf(" by %s at %s: %s", extract.OrUnknown(escape.Prose(d.By, 60)), extract.OrUnknown(escape.Prose(d.At, 30)), escape.Prose(d.Reason, 300))
	}
	if f.KnownPattern != "" {
		text += "; of a kind that was seen here before: " + escape.Prose(f.KnownPattern, 60)
	}
	if text == "" {
		return ""
	}
	return text + "\n"
}

// diffWords show a fix as a diff of its lines.
func diffWords(fix *qa.Fix) string {
	var b strings.Builder
	for _, line := range fix.Old {
		b.WriteString("-" + line + "\n")
	}
	for _, line := range fix.New {
		b.WriteString("+" + line + "\n")
	}
	return b.String()
}

// endWords say what makes a finding go away.
func endWords(f qa.Finding) string {
	text := ""
	if f.Suggestion != "" {
		text = "- " + escape.Prose(f.Suggestion, 300) + "\n"
	}
	if f.Proof != nil {
		text += "- The test above passes.\n"
	}
	return text + "- Its code is changed, and who reported it looks again and does not.\n- Or somebody with write access says why it does not matter: " +
		escape.Code("/qa dismiss "+extract.Mark(f)+" reason", 80) + "\n"
}

// unexplained says that a finding is not in the report, and which ones are.
func (p page) unexplained(mark string) []fit.Section {
	all := extract.Counting(p.r.Findings)
	there := "none counts there"
	if len(all) > 0 {
		there = extract.Verb(len(all), "finding counts there", "findings count there")
	}
	head := fit.Section{Title: "no such finding", Must: true, Open: fmt.Sprintf("No finding of %s has the mark or id %s; %s.\n\n", p.commit(p.r.Change.Head), escape.Code(mark, 40), there)}
	s := fit.Section{Title: "findings", Noun: "findings", Rank: 1, Total: len(all)}
	for _, f := range all[:min(len(all), offered)] {
		s.Items = append(s.Items, fit.Item{Full: fmt.Sprintf("- %s %s: %s\n", escape.Code(extract.Mark(f), 20), p.place(f.Path, f.Lines), escape.Prose(f.Message, 200))})
	}
	return []fit.Section{head, s}
}
