package quality

import (
	"math"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"pgregory.net/rapid"

	"github.com/org/qa-action/internal/qa"
)

// judged is a report as a run makes it.
func judged() *qa.Report {
	r := &qa.Report{Schema: qa.ReportSchema}
	r.Change.Files = []qa.FileChange{{Path: "a.go", Kind: qa.KindSource}, {Path: "README.md", Kind: qa.KindDocs}}
	r.Account = []qa.FileAccount{{Path: "a.go", Class: qa.Executed}, {Path: "README.md", Class: qa.Inert}}
	r.Tests.Head = qa.Tally{Tests: 10, Passed: 9, Skipped: 1}
	r.Manifest.Targets = []qa.TargetRow{{Name: ".", State: "ran", Tests: r.Tests.Head}}
	r.Manifest.Engines = []qa.Engine{{Name: "gosec", State: "ran"}}
	r.Coverage = qa.CoverageReport{State: "measured", Patch: &qa.PatchCoverage{
		Lines: qa.Count{Covered: 18, Total: 20}, Changed: 25, NonCode: 5, Files: map[string]qa.Count{"a.go": {Covered: 18, Total: 20}},
		Missing: []qa.Missing{{Path: "a.go", Ranges: []qa.Range{{Start: 4, End: 5}}}},
	}}
	r.Coverage.Files = []qa.FileRow{{Path: "a.go", Patch: &qa.Count{Covered: 18, Total: 20}}}
	return again(r)
}

func again(r *qa.Report) *qa.Report {
	r.Score = Score(r)
	Judge(r, Rules{Target: 80})
	return r
}

// failing puts a failing test into the report and judges it.
func failing(f qa.FailingTest) *qa.Report {
	r := judged()
	r.Tests.Failing = []qa.FailingTest{f}
	r.Tests.Groups = qa.GroupFailures(r.Tests.Failing)
	r.Tests.Head = qa.Tally{Tests: 10, Passed: 8, Skipped: 1, Failed: 1}
	r.Manifest.Targets[0].Tests = r.Tests.Head
	return again(r)
}

func newFailure() *qa.Report {
	return failing(qa.FailingTest{Triage: qa.NewFailure, Base: qa.Passed, Case: qa.Case{Name: "adds", Status: qa.Failed, Message: "expected 1"}})
}

// nothingStarts is a run in which no test passes and base could not be judged.
func nothingStarts() *qa.Report {
	r := judged()
	r.Tests.Head = qa.Tally{}
	r.Manifest.Targets[0].Tests, r.Manifest.Targets[0].State = qa.Tally{}, "inconclusive"
	r.Tests.Failing = []qa.FailingTest{{Triage: qa.UnknownFailure, Case: qa.Case{Name: "(collect)", Status: qa.BuildFailed}}}
	r.Coverage = qa.CoverageReport{}
	return again(r)
}

func setGate(r *qa.Report, name string, v qa.Verdict) {
	for i := range r.Gates {
		if r.Gates[i].Name == name {
			r.Gates[i].Verdict = v
		}
	}
}

