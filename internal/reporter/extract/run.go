package extract

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/number"
	"github.com/org/qa-action/internal/wording"
)

// undoneLines is how many lines of what was not done stand under the verdict.
const undoneLines = 10

// NotDone is what the verdict has to do without.
func NotDone(r *qa.Report) []string { return Firsts(r.Manifest.NotDone, undoneLines) }

// lately draws the coverage of the last runs in characters: a picture that needs
// nothing to be fetched.
func lately(r *qa.Report) string {
	points := r.Trend.Points[max(0, len(r.Trend.Points)-TrendPoints):]
	shares := each.Of(points, func(p qa.TrendPoint) *float64 { return p.Coverage })
	line := number.Line(shares)
	if line == "" || r.Coverage.State != "measured" {
		return ""
	}
	return "coverage of the last " + wording.Count(utf8.RuneCountInString(line), "run") + " " + line
}

// Facts are the numbers of the run, each once.
func Facts(r *qa.Report) []string {
	var facts []string
	if r.Score.Value != nil {
		facts = append(facts, fmt.Sprintf("**Score %d/100**", *r.Score.Value))
	}
	if t := r.Tests.Head; t.Tests > 0 {
		facts = append(facts, testFact(t, r.Tests.Failing))
	} else if r.Result == qa.Inconclusive {
		facts = append(facts, "no test ran")
	}
	if left := r.Tests.LeftOut(); left.Any() {
		facts = append(facts, left.Said("test files")+" left out, which the change cannot reach")
	}
	if patch := r.Coverage.Patch; patch != nil && (patch.Lines.Total > 0 || len(patch.Unmapped) > 0) {
		facts = append(facts, strings.TrimRight("patch coverage "+Patch(patch)+WithGenerated(r.Coverage.WithGenerated)+" "+number.Bar(patch.Lines), " "))
	} else if r.Coverage.State == "unknown" && r.Tests.Head.Tests > 0 {
		facts = append(facts, "coverage unknown") // the score is one without it
	}
	switch n := len(Counting(r.Findings)); {
	case n > 0:
		facts = append(facts, wording.Count(n, "new finding"))
	case scanned(r):
		facts = append(facts, "no new findings")
	}
	if n := KeptTests(r.Generated); n > 0 {
		facts = append(facts, wording.Count(n, "generated test")+" kept")
	}
	return append(facts, NonEmpty([]string{lately(r)})...)
}

// WithGenerated adds what the kept generated tests make of the patch coverage.
func WithGenerated(c *qa.Count) string {
	if c == nil {
		return ""
	}
	return " (" + number.Fraction(*c) + " with generated tests)"
}

func testFact(t qa.Tally, failing []qa.FailingTest) string {
	if n := len(attention(failing)); n < t.Failed+t.Errors {
		return TallyWords(t, fmt.Sprintf(" (%d new)", n))
	}
	return TallyWords(t, "")
}

// TallyWords counts tests in words; aside is what is known about the failed
// ones.
func TallyWords(t qa.Tally, aside string) string {
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
	return slices.ContainsFunc(r.Manifest.Engines, func(e qa.Engine) bool { return e.State == "ran" })
}

// baselineSources are the places a baseline can come from, in words.
var baselineSources = map[string]string{
	"check-run": "the base commit's check run",
	"cache":     "a restored cache or artifact",
	"history":   "the history branch",
	"base-run":  "a run of base in this job",
}

// BaselineWords writes the sentence; escape fits the reason to the sink.
func BaselineWords(b qa.BaselineSource, commit string, escape func(string) string) string {
	reason := escape(strings.TrimSuffix(wording.Line(b.Reason, 200), "."))
	source, ok := baselineSources[b.Kind]
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

// ExitOnly is said of a command that reports no tests.
const ExitOnly = "exit code only: no count of tests"

// EngineGroups joins engines that did not run for one and the same reason into
// one entry, which names them all; those that ran stay as they are.
func EngineGroups(engines []qa.Engine) []qa.Engine {
	var out []qa.Engine
	at := map[string]int{}
	for _, e := range engines {
		key := e.State + "\x00" + e.Reason
		if i, ok := at[key]; ok && e.State != "ran" {
			out[i].Name += ", " + e.Name
			out[i].Version = ""
			continue
		}
		at[key] = len(out)
		out = append(out, e)
	}
	return out
}

// ModelText says which model was asked, how often, and what it cost; escape fits names
// to the sink.
func ModelText(r *qa.Report, escape func(text string, most int) string) string {
	m := r.Manifest.Model
	names := each.Of(Firsts(m.Models, 4), func(n string) string { return escape(n, 60) })
	text := "model " + OrUnknown(strings.Join(names, ", ")) + ": " + wording.Count(m.Calls, "call") +
		fmt.Sprintf(" (%d from the cache, %d retried, %d cut short), %s in%s, %s out", m.Cached, m.Retries, m.Truncated,
			wording.Count(m.Prompt, "token"), known(m), wording.Number(m.Completion))
	if m.Thoughts > 0 {
		text += fmt.Sprintf(" (%s of them thoughts)", wording.Number(m.Thoughts))
	}
	if m.Estimated {
		text += ", estimated in part, since the endpoint does not count"
	}
	return text + ", " + CostText(r)
}

// known says how much of the prompts the endpoint had from earlier ones.
func known(m qa.ModelUse) string {
	if m.PromptCached == 0 {
		return ""
	}
	return fmt.Sprintf(" (%s of them cached by the endpoint)", wording.Number(m.PromptCached))
}

// CostText says what the model cost, and for each finding that it has a part in and each
// test of it that is kept. It avoids the dollar sign, which starts a formula on the code
// host.
func CostText(r *qa.Report) string {
	usd := r.Manifest.Model.CostUSD
	if usd == nil {
		return "cost unknown (no prices configured)"
	}
	text := fmt.Sprintf("USD %.4f", *usd)
	findings := each.Count(r.Findings, func(f qa.Finding) bool { return f.Counts() && slices.Contains(f.Engines, "model") })
	kept := each.Count(r.Generated, func(g qa.GeneratedTest) bool { return g.Kept && g.Origin == nil })
	for _, part := range []struct {
		n    int
		what string
	}{{findings, "finding"}, {kept, "kept test"}} {
		if part.n > 0 {
			text += fmt.Sprintf(", %.4f per %s (%d)", *usd/float64(part.n), part.what, part.n)
		}
	}
	return text
}

// ChecksLeft are the checks of the test scripts that were not run, with the reason.
func ChecksLeft(m qa.Manifest) []qa.CheckRow {
	return each.Of(m.Checks, func(text string) qa.CheckRow {
		if i := slices.IndexFunc(m.Checked, func(c qa.CheckRow) bool { return c.Check == text }); i >= 0 {
			return m.Checked[i]
		}
		return qa.CheckRow{Check: text} // older reports have no more
	})
}
