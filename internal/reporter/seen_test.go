package reporter

import (
	"bytes"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// TestNotDoneStandsUnderTheVerdict: what the verdict has to do without comes
// right after it wherever people read, folded nowhere, and survives a limit that
// costs everything else but the gates.
func TestNotDoneStandsUnderTheVerdict(t *testing.T) {
	t.Parallel()
	r := situation(t, "what-was-seen.json")
	for _, member := range []string{"comment", "markdown", "summary", "html", "console", "check summary"} {
		var text string
		if member == "check summary" {
			text = Check(r, onHost()).Summary
		} else {
			var out bytes.Buffer
			assert.NilError(t, Render(&out, member, r, onHost()))
			text = out.String()
		}
		if member == "html" {
			_, text, _ = strings.Cut(text, "<h1>")
		}
		verdict := strings.Index(text, "FAIL")
		facts := strings.Index(text, "649 tests, 440 failed")
		for _, what := range r.Manifest.NotDone {
			at := strings.Index(text, what)
			assert.Assert(t, verdict >= 0 && verdict < at && at < facts, "%s: %q stands at %d, the verdict at %d, the facts at %d", member, what, at, verdict, facts)
			assert.Assert(t, !strings.Contains(text[:at], "<details"), "%s: %q is folded", member, what)
		}
	}
	for _, budget := range []int{3_000, 8_000} {
		assert.Assert(t, strings.Contains(body(t, "comment", r, budget), "base was cut after 10 min"), budget)
	}
}

// TestAccountIsBounded: every class is counted; what was not seen is named, both
// within limits, for a change of any size.
func TestAccountIsBounded(t *testing.T) {
	t.Parallel()
	r := situation(t, "what-was-seen.json")
	r.Account = nil
	for range 5000 {
		r.Account = append(r.Account, qa.FileAccount{Path: strings.Repeat("long/", 100) + "x.json", Class: qa.Unseen, Evidence: strings.Repeat("why ", 500)},
			qa.FileAccount{Path: "a.go", Class: "odd"}, qa.FileAccount{Path: "b.go", Class: qa.Executed})
	}
	for _, member := range []string{"comment", "markdown", "html", "console"} {
		var out bytes.Buffer
		assert.NilError(t, Render(&out, member, r, onHost()))
		assert.Assert(t, strings.Contains(out.String(), "What the run saw of 15,000 changed files: 5,000 executed · 10,000 unseen"), member)
		assert.Assert(t, out.Len() < 2<<20, "%s has %d bytes", member, out.Len())
	}
}

// TestMaxFindingsCutsOnlyWhatIsShown: data, counts and critical findings stay.
func TestMaxFindingsCutsOnlyWhatIsShown(t *testing.T) {
	fixture.WithoutRaceDetector(t)
	t.Parallel()
	r := flood(t) // 750 of each severity
	r.MaxShown = 2
	outputs := func(r *qa.Report) map[string]string {
		out, err := Outputs(r, Options{})
		assert.NilError(t, err)
		return out
	}
	all := *r
	all.MaxShown = 0
	assert.DeepEqual(t, outputs(r), outputs(&all))
	sarif, whole := new(bytes.Buffer), new(bytes.Buffer)
	assert.NilError(t, Render(sarif, "sarif", r, onHost()))
	assert.NilError(t, Render(whole, "sarif", &all, onHost()))
	assert.Assert(t, bytes.Equal(sarif.Bytes(), whole.Bytes()))
	for _, member := range []string{"comment", "markdown", "html"} {
		var out bytes.Buffer
		assert.NilError(t, Render(&out, member, r, onHost()))
		text := out.String()
		assert.Assert(t, strings.Contains(text, "3,000 new findings: 750 critical, 750 high, 750 medium, 750 low"), member)
		assert.Assert(t, strings.Contains(text, "1,500 further findings are counted and, by max-findings, not shown in full: 750 medium, 750 low."), member)
	}
	mix := situation(t, "findings-mix.json")
	mix.MaxShown = 3
	var out bytes.Buffer
	assert.NilError(t, Render(&out, "console", mix, Options{}))
	assert.Assert(t, strings.Contains(out.String(), "… 2 further findings are counted and, by max-findings, not shown in full: 1 medium, 1 low."), out.String())
}