func TestVerify(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		report func() *qa.Report
		change func(r *qa.Report)
		want   string // "" for none
	}{
		"as judged":                             {judged, nil, ""},
		"as judged, a failure":                  {newFailure, nil, ""},
		"nothing starts, and base is not known": {nothingStarts, nil, ""},
		"nothing starts, called no failure":     {nothingStarts, func(r *qa.Report) { setGate(r, qa.GateNewFailures, qa.Pass) }, "gate new-failures: PASS, expected INCONCLUSIVE"},
		"ended early": {newFailure, func(r *qa.Report) {
			r.Partial, r.Result, r.Score = true, qa.Inconclusive, qa.Score{}
			setGate(r, qa.GateScore, qa.NotApplicable)
		}, ""},
		"no account":              {judged, func(r *qa.Report) { r.Account = nil }, ""},
		"PASS with a failed gate": {newFailure, func(r *qa.Report) { r.Result = qa.Pass }, `result: PASS, expected FAIL by gate "new-failures"`},
		"PASS of a partial run":   {judged, func(r *qa.Report) { r.Partial = true }, "result: PASS, expected INCONCLUSIVE because the run is partial"},
		"FAIL without a reason":   {judged, func(r *qa.Report) { r.Result = qa.Fail }, "result: FAIL, expected PASS as no gate says otherwise"},
		"no verdict":              {judged, func(r *qa.Report) { r.Result = "GREAT" }, `result: "GREAT", expected one of PASS`},
		"advisory result":         {judged, func(r *qa.Report) { r.Result = qa.Advisory }, `result: "ADVISORY"`},
		"gate with another word":  {judged, func(r *qa.Report) { r.Gates[0].Verdict = "pass" }, `gates[0] "tests-ran": verdict "pass"`},
		"gate twice":              {judged, func(r *qa.Report) { r.Gates = append(r.Gates, r.Gates[0]) }, "stands there twice"},
		"no gates":                {judged, func(r *qa.Report) { r.Gates = nil }, "gates: no gate tests-ran"},
		"gate turned":             {newFailure, func(r *qa.Report) { setGate(r, qa.GateNewFailures, qa.Pass); r.Result = qa.Pass }, "gate new-failures: PASS, expected FAIL because of 1 new failing test"},
		"gate taken out":          {newFailure, func(r *qa.Report) { r.Gates = append(r.Gates[:1:1], r.Gates[2:]...); r.Result = qa.Pass }, "gate new-failures: is missing, expected FAIL"},
		"gate failed for nothing": {judged, func(r *qa.Report) { setGate(r, qa.GateNewFailures, qa.Fail); r.Result = qa.Fail }, "gate new-failures: FAIL, expected PASS because of no new failing test"},
		"triage turned":           {newFailure, func(r *qa.Report) { r.Tests.Failing[0].Triage = qa.PreExisting }, `pre-existing with base "passed", expected a failure on base`},
		"flaky without a pass": {newFailure, func(r *qa.Report) {
			r.Tests.Failing[0].Triage, r.Tests.Failing[0].Head = qa.FlakyFailure, []bool{false, false}
		}, "flaky without a passed attempt"},
		"no triage":              {newFailure, func(r *qa.Report) { r.Tests.Failing[0].Triage = "fine" }, `triage "fine"`},
		"failure taken out":      {newFailure, func(r *qa.Report) { r.Tests.Failing, r.Tests.Groups = nil, nil; again(r) }, "tests.failing: 0 failed tests, expected 1"},
		"group with less":        {newFailure, func(r *qa.Report) { r.Tests.Groups[0].Triage = qa.PreExisting }, "tests.groups: 0 new failures, expected 1"},
		"group of none":          {newFailure, func(r *qa.Report) { r.Tests.Groups[0].Tests = nil }, "tests.groups[0]: names 0 of 1 tests"},
		"tally":                  {judged, func(r *qa.Report) { r.Tests.Head.Passed = 10 }, "tests.head: 10 tests, expected 11, the sum"},
		"negative tally":         {judged, func(r *qa.Report) { r.Tests.Head.Failed = -1 }, "tests.head: -1, expected a number from 0"},
		"tally that wraps":       {judged, func(r *qa.Report) { r.Tests.Head.Passed, r.Tests.Head.Failed = math.MaxInt64, math.MaxInt64 }, "expected a number from 0"},
		"cases":                  {judged, func(r *qa.Report) { r.Tests.Cases = []qa.Case{{Status: qa.Passed}} }, "expected 1 tests, 1 passed, 0 failed, 0 errors, 0 skipped, 0 flaky as in tests.cases"},
		"tests of targets":       {judged, func(r *qa.Report) { r.Manifest.Targets[0].Tests.Passed--; r.Manifest.Targets[0].Tests.Tests-- }, "as the targets have"},
		"target stuck":           {judged, func(r *qa.Report) { r.Manifest.Targets[0].State = "inconclusive" }, "gate tests-ran: PASS, expected another verdict because of 1 target"},
		"target without a state": {judged, func(r *qa.Report) { r.Manifest.Targets[0].State = "" }, `state "", expected one of`},
		"exit code only":         {judged, func(r *qa.Report) { r.Manifest.Targets[0].ExitOnly = true }, "CONDITIONAL at best"},
		"nothing passed": {judged, func(r *qa.Report) {
			r.Tests.Head = qa.Tally{}
			r.Manifest.Targets[0].Tests = r.Tests.Head
		}, "PASS without a passed test"},
		"score":                 {judged, func(r *qa.Report) { *r.Score.Value = 90 }, "score.value: 90, expected 100, the sum of its terms"},
		"score lifted":          {newFailure, func(r *qa.Report) { *r.Score.Value, r.Score.Cap = 100, "at least 100" }, "score.value: 100, expected 90"},
		"huge term":             {judged, func(r *qa.Report) { r.Score.Terms[0].Points = 1e308 }, "score.terms[0]: 1e+308 points"},
		"low score that passes": {judged, func(r *qa.Report) { *r.Score.Value, r.Score.Terms[0].Points = 50, 50 }, "gate score: PASS, expected FAIL because of score 50"},
		"terms without a value": {judged, func(r *qa.Report) { r.Score.Value = nil }, "score.value: unknown"},
		"regression":            {judged, func(r *qa.Report) { r.Findings = []qa.Finding{regressed()} }, "gate regression: PASS, expected FAIL because of 1 proven regression"},
		"announced regression": {judged, func(r *qa.Report) {
			f := regressed()
			f.Proof.Announced = "all of it is intended"
			r.Findings = []qa.Finding{f}
		}, "gate regression: PASS, expected CONDITIONAL because of 1 announced or low regression"},
		"findings that passed": {judged, func(r *qa.Report) {
			r.Findings = []qa.Finding{{Severity: qa.Critical, Status: qa.StatusNew, Evidence: qa.Corroborated}}
		}, "gate findings: PASS, expected another verdict because of 1 critical and 0 high findings"},
		"more covered than lines": {judged, func(r *qa.Report) { r.Coverage.Patch.Lines.Covered = 21 }, "coverage.patch.lines: 21 of 20"},
		"patch files":             {judged, func(r *qa.Report) { r.Coverage.Patch.Lines.Covered = 20 }, "coverage.patch.lines: 20/20 = 100 %, expected 18/20 = 90 %, the sum of its files"},
		"patch sum":               {judged, func(r *qa.Report) { r.Coverage.Patch.NonCode = 1 }, "coverage.patch.changed: 25, expected 21"},
		"missing lines of covered file": {judged, func(r *qa.Report) {
			r.Coverage.Patch.Files["a.go"], r.Coverage.Patch.Lines = qa.Count{Covered: 20, Total: 20}, qa.Count{Covered: 20, Total: 20}
			r.Coverage.Files = nil
		}, `coverage.patch.missing "a.go": 2 lines, expected at most 0`},
		"row of a file":        {judged, func(r *qa.Report) { r.Coverage.Files[0].Patch = &qa.Count{Covered: 20, Total: 20} }, `coverage.files[0] "a.go": 20/20`},
		"rate":                 {judged, func(r *qa.Report) { rate := 1e308; r.Coverage.Layers = []qa.LayerResult{{PassRate: &rate}} }, "coverage.layers[0].pass_rate: 1e+308, expected 0 to 1"},
		"target of a layer":    {judged, func(r *qa.Report) { r.Coverage.Layers = []qa.LayerResult{{Target: -1}} }, "coverage.layers[0].target: -1, expected 0 to 100"},
		"flaky rate":           {judged, func(r *qa.Report) { r.KnownFlaky = []qa.KnownFlaky{{Rate: 7}} }, "known_flaky[0].rate: 7, expected 0 to 1"},
		"mutants":              {judged, func(r *qa.Report) { r.Mutation = &qa.Mutation{Killed: -4} }, "mutation: -4"},
		"patch gate":           {judged, func(r *qa.Report) { r.Coverage.Patch.Unmapped = []string{"b.go"} }, "gate patch-coverage: PASS, expected another verdict"},
		"account lacks a file": {judged, func(r *qa.Report) { r.Account = r.Account[:1] }, `account: lacks "README.md"`},
		"account twice":        {judged, func(r *qa.Report) { r.Account = append(r.Account, r.Account[0]) }, `account[2] "a.go": no changed file, or a second time`},
		"account class":        {judged, func(r *qa.Report) { r.Account[0].Class = "fine" }, `account[0] "a.go": class "fine"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := c.report()
			if c.change != nil {
				c.change(r)
			}
			err := Verify(r)
			if c.want == "" {
				assert.NilError(t, err)
				return
			}
			assert.ErrorContains(t, err, c.want)
		})
	}
}

func regressed() qa.Finding {
	return qa.Finding{ID: "SCOUT-ISSUE-1", Severity: qa.Medium, Status: qa.StatusNew, Evidence: qa.Proven, Proof: &qa.Proof{Regression: true}}
}

// TestVerifyListsAll: every contradiction is listed, up to a limit, and hostile
// text stays short.
func TestVerifyListsAll(t *testing.T) {
	t.Parallel()
	r := judged()
	for range 500 {
		r.Gates = append(r.Gates, qa.Gate{Name: strings.Repeat("long\n", 100_000), Verdict: qa.Verdict(strings.Repeat("v", 100_000))})
	}
	err := Verify(r)
	assert.ErrorContains(t, err, "more")
	assert.Assert(t, len(err.Error()) < 10_000, "%d", len(err.Error()))
	assert.Equal(t, strings.Count(err.Error(), "\n"), maxContradictions+1)
}

// TestJudgedReportsVerify: whatever the evidence, what Score and Judge make of it
// agrees with itself.
func TestJudgedReportsVerify(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		r := judged()
		least, most := 1, 5
		if rapid.Bool().Draw(rt, "docs only") { // then no test is run
			r.Change.Files, r.Account, least, most = r.Change.Files[1:], r.Account[1:], 0, 0
		}
		passed := rapid.IntRange(least, most).Draw(rt, "passed")
		r.Tests.Head = qa.Tally{Tests: passed, Passed: passed}
		for range rapid.IntRange(0, most).Draw(rt, "failing") {
			f := qa.FailingTest{Triage: rapid.SampledFrom([]qa.Triage{qa.NewFailure, qa.PreExisting, qa.FlakyFailure, qa.UnknownFailure}).Draw(rt, "triage"),
				Base: qa.Failed, Head: []bool{false, true}, Case: qa.Case{Name: "x", Status: qa.Failed, Message: rapid.SampledFrom([]string{"a", "b"}).Draw(rt, "message")}}
			r.Tests.Failing = append(r.Tests.Failing, f)
			r.Tests.Head.Tests, r.Tests.Head.Failed = r.Tests.Head.Tests+1, r.Tests.Head.Failed+1
		}
		r.Tests.Groups = qa.GroupFailures(r.Tests.Failing)
		r.Manifest.Targets[0].Tests = r.Tests.Head
		if rapid.Bool().Draw(rt, "stuck") {
			r.Manifest.Targets = append(r.Manifest.Targets, qa.TargetRow{Name: "b", State: "inconclusive", Reason: "it does not start"})
		}
		for range rapid.IntRange(0, 20).Draw(rt, "findings") {
			f := qa.Finding{ID: "F", Severity: rapid.SampledFrom(qa.Severities()).Draw(rt, "severity"), Perspectives: []qa.Perspective{rapid.SampledFrom([]qa.Perspective{qa.Security, qa.Bug, qa.UX}).Draw(rt, "perspective")},
				Status: rapid.SampledFrom([]qa.FindingStatus{qa.StatusNew, qa.StatusKnown, qa.StatusReopened}).Draw(rt, "status"), Evidence: rapid.SampledFrom([]qa.Evidence{qa.Proven, qa.Corroborated, qa.Suspected}).Draw(rt, "evidence"),
				Engines: []string{rapid.SampledFrom([]string{"model", "gosec"}).Draw(rt, "engine")}}
			if rapid.Bool().Draw(rt, "proof") {
				f.Proof = &qa.Proof{Regression: rapid.Bool().Draw(rt, "regression"), Announced: rapid.SampledFrom([]string{"", "so it is"}).Draw(rt, "announced")}
			}
			r.Findings = append(r.Findings, f)
		}
		if rate := rapid.Float64Range(0, 1).Draw(rt, "rate"); rapid.Bool().Draw(rt, "layer") {
			r.Coverage.Layers = []qa.LayerResult{{Layer: qa.L1, State: "measured", Target: 80, PassRate: &rate, Patch: &r.Coverage.Patch.Lines, Effective: rapid.Bool().Draw(rt, "effective"), Below: rapid.Bool().Draw(rt, "below")}}
		}
		r.Partial = rapid.Bool().Draw(rt, "partial")
		r.Score = Score(r)
		Judge(r, Rules{Target: 80, FailOn: rapid.SliceOfDistinct(rapid.SampledFrom(qa.OptionalGates()), rapid.ID[string]).Draw(rt, "fail-on")})
		assert.NilError(rt, Verify(r))
	})
}
