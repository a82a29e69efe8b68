package reporter

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// situations are the reports all members are tried on: one file each in
// testdata/situations, and one too big for a file.
func situations(t testing.TB) map[string]*qa.Report {
	t.Helper()
	files, err := filepath.Glob("testdata/situations/*.json")
	assert.NilError(t, err)
	assert.Assert(t, len(files) >= 15, "situations are missing")
	all := map[string]*qa.Report{}
	if !fixture.Raced() {
		all["flood"] = flood(t)
	}
	for _, file := range files {
		all[strings.TrimSuffix(filepath.Base(file), ".json")] = situation(t, filepath.Base(file))
	}
	return all
}

func situation(t testing.TB, file string) *qa.Report {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata/situations", file))
	assert.NilError(t, err)
	r, err := Parse(raw)
	assert.NilError(t, err, file)
	return r
}

// flood has 3,000 findings and 400 failing tests.
func flood(t testing.TB) *qa.Report {
	t.Helper()
	r := situation(t, "failing-new-test.json")
	r.Reason = "400 new failing tests"
	r.Tests.Failing = nil
	for i := range 400 {
		c := qa.Case{Suite: fmt.Sprintf("src/module%02d/part.test.ts", i%40), Name: fmt.Sprintf("part %d > returns the same value on every call", i),
			File: fmt.Sprintf("src/module%02d/part.test.ts", i%40), Line: i + 1, Status: qa.Failed,
			Message: strings.Repeat(fmt.Sprintf("AssertionError: expected %d to be %d\n", i, i+1), 20)}
		r.Tests.Failing = append(r.Tests.Failing, qa.FailingTest{Case: c, Triage: qa.NewFailure, Base: qa.Passed, Head: []bool{false, false, false},
			Reproduce: fmt.Sprintf("npx vitest run %s -t 'part %d'", c.File, i)})
	}
	r.Tests.Head = qa.Tally{Tests: 4000, Passed: 3600, Failed: 400}
	r.Findings = nil
	for i := range 3000 {
		r.Findings = append(r.Findings, qa.Finding{ID: fmt.Sprintf("SCOUT-ISSUE-%d", i+1), Rule: qa.Rule{ID: "oxlint/no-undef"},
			Severity: qa.Severities()[i%4], Perspectives: []qa.Perspective{qa.Bug}, Engines: []string{"oxlint"},
			Path: fmt.Sprintf("src/module%02d/file%d.ts", i%40, i), Lines: qa.Range{Start: i + 1, End: i + 1},
			Message: fmt.Sprintf("Name value%d is not defined.", i), Evidence: qa.Corroborated, Status: qa.StatusNew})
	}
	r.Tests.Groups = qa.GroupFailures(r.Tests.Failing)
	r.Manifest.Targets[0].Tests = r.Tests.Head
	// Not judged here, so that the goldens do not follow the wording of gates.
	value := 0
	r.Score = qa.Score{Value: &value, Terms: []qa.Term{{Name: "start", Points: 100}, {Name: "findings", Points: -60}, {Name: "new failures", Points: -40}}}
	for i := range r.Gates {
		g := &r.Gates[i]
		switch g.Name {
		case qa.GateNewFailures:
			g.Measured = "400 new failing tests"
		case qa.GateScore:
			g.Measured, g.Verdict = "0", qa.Fail
		case qa.GateFindings:
			g.Measured, g.Verdict = "750 critical, 750 high", qa.Advisory
		}
	}
	return r
}

// TestSituationsAgree: a situation that no run can be in shows nothing.
func TestSituationsAgree(t *testing.T) {
	t.Parallel()
	for name, r := range situations(t) {
		known := *r // no run has a gate of such a name, and whoever shows one must not be hurt
		known.Gates = slices.DeleteFunc(slices.Clone(r.Gates), func(g qa.Gate) bool { return strings.HasPrefix(g.Name, "hostile ") })
		assert.NilError(t, quality.Verify(&known), name)
	}
}

// onHost are the options of a run on GitHub.
func onHost() Options {
	return Options{
		Links: Links{Server: "https://github.com", Repository: "octo-org/shop", SHA: "9f2c41d7a05be6c8134d0f5a6b7c8d9e0f1a2b3c",
			Number: 42, Run: "https://github.com/octo-org/shop/actions/runs/1"},
		Dir:     "qa-report/qa-add-discounts-20261120-9f2c41d",
		Written: []string{"json", "html", "markdown", "patch"},
		Source: func(path string) ([]byte, error) {
			return os.ReadFile(filepath.Join("testdata/source", filepath.Base(path)))
		},
	}
}

// TestSituations is the golden of every member in every situation.
func TestSituations(t *testing.T) {
	t.Parallel()
	for name, r := range situations(t) {
		for _, member := range Names() {
			if name == "flood" && (member == "json" || member == "html" || member == "markdown" || member == "summary" || member == "sarif") {
				continue // megabytes of the same; TestGuarantees looks at them
			}
			t.Run(name+"/"+member, func(t *testing.T) {
				t.Parallel()
				var out bytes.Buffer
				assert.NilError(t, Render(&out, member, r, onHost()))
				golden.Assert(t, out.String(), filepath.Join(member, name+".golden"))
			})
		}
	}
}
