package reporter

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"gotest.tools/v3/assert"
	"pgregory.net/rapid"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/escape"
	"github.com/org/qa-action/internal/reporter/extract"
	"github.com/org/qa-action/internal/reporter/markdown"
	"github.com/org/qa-action/internal/testsupport/fixture"
	"github.com/org/qa-action/internal/wording"
)

// sinks are the size-limited texts of a report.
var sinks = []string{"comment", "summary", "check summary", "check text"}

func body(t testing.TB, sink string, r *qa.Report, budget int) string {
	t.Helper()
	o := onHost()
	o.Budget = budget
	switch sink {
	case "check summary":
		return Check(r, o).Summary
	case "check text":
		return Check(r, o).Text
	}
	var b bytes.Buffer
	assert.NilError(t, Render(&b, sink, r, o))
	return b.String()
}

// guaranteed asserts what no limit may cost.
func guaranteed(t testing.TB, r *qa.Report, where, body string, budget int) {
	t.Helper()
	assert.Assert(t, len(body) <= budget, "%s has %d bytes, limit %d", where, len(body), budget)
	assert.Assert(t, utf8.ValidString(body), where)
	if where == "check text" {
		return
	}
	assert.Assert(t, strings.Contains(body, "QA "+string(r.Result)), "%s lost the verdict", where)
	for _, g := range r.Gates {
		assert.Assert(t, strings.Contains(body, escape.Prose(g.Name, 60)), "%s lost gate %q", where, g.Name)
	}
	for _, g := range extract.Groups(r.Tests) {
		assert.Assert(t, strings.Contains(body, escape.Code(g.Tests[0], extract.NameLimit)), "%s lost failed test %q", where, g.Tests[0])
		assert.Assert(t, g.Count == 1 || strings.Contains(body, wording.Number(g.Count)) || strings.Contains(body, wording.Number(g.Count-1)), "%s lost the number of %q", where, g.Message)
	}
}

// TestGuarantees holds for every situation at the real limits, and at a
// fraction of them.
func TestGuarantees(t *testing.T) {
	fixture.WithoutRaceDetector(t)
	t.Parallel()
	for name, r := range situations(t) {
		for _, budget := range []int{commentBudget, summaryBudget} {
			for _, sink := range sinks {
				t.Run(fmt.Sprintf("%s/%s/%d", name, sink, budget), func(t *testing.T) { guaranteed(t, r, sink, body(t, sink, r, budget), budget) })
			}
		}
	}
}

var wordy = rapid.StringOfN(rapid.RuneFrom([]rune("abcdefghij `|*_<>&@#\\\n\x1b\u202e日本é:/$")), 0, 90, 90)

func drawReport(t *rapid.T) *qa.Report {
	r := &qa.Report{Schema: qa.ReportSchema, Result: rapid.SampledFrom([]qa.Verdict{qa.Pass, qa.Conditional, qa.Fail, qa.Inconclusive}).Draw(t, "result"),
		Reason: wordy.Draw(t, "reason"), Partial: rapid.Bool().Draw(t, "partial")}
	for range rapid.IntRange(0, 20).Draw(t, "gates") {
		r.Gates = append(r.Gates, qa.Gate{Name: rapid.StringMatching(`[a-z][a-z ]{0,20}`).Draw(t, "gate"), Rule: wordy.Draw(t, "rule"), Measured: wordy.Draw(t, "measured"),
			Verdict: rapid.SampledFrom([]qa.Verdict{qa.Pass, qa.Fail, qa.Advisory, "", "odd"}).Draw(t, "verdict"), Input: wordy.Draw(t, "input"), Reason: wordy.Draw(t, "why")})
	}
	long := rapid.StringOfN(rapid.RuneFrom([]rune("abc\n `")), 0, 3000, 3000).Draw(t, "message")
	for i := range rapid.IntRange(0, 400).Draw(t, "failing") {
		r.Tests.Failing = append(r.Tests.Failing, qa.FailingTest{
			Case:   qa.Case{Suite: fmt.Sprintf("suite%d", i), Name: strings.Repeat("n", rapid.IntRange(0, 60).Draw(t, "length")), File: "a_test.go", Line: i, Message: long},
			Triage: rapid.SampledFrom([]qa.Triage{qa.NewFailure, qa.PreExisting, qa.FlakyFailure, qa.UnknownFailure, "odd"}).Draw(t, "triage"), Reproduce: long,
			Quarantine: rapid.SampledFrom([]string{"", "until 2999-12-31: " + long}).Draw(t, "quarantine")})
	}
	finding := qa.Finding{Rule: qa.Rule{ID: wordy.Draw(t, "rule id")}, Severity: qa.High, Evidence: qa.Corroborated, Status: qa.StatusNew, Path: "a.go", Lines: qa.Range{Start: 1, End: 2}, Message: long}
	for range rapid.IntRange(0, 500).Draw(t, "findings") {
		r.Findings = append(r.Findings, finding)
	}
	r.Recommendations = []string{wordy.Draw(t, "recommendation"), long}
	for range rapid.IntRange(0, 60).Draw(t, "problems") {
		r.Tests.Problems = append(r.Tests.Problems, qa.Problem{Kind: "crash", Where: wordy.Draw(t, "where"), Message: long})
	}
	return r
}

// TestAnyReportFits: up to 20 gates and 400 failing tests with names up to 70
// characters, whatever else the report holds, nothing guaranteed is lost.
func TestAnyReportFits(t *testing.T) {
	fixture.WithoutRaceDetector(t)
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		r := drawReport(rt)
		budget := rapid.SampledFrom([]int{commentBudget, markdown.CheckBudget, 50_000}).Draw(rt, "budget")
		sink := rapid.SampledFrom(sinks).Draw(rt, "sink")
		guaranteed(t, r, sink, body(t, sink, r, budget), budget)
	})
}

// TestTinyLimits: even where names cannot fit, the output keeps the limit, the
// verdict and an honest count.
func TestTinyLimits(t *testing.T) {
	fixture.WithoutRaceDetector(t)
	t.Parallel()
	r := flood(t)
	for _, budget := range []int{1_000, 3_000, 20_000} {
		for _, where := range sinks[:3] {
			body := body(t, where, r, budget)
			assert.Assert(t, len(body) <= budget, "%s: %d > %d", where, len(body), budget)
			assert.Assert(t, strings.Contains(body, "QA FAIL"), where)
			m := regexp.MustCompile(`\((\d+) of 400 names\)`).FindStringSubmatch(body)
			assert.Assert(t, m != nil, "%s at %d does not say how many names it shows:\n%s", where, budget, body)
			assert.Equal(t, m[1], fmt.Sprint(strings.Count(body, "`src/module")), "%s at %d", where, budget)
		}
	}
}
