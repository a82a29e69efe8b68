package qa

import (
	"bytes"
	"cmp"
	"encoding/json"
)

// Verdict is the outcome of a gate or of the whole run.
type Verdict string

// The verdicts. Pass and Conditional exit 0, Fail 1, Inconclusive 3.
const (
	Pass         Verdict = "PASS"
	Conditional  Verdict = "CONDITIONAL"
	Fail         Verdict = "FAIL"
	Inconclusive Verdict = "INCONCLUSIVE"
	// NotApplicable is a gate that had nothing to judge; it never decides.
	NotApplicable Verdict = "N/A"
	// Advisory is a gate that is shown and does not decide.
	Advisory Verdict = "ADVISORY"
)

// Gate is one row of the gate table.
type Gate struct {
	Name     string  `json:"gate"`
	Rule     string  `json:"rule"`     // "≥ 80 % of changed lines"
	Measured string  `json:"measured"` // "183/200 = 91.5 %"
	Verdict  Verdict `json:"verdict"`
	Input    string  `json:"input"`            // the input that changes it
	Reason   string  `json:"reason,omitempty"` // why, when the verdict alone does not say
}

// Term is one printed summand of the score.
type Term struct {
	Name   string  `json:"name"`
	Detail string  `json:"detail"`
	Points float64 `json:"points"` // negative for a penalty
}

// Score is 0..100 with every term; Value is nil when nothing was measured.
type Score struct {
	Value *int   `json:"value"`
	Terms []Term `json:"terms"`
	Cap   string `json:"cap,omitempty"` // why the value was capped
	// Band says in words what the value amounts to, beside the verdict.
	Band string `json:"band,omitempty"`
}

// Step is what a reader can do next, as a command.
type Step struct {
	What    string `json:"what"`
	Command string `json:"command"`
}

// FileRow is one changed file in the coverage table.
type FileRow struct {
	Path    string  `json:"path"`
	Lines   *Count  `json:"lines"`
	Base    *Count  `json:"base_lines"`
	Patch   *Count  `json:"patch"`
	Missing []Range `json:"missing,omitempty"`
	// Covered and Partial are changed lines that ran, and those of them that
	// did not take all their branches; what is in none of the three is not code.
	Covered []Range `json:"covered,omitempty"`
	Partial []Range `json:"partial,omitempty"`
}

// CoverageReport is the coverage part of a report.
type CoverageReport struct {
	State string `json:"state"` // measured or unknown
	// Reason is why it is unknown, or of which part of the suite alone it is.
	Reason    string         `json:"reason,omitempty"`
	Head      *Coverage      `json:"head,omitempty"`
	BaseLines *Count         `json:"base_lines,omitempty"`
	Patch     *PatchCoverage `json:"patch,omitempty"`
	// WithGenerated are the changed lines that run when the kept generated
	// tests are part of the suite; nil where none was kept or it was not
	// measured.
	WithGenerated *Count        `json:"patch_with_generated,omitempty"`
	Layers        []LayerResult `json:"layers"`
	Files         []FileRow     `json:"files"`
	// Warnings are loud: unmapped files, conflicts between reports.
	Warnings []string `json:"warnings,omitempty"`
}

// Alike ends the line of a survivor that a model holds for no wrong version.
const Alike = ", which the model holds for no wrong version"

// Mutation is the mutation score of the change; nil in a report where no
// mutant was run.
type Mutation struct {
	Killed    int      `json:"killed"`
	Survived  int      `json:"survived"`
	Timeout   int      `json:"timeout"`
	NoCover   int      `json:"no_coverage"`
	Invalid   int      `json:"invalid"`
	Before    *float64 `json:"before,omitempty"` // score before generated tests, 0..1
	After     *float64 `json:"after,omitempty"`
	Survivors []string `json:"survivors,omitempty"`
}

// Pattern is a defect pattern: two or more occurrences of one kind.
type Pattern struct {
	Type           string   `json:"type"`
	Count          int      `json:"count"`
	Files          []string `json:"files"`
	Common         string   `json:"common_pattern"`
	Description    string   `json:"description"`
	Recommendation string   `json:"recommendation"`
}

// Trend compares the last history points.
type Trend struct {
	Direction  string       `json:"direction"`  // improving, declining, stable, insufficient_data
	Confidence string       `json:"confidence"` // high, medium, low
	Points     []TrendPoint `json:"points,omitempty"`
}

// TrendPoint is one entry of coverage_history.
type TrendPoint struct {
	Date     string   `json:"date"` // RFC 3339
	SHA      string   `json:"sha,omitempty"`
	Coverage *float64 `json:"coverage"` // 0..1
	Score    *int     `json:"quality_score"`
	Issues   int      `json:"issues"`
}

