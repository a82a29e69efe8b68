package reporter

import (
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// head is the verdict in one line, the numbers in a second, and what makes the
// result less than it seems.
func (p page) head() section {
	r := p.r
	var b strings.Builder
	title := "## " + icon(r.Result) + " QA " + verdict(r.Result)
	if reason := prose(strings.TrimSuffix(list(r.Reason, 240), "."), 240); reason != "" {
		title += ": " + reason
	}
	b.WriteString(title + "\n\n")
	undone := undoneList(r)
	b.WriteString(undone)
	if facts := p.facts(); len(facts) > 0 {
		b.WriteString(strings.Join(facts, " · ") + "\n\n")
	}
	if r.Partial {
		b.WriteString("> [!WARNING]\n> **Partial report.** The run ended before all of its parts; what is missing is unknown, not passed.\n\n")
	}
	return section{title: "verdict", open: b.String(), must: true, tight: func(limit int) string {
		if text := title + "\n\n" + undone; len(text) <= limit {
			return text
		}
		if len(title)+2 <= limit {
			return title + "\n\n"
		}
		return "## " + icon(r.Result) + " QA " + verdict(r.Result) + "\n\n"
	}}
}

// undoneLines is how many lines of what was not done stand under the verdict.
const undoneLines = 10

// notDone is what the verdict has to do without.
func notDone(r *qa.Report) []string { return firsts(r.Manifest.NotDone, undoneLines) }

func undoneList(r *qa.Report) string {
	var b strings.Builder
	for _, what := range notDone(r) {
		b.WriteString("- **Not done:** " + prose(list(what, 240), 240) + "\n")
	}
	if b.Len() == 0 {
		return ""
	}
	return b.String() + "\n"
}

// facts are the numbers of the run, each once.
func (p page) facts() []string {
	r := p.r
	var facts []string
	if r.Score.Value != nil {
		facts = append(facts, fmt.Sprintf("**Score %d/100**", *r.Score.Value))
	}
	if t := r.Tests.Head; t.Tests > 0 {
		facts = append(facts, testFact(t, r.Tests.Failing))
	} else if r.Result == qa.Inconclusive {
		facts = append(facts, "no test ran")
	}
	if patch := r.Coverage.Patch; patch != nil && patch.Lines.Total > 0 {
		facts = append(facts, "patch coverage "+fraction(patch.Lines)+withGenerated(r.Coverage.WithGenerated))
	}
	switch n := len(counting(r.Findings)); {
	case n > 0:
		facts = append(facts, wording.Count(n, "new finding"))
	case scanned(r):
		facts = append(facts, "no new findings")
	}
	if n := keptTests(r.Generated); n > 0 {
		facts = append(facts, wording.Count(n, "generated test")+" kept")
	}
	return facts
}

// withGenerated adds what the kept generated tests make of the patch coverage.
func withGenerated(c *qa.Count) string {
	if c == nil {
		return ""
	}
	return " (" + fraction(*c) + " with generated tests)"
}

func testFact(t qa.Tally, failing []qa.FailingTest) string {
	if n := len(attention(failing)); n < t.Failed+t.Errors {
		return tallyWords(t, fmt.Sprintf(" (%d new)", n))
	}
	return tallyWords(t, "")
}

// tallyWords counts tests in words; aside is what is known about the failed
// ones.
func tallyWords(t qa.Tally, aside string) string {
	fact := wording.Count(t.Executed(), "test")
	if bad := t.Failed + t.Errors; bad > 0 {
		fact += fmt.Sprintf(", %s failed", wording.Number(bad)) + aside
	} else if t.Executed() > 0 {
		fact += " passed"
	}
	if t.Flaky > 0 {
		fact += fmt.Sprintf(", %s flaky", wording.Number(t.Flaky))
	}
	if t.Skipped > 0 {
		fact += fmt.Sprintf(", %s skipped", wording.Number(t.Skipped))
	}
	return fact
}

// scanned reports whether any engine ran; silence of engines that did not run
// is not "no findings".
func scanned(r *qa.Report) bool {
	for _, e := range r.Manifest.Engines {
		if e.State == "ran" {
			return true
		}
	}
	return false
}

// foot says what was looked at, compared with what, and by what means.
func (p page) foot() section {
	r := p.r
	parts := []string{"Commit " + p.commit(r.Change.Head)}
	if r.Change.Dirty {
		parts[0] += " with uncommitted edits"
	}
	if r.Mode != "" {
		parts = append(parts, "mode "+strings.TrimSpace(prose(r.Mode, 20)+" "+prose(r.Depth, 20)))
	}
	if r.Manifest.Seconds > 0 {
		parts = append(parts, duration(r.Manifest.Seconds))
	}
	if !r.Manifest.Model.Configured {
		parts = append(parts, "no model configured")
	}
	if run := p.o.Links.Run; run != "" {
		parts = append(parts, link("full report", run))
	}
	text := strings.Join(parts, " · ")
	if base := p.baseline(); base != "" {
		text += ".<br>" + base
	}
	if p.folds {
		text = "<sub>" + text + "</sub>"
	}
	return section{title: "provenance", open: text + "\n", rank: 0}
}

// rungs are the places a baseline can come from, in words.
var rungs = map[string]string{
	"check-run": "the base commit's check run",
	"cache":     "a restored cache or artifact",
	"history":   "the history branch",
	"base-run":  "a run of base in this job",
}

// baselineText names the rung of the ladder that head is compared with.
func baselineText(b qa.BaselineSource) string {
	return baselineWords(b, short(b.SHA), func(s string) string { return wording.Line(s, 200) })
}

func (p page) baseline() string {
	return baselineWords(p.r.Baseline, p.commit(p.r.Baseline.SHA), func(s string) string { return prose(s, 200) })
}

// baselineWords writes the sentence; escape fits the reason to the sink.
func baselineWords(b qa.BaselineSource, commit string, escape func(string) string) string {
	reason := escape(strings.TrimSuffix(wording.Line(b.Reason, 200), "."))
	source, ok := rungs[b.Rung]
	if !ok {
		if reason == "" {
			return "No baseline; head is shown on its own."
		}
		return "No baseline (" + reason + "); head is shown on its own."
	}
	text := "Compared with " + commit + " from " + source
	if b.Behind > 0 {
		text += fmt.Sprintf(", %s behind the merge base", wording.Count(b.Behind, "commit"))
	}
	if reason != "" {
		text += " (" + reason + ")"
	}
	return text + "."
}
