package extract

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

// TestLayerRateIsOfAllThatRan: a layer whose failures are all older than the
// change did not pass whole.
func TestLayerRateIsOfAllThatRan(t *testing.T) {
	t.Parallel()
	whole := 1.0
	l := qa.LayerResult{PassRate: &whole, Tally: &qa.Tally{Tests: 437, Failed: 437}}
	assert.Equal(t, LayerRate(l), "0 %")
	l.Tally = &qa.Tally{Tests: 100_000, Passed: 99_999, Failed: 1}
	assert.Equal(t, LayerRate(l), "99.99 %")
}

// Without coverage nobody knows whether what was loaded was executed.
func TestLoadedIsNotCalledUnexecutedWithoutCoverage(t *testing.T) {
	t.Parallel()
	r := &qa.Report{Account: []qa.FileAccount{{Path: "a.py", Class: qa.Loaded}}}
	if got := AccountOf(r)[0].Words(); got != "loaded" {
		t.Errorf("coverage unknown: %q", got)
	}
	r.Coverage.Head = &qa.Coverage{Files: []qa.FileCoverage{{Path: "a.py"}}}
	if got := AccountOf(r)[0].Words(); got != "loaded, not executed" {
		t.Errorf("coverage known: %q", got)
	}
}