// Delta is what happened since the last push of the same pull request.
type Delta struct {
	Since      string   `json:"since"` // head SHA of the last report
	Fixed      []string `json:"fixed,omitempty"`
	New        []string `json:"new,omitempty"`
	StillOpen  int      `json:"still_open"`
	Reopened   []string `json:"reopened,omitempty"`
	Dismissed  []string `json:"dismissed,omitempty"`
	NowPassing []string `json:"now_passing,omitempty"`
	NowFailing []string `json:"now_failing,omitempty"`
}

// BaselineSource is where the numbers of base come from.
type BaselineSource struct {
	Kind   string `json:"kind"` // check-run, cache, history, base-run, none
	SHA    string `json:"sha,omitempty"`
	Behind int    `json:"behind"` // commits between it and the merge base
	Reason string `json:"reason,omitempty"`
}

// UnmarshalJSON also reads what reports of version 1 and sessions of their time say.
func (b *BaselineSource) UnmarshalJSON(raw []byte) error {
	type current BaselineSource
	var read struct {
		current
		Rung string `json:"rung"`
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields() // what a reader of reports asks for does not reach here
	if err := dec.Decode(&read); err != nil {
		return err
	}
	*b = BaselineSource(read.current)
	b.Kind = cmp.Or(b.Kind, read.Rung)
	return nil
}

// TaskRow is one task of the timeline.
type TaskRow struct {
	ID      string  `json:"id"`
	Role    string  `json:"role"`
	Layer   Layer   `json:"layer,omitempty"`
	Wave    int     `json:"wave"`
	Status  string  `json:"status"`
	Detail  string  `json:"detail,omitempty"`
	Start   float64 `json:"start_seconds"` // since the run began
	Seconds float64 `json:"seconds"`
}

// ModelUse is what the model cost.
type ModelUse struct {
	Configured bool     `json:"configured"`
	Models     []string `json:"models,omitempty"`
	Calls      int      `json:"calls"`
	Cached     int      `json:"cached"` // replies taken from the cache
	Retries    int      `json:"retries"`
	Truncated  int      `json:"truncated"`
	Prompt     int      `json:"prompt_tokens"`
	// PromptCached are those of the prompt that the endpoint had from an earlier request.
	PromptCached int `json:"prompt_cached_tokens,omitempty"`
	Completion   int `json:"completion_tokens"`
	// Thoughts are those of the completion that the endpoint counted apart, before
	// the answers.
	Thoughts int `json:"reasoning_tokens,omitempty"`
	// Estimated says that tokens of replies were not counted by the endpoint.
	Estimated bool     `json:"estimated,omitempty"`
	CostUSD   *float64 `json:"cost_usd"` // nil without prices
	Error     string   `json:"error,omitempty"`
}

// TargetRow says how one target (package of a monorepo) was run.
type TargetRow struct {
	Name      string `json:"name"`
	Dir       string `json:"dir"`
	Framework string `json:"framework"`
	Version   string `json:"version,omitempty"`
	Command   string `json:"command"`
	Tests     Tally  `json:"tests"`
	Lines     *Count `json:"lines"`
	// State is ran, inconclusive or unavailable: it starts neither here nor on
	// base, as a suite in a browser does without one.
	State  string `json:"state"`
	Reason string `json:"reason,omitempty"`
	// ExitOnly says that the command gives an exit code and no count of tests.
	ExitOnly bool   `json:"exit_only,omitempty"`
	Tail     string `json:"tail,omitempty"` // the runner's last words, where it is inconclusive
}

// CheckRow says how a part of a test script ended that is no test.
type CheckRow struct {
	Check string `json:"check"` // the script and the command
	// State is passed, failed, flaky (it failed and passed when it was repeated) or
	// not run.
	State   string  `json:"state"`
	Reason  string  `json:"reason,omitempty"` // why it was not run
	Seconds float64 `json:"seconds,omitempty"`
}

// PhaseTime is what a part of a run took. Parts run side by side.
type PhaseTime struct {
	Phase     string  `json:"phase"`
	Seconds   float64 `json:"seconds"`           // in which it was under way
	Processor float64 `json:"processor_seconds"` // of the programs that it ran
	Programs  int     `json:"programs"`
}

// Manifest says what was done, skipped and cut, and by what.
type Manifest struct {
	Tool     string            `json:"tool"`
	Version  string            `json:"version"`
	Reviewed []string          `json:"reviewed"`
	Skipped  map[string]string `json:"skipped"` // path or part → reason
	Cuts     []string          `json:"cuts"`    // what a budget cut, in order
	Engines  []Engine          `json:"engines"`
	Targets  []TargetRow       `json:"targets"`
	// Checks are the parts of the test scripts that are no tests (linters, type
	// checkers) and were not run: "test: eslint .".
	Checks []string `json:"checks,omitempty"`
	// Checked says of all such parts how they ended.
	Checked []CheckRow `json:"checked,omitempty"`
	// Unrun is what else was seen of tests and is not run, with the reason; it stands in
	// Skipped, too.
	Unrun []string `json:"unrun,omitempty"`
	// CommandChanged says that the change writes the test command anew, and what
	// base's command says on head; empty when that passes, too.
	CommandChanged string `json:"command_changed,omitempty"`
	// NotDone is what the verdict has to do without, one line each; it stands
	// directly under the verdict.
	NotDone   []string  `json:"not_done,omitempty"`
	Tasks     []TaskRow `json:"tasks"`
	Runtime   string    `json:"runtime"`   // driver and why
	Isolation []string  `json:"isolation"` // layer: active or why not
	// Prepared says what was installed for the tests, and by which file.
	Prepared []string  `json:"prepared,omitempty"`
	Model    ModelUse  `json:"model"`
	Warnings []string  `json:"warnings"`
	Delivery *Delivery `json:"delivery,omitempty"` // nil when only the patch was asked for
	Seconds  float64   `json:"seconds"`
	// Times says where they went; trace.json of the session has every part.
	Times []PhaseTime `json:"times,omitempty"`
}

// Report is the whole result of a run: what report.json holds and every
// reporter renders. Its schema is published as docs/report.schema.json.
type Report struct {
	Schema     int    `json:"schema"` // version of this shape
	Session    string `json:"session"`
	Repository string `json:"repository,omitempty"` // owner/name
	Mode       string `json:"mode"`
	Depth      string `json:"depth"`
	Task       string `json:"task,omitempty"`
	Started    string `json:"started"` // RFC 3339, UTC
	Change     Change `json:"change"`

	Result  Verdict `json:"result"`
	Reason  string  `json:"reason"` // one sentence
	Partial bool    `json:"partial,omitempty"`
	Gates   []Gate  `json:"gates"`
	Score   Score   `json:"score"`

	// Account has every changed file, in the order of Change.Files.
	Account  []FileAccount `json:"account"`
	Strategy Strategy      `json:"strategy"`
	Findings []Finding     `json:"findings"`
	// MaxShown is how many findings reporters show in full, see [InFull]; zero
	// is no limit. Counts, SARIF and this report have all of them.
	MaxShown   int             `json:"max_findings,omitempty"`
	Tests      Tests           `json:"tests"`
	Coverage   CoverageReport  `json:"coverage"`
	Generated  []GeneratedTest `json:"generated"`
	Mutation   *Mutation       `json:"mutation,omitempty"`
	Patterns   []Pattern       `json:"defect_patterns"`
	Trend      Trend           `json:"trend"`
	Since      *Delta          `json:"since,omitempty"`
	KnownFlaky []KnownFlaky    `json:"known_flaky,omitempty"`
	Quarantine []Quarantined   `json:"quarantine,omitempty"`
	Baseline   BaselineSource  `json:"baseline"`
	// Next settles what the run could not tell; Recommendations are a model's.
	Next            []Step   `json:"next,omitempty"`
	Recommendations []string `json:"recommendations"`
	Manifest        Manifest `json:"manifest"`
	// Patch is a unified diff that adds the kept generated tests and touches
	// nothing else; empty when none was kept.
	Patch string `json:"patch,omitempty"`
}

// ReportSchema is the current version of [Report]. Version 1, which readers still
// know, called a baseline source's kind "rung".
const ReportSchema = 2

// The gates every run has. Score, NewFailures and Regression decide always;
// the others decide when named in the input fail-on and are advisory otherwise.
const (
	GateTestsRan     = "tests-ran"
	GateCommand      = "test-command"
	GateNewFailures  = "new-failures"
	GateRegression   = "regression"
	GateScore        = "score"
	GatePatch        = "patch-coverage"
	GateFindings     = "findings"
	GateCriticals    = "findings-critical"
	GateRemovedTests = "removed-tests"
	GateSkippedTests = "skipped-tests"
	GateCoverageDrop = "coverage-drop"
	GateFlaky        = "flaky"
	GateMutation     = "mutation"
	GateModel        = "model"
	GateEndToEnd     = "end-to-end"
)

// OptionalGates lists the gates that fail a run only when asked for: proven
// differences that are announced or of low severity (others fail it always), patch
// coverage below the L1 target, new critical or high findings, new critical
// findings, removed tests, newly skipped tests, overall coverage below base,
// flaky failures, surviving diff mutants above the L1 target's complement.
func OptionalGates() []string {
	return []string{GateRegression, GatePatch, GateFindings, GateCriticals, GateRemovedTests, GateSkippedTests, GateCoverageDrop, GateFlaky, GateMutation}
}
