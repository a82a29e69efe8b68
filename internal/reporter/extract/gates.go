package extract

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/escape"
	"github.com/org/qa-action/internal/wording"
)

// Verdict is the word for a gate or run that everyone reads; an unknown one is
// never shown as passed.
func Verdict(v qa.Verdict) string {
	switch v {
	case qa.Pass, qa.Conditional, qa.Fail, qa.Inconclusive, qa.NotApplicable, qa.Advisory:
		return string(v)
	}
	return string(qa.Inconclusive)
}

// SortedGates puts the rows that decide first: failed, inconclusive,
// conditional, passed, the rest; else in the order given. A verdict that is no
// verdict counts as inconclusive.
func SortedGates(r *qa.Report) []qa.Gate {
	var out []qa.Gate
	reason := Reason(r)
	for _, want := range []qa.Verdict{qa.Fail, qa.Inconclusive, qa.Conditional, qa.Pass, qa.Advisory, qa.NotApplicable} {
		for _, g := range r.Gates {
			if g.Verdict = qa.Verdict(Verdict(g.Verdict)); g.Verdict != want {
				continue
			}
			if told(reason, g.Reason) {
				g.Reason = ""
			}
			out = append(out, g)
		}
	}
	return out
}

// shownReason is how much of the reason of a verdict stands beside it, in characters.
const shownReason = 480

// Reason is why the verdict is what it is, as it stands beside it. What was not done
// is left out: it follows, line by line.
func Reason(r *qa.Report) string {
	reason := r.Reason
	for _, what := range r.Manifest.NotDone {
		if before, _, found := strings.Cut(reason, "; not done: "+what); found {
			reason = before
		}
	}
	return escape.List(reason, shownReason)
}

// AsVerdict stands in the place of a reason that is the verdict's.
const AsVerdict = "see the verdict"

// Targets are the suites of a run, without a reason that stands beside the verdict.
func Targets(r *qa.Report) []qa.TargetRow {
	out, reason := slices.Clone(r.Manifest.Targets), Reason(r)
	for i := range out {
		if told(reason, out[i].Reason) {
			out[i].Reason = AsVerdict
		}
	}
	return out
}

// told is true of a reason that stands in full in that of the verdict, so that nobody
// reads it a second time. Either may have megabytes.
func told(verdict, reason string) bool {
	if utf8.RuneCountInString(wording.Bytes(reason, 11*utf8.UTFMax)) <= 10 {
		return false
	}
	return strings.Contains(verdict, strings.TrimSuffix(wording.Line(reason, shownReason), "."))
}

// InputNames splits a gate's input; a dash is none.
func InputNames(s string) []string {
	var out []string
	for _, name := range strings.Split(wording.Line(s, 120), ", ") {
		if name = strings.TrimSpace(name); name != "" && name != "—" {
			out = append(out, name)
		}
	}
	return out
}

// GatesTitle counts the gates that decide; advisory ones are told apart.
func GatesTitle(rows []qa.Gate) string {
	passed, deciding, advisory := 0, 0, 0
	for _, g := range rows {
		switch g.Verdict {
		case qa.NotApplicable:
			continue
		case qa.Advisory:
			advisory++
			continue
		case qa.Pass:
			passed++
		}
		deciding++
	}
	title := "Gates: nothing to judge"
	if deciding > 0 {
		title = fmt.Sprintf("Gates: %d of %d passed", passed, deciding)
	}
	if advisory > 0 {
		title += fmt.Sprintf(", %d advisory", advisory)
	}
	return title
}
