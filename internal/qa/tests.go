package qa

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
	// Everything says why nothing was left out; empty where the rest says all.
	Everything string `json:"everything,omitempty"`
}

// LeftOut is how many test files and packages were not run because the change cannot
// reach them, of how many.
func (t Tests) LeftOut() (left, of int) {
	for _, i := range t.Impact {
		left, of = left+i.Left, of+i.Left+i.Ran
	}
	return left, of
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
