package extract

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/number"
	"github.com/org/qa-action/internal/wording"
)

// attention are the failing tests that this change has to answer for: new ones,
// and those of unknown origin, which count as new.
func attention(tests []qa.FailingTest) []qa.FailingTest {
	return slices.Concat(triaged(tests, qa.NewFailure), triaged(tests, qa.UnknownFailure))
}

// triaged selects by label; what carries no known label is unknown.
func triaged(tests []qa.FailingTest, want qa.Triage) []qa.FailingTest {
	return slices.DeleteFunc(slices.Clone(tests), func(t qa.FailingTest) bool { return triageOf(t.Triage) != want })
}

// neverPassed reports whether a test failed each time it ran on head: of one
// that is known as flaky nobody can tell then whether it is the change.
func neverPassed(t qa.FailingTest) bool { return len(t.Head) > 0 && !slices.Contains(t.Head, true) }

// Excuse is the word for a failing test that does not count.
func Excuse(t qa.FailingTest) string {
	if t.Quarantine != "" {
		return "quarantine"
	}
	return string(t.Triage)
}

// failedText counts what failed. A command of which only the exit code is known is no
// test: how many of its tests failed is not known.
func failedText(tests []qa.FailingTest) string {
	commands := 0
	for _, t := range tests {
		if t.Case.File == "" && t.Case.Name == "(exit)" {
			commands++
		}
	}
	switch said := wording.Count(commands, "test command"); {
	case commands == 0:
		return wording.Count(len(tests), "test")
	case commands == len(tests):
		return said
	default:
		return wording.Count(len(tests)-commands, "test") + " and " + said
	}
}

// FailingTitle is the triage in one sentence.
func FailingTitle(tests []qa.FailingTest) string {
	n, need := len(tests), len(attention(tests))
	title := failedText(tests) + " failed, "
	switch {
	case need == 0 && slices.ContainsFunc(triaged(tests, qa.FlakyFailure), func(t qa.FailingTest) bool { return t.Quarantine != "" || neverPassed(t) }):
		return title + "none counts against this change"
	case need == 0:
		return title + "none because of this change"
	case need == n && n == 1:
		return title + "and it needs your attention"
	case need == n:
		return title + "all need your attention"
	case need == 1:
		return title + "1 needs your attention"
	}
	return title + wording.Number(need) + " need your attention"
}

const (
	// NameLimit is the longest test name shown, in characters; longer ones lose
	// their middle.
	NameLimit = 160
	// OpenNames is how many names follow the failures with details before the
	// others are folded.
	OpenNames = 20
	// FileDetails is how many failures a file shows with details; a file has no
	// limit, its reader has.
	FileDetails = 200
)

// WhatFailed is the text of a failure without stack frames of dependencies and of
// the runtime, which hide the frame of the project. JUnit and JSON keep them.
func WhatFailed(c qa.Case) string {
	text := FirstText(c.Message, c.Output)
	var kept strings.Builder
	for l := range strings.Lines(text) {
		frame := strings.HasPrefix(strings.TrimSpace(l), "at ")
		if !frame || !strings.Contains(l, "node_modules/") && !strings.Contains(l, "node:") {
			kept.WriteString(l)
		}
	}
	if strings.TrimSpace(kept.String()) == "" {
		return text
	}
	return kept.String()
}

// LastWords shortens what a program said before it ended to its first line and
// its last: how it ended stands there. What a compiler or a test says begins
// with what matters, and stays.
func LastWords(c qa.Case, text string, rows int) string {
	if c.File != "" || !slices.Contains([]string{"(exit)", "(start)", "(crash)"}, c.Name) {
		return text
	}
	var said []string
	for l := range strings.Lines(text) {
		if strings.TrimSpace(l) != "" {
			said = append(said, strings.TrimRight(l, "\n"))
		}
	}
	if len(said) <= rows || rows < 3 {
		return text
	}
	return strings.Join(slices.Concat(said[:1], []string{"…"}, said[len(said)-rows+2:]), "\n")
}

// TriageWords say how the label came about; escape fits names to the sink.
func TriageWords(t qa.FailingTest, escape func(string) string) string {
	var parts []string
	switch t.Triage {
	case qa.NewFailure:
		switch t.Base {
		case qa.Passed:
			parts = append(parts, "passes on base")
		case qa.NotRun, "":
			parts = append(parts, "not on base")
		case qa.BuildFailed:
			parts = append(parts, "does not build on base")
		default:
			parts = append(parts, "new")
		}
	case qa.PreExisting:
		parts = append(parts, "also fails on base")
	case qa.FlakyFailure:
		if t.Quarantine != "" {
			parts = append(parts, "in quarantine "+escape(t.Quarantine))
			break
		}
		parts = append(parts, "flaky")
	default:
		parts = append(parts, "base could not be run, counted as new")
	}
	if n := len(t.Head); n > 0 {
		failed := 0
		for _, passed := range t.Head {
			if !passed {
				failed++
			}
		}
		parts = append(parts, fmt.Sprintf("failed %d of %d runs on head", failed, n))
	}
	if t.FlakyRate != nil {
		parts = append(parts, "known to fail in "+number.RatePercent(t.FlakyRate)+" of runs")
	}
	if t.Target != "" && t.Target != "." {
		parts = append(parts, "target "+escape(t.Target))
	}
	return strings.Join(parts, ", ")
}

// Unnamed are the problems that do not stand among the failing tests as well,
// and the targets that nothing is known of.
func Unnamed(r *qa.Report) []qa.Problem {
	t := r.Tests
	out := slices.DeleteFunc(slices.Clone(t.Problems), func(p qa.Problem) bool {
		return slices.ContainsFunc(t.Failing, func(f qa.FailingTest) bool { return f.Failed(p) })
	})
	for _, row := range r.Manifest.Targets {
		said := slices.ContainsFunc(t.Failing, func(f qa.FailingTest) bool { return f.Case.Suite == row.Name && f.Case.Name == "(start)" })
		if row.State != "ran" && row.Tail != "" && !said {
			out = append(out, qa.Problem{Kind: "target", Where: row.Name, Message: row.Reason + "\n" + row.Tail})
		}
	}
	return out
}

// Unasked reports that no test had to run: then nobody misses its coverage.
func Unasked(r *qa.Report) bool {
	for _, g := range r.Gates {
		if g.Name == qa.GateTestsRan {
			return g.Verdict == qa.NotApplicable
		}
	}
	return false
}
