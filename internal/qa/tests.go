package qa

import "fmt"

// Triage says whose failure a failing test is.
type Triage string

// The triage labels. Only new failures fail the gate; unknown (base could not
// be run) is treated as new and says so.
const (
	NewFailure     Triage = "new"
	PreExisting    Triage = "pre-existing"
	FlakyFailure   Triage = "flaky"
	UnknownFailure Triage = "unknown"
)

// FailingTest is a test of the repository that failed on head at least once.
type FailingTest struct {
	Case      Case   `json:"case"`
	Target    string `json:"target,omitempty"`
	Triage    Triage `json:"triage"`
	Head      []bool `json:"head,omitempty"` // attempts on head, true = passed
	Base      Status `json:"base"`
	Reproduce string `json:"reproduce"` // copy-paste command
	// Together says that it passes alone and fails whenever the whole suite
	// runs: another test breaks it, each time, or what earlier runs left mends it.
	Together bool `json:"fails_together,omitempty"`
	// FlakyRate is the known rate from the history, nil when unknown.
	FlakyRate *float64 `json:"flaky_rate,omitempty"`
	// Quarantine says until when the test is set aside, and why; such a test
	// has the triage flaky.
	Quarantine string `json:"quarantine,omitempty"`
}

// Tests is the result of running the repository's own tests.
type Tests struct {
	Head Tally  `json:"head"`
	Base *Tally `json:"base,omitempty"` // nil when base was not run in full
	// Cases holds every case that ran on head, for the JUnit file.
	Cases        []Case        `json:"cases,omitempty"`
	Failing      []FailingTest `json:"failing"`
	Removed      []string      `json:"removed,omitempty"`       // ids that base has and head has not
	Added        []string      `json:"added,omitempty"`         // ids that head has and base has not
	NewlySkipped []string      `json:"newly_skipped,omitempty"` // ran on base, skipped on head
	// Renamed are tests that stand on both sides under two names; they are in
	// neither Removed nor Added.
	Renamed []Rename `json:"renamed,omitempty"`
	// Groups are the failing tests by their normalised message, the largest
	// first; every failing test is in one.
	Groups   []FailureGroup `json:"groups,omitempty"`
	Problems []Problem      `json:"problems,omitempty"`
	Seconds  float64        `json:"duration_seconds"`
	// Unneeded says on what evidence no test was run: nothing changed, or an
	// earlier whole run shows that no test reads what changed.
	Unneeded string `json:"unneeded,omitempty"`
	// Impact says of each target what the change cannot reach and was left out, where that
	// was asked for.
	Impact []Impact `json:"impact,omitempty"`
}

// Impact is how much of a suite a change can reach, in test files, or packages of Go.
type Impact struct {
	Target string `json:"target"`
	Ran    int    `json:"ran"`
	Left   int    `json:"left_out"`
	// Tests is how many tests were left out, those of the files that ran and those of the
	// others, as base has them.
	Tests int `json:"tests_left_out,omitempty"`
	// Everything says why nothing was left out; empty where the rest says all.
	Everything string `json:"everything,omitempty"`
}

// LeftOut is what was not run because the change cannot reach it, of how much.
type LeftOut struct{ Units, OfUnits, Tests, OfTests int }

// LeftOut is how many test files and packages, and how many tests, were not run because
// the change cannot reach them.
func (t Tests) LeftOut() LeftOut {
	out := LeftOut{OfTests: t.Head.Tests}
	for _, i := range t.Impact {
		out.Units, out.OfUnits = out.Units+i.Left, out.OfUnits+i.Left+i.Ran
		out.Tests, out.OfTests = out.Tests+i.Tests, out.OfTests+i.Tests
	}
	return out
}

// Any reports whether anything was left out.
func (l LeftOut) Any() bool { return l.Units > 0 || l.Tests > 0 }

// Said is how much was left out; units is what test files and packages are called.
func (l LeftOut) Said(units string) string {
	tests := fmt.Sprintf("%d of %d tests", l.Tests, l.OfTests)
	switch {
	case l.Units == 0:
		return tests
	case l.Tests == 0:
		return fmt.Sprintf("%d of %d %s", l.Units, l.OfUnits, units)
	}
	return fmt.Sprintf("%d of %d %s and %s", l.Units, l.OfUnits, units, tests)
}

// Quarantined is a test that the configuration sets aside until a day. After it
// the entry holds no longer, and is shown until somebody takes it out.
type Quarantined struct {
	Test    string `json:"test"` // as Case.ID
	Reason  string `json:"reason,omitempty"`
	Expires string `json:"expires"` // 2006-01-02, the last day it holds
	Expired bool   `json:"expired,omitempty"`
	Status  Status `json:"status,omitempty"` // in this run, empty when it did not run
}

// KnownFlaky is a test that earlier runs saw pass and fail on one commit.
type KnownFlaky struct {
	Test   string  `json:"test"`             // as Case.ID
	Rate   float64 `json:"rate"`             // share of its recent runs, 0..1
	Status Status  `json:"status,omitempty"` // in this run, empty when it did not run
}
