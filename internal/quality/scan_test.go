package quality

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/qa"
)

func engine(name, state, gap string) qa.Engine {
	return qa.Engine{Name: name, State: state, Gap: gap}
}

func TestScanGapsAreOneLine(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		engines []qa.Engine
		want    []string
	}{
		"complete":                {[]qa.Engine{engine("ruff", "ran", ""), engine("eslint", "skipped", "")}, nil},
		"missing without a gap":   {[]qa.Engine{engine("ruff", "ran", ""), engine("pylint", "missing", "")}, nil},
		"one is missing":          {[]qa.Engine{engine("ruff", "missing", "3 Python files")}, []string{"scan incomplete: ruff is not installed (3 Python files changed)"}},
		"two are missing":         {[]qa.Engine{engine("eslint", "missing", "1 TypeScript file"), engine("oxlint", "missing", "1 TypeScript file")}, []string{"scan incomplete: eslint and oxlint are not installed (1 TypeScript file changed)"}},
		"of several kinds":        {[]qa.Engine{engine("gosec", "failed", "2 Go files"), engine("govet", "timeout", "2 Go files"), engine("ruff", "missing", "1 Python file")}, []string{"scan incomplete: gosec failed (2 Go files changed); govet did not end in time (2 Go files changed); ruff is not installed (1 Python file changed)"}},
		"more than anybody reads": {[]qa.Engine{engine("a", "failed", "1 Go file"), engine("b", "failed", "1 Go file"), engine("c", "failed", "1 Go file"), engine("d", "failed", "1 Go file"), engine("e", "failed", "1 Go file"), engine("f", "failed", "1 Go file"), engine("g", "failed", "1 Go file"), engine("h", "failed", "1 Go file")}, []string{"scan incomplete: a, b, c, d, e, f and 2 more engines failed (1 Go file changed)"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &qa.Report{Manifest: qa.Manifest{Engines: c.engines}}
			if d := cmp.Diff(c.want, ScanGaps(r)); d != "" {
				t.Error(d)
			}
		})
	}
}

// A scan that did not finish decides nothing on its own, is never clean where
// it was asked to decide, and what it did find still fails.
func TestAScanThatDidNotFinishIsNotClean(t *testing.T) {
	t.Parallel()
	ran, dead := engine("secrets", "ran", ""), engine("ruff", "timeout", "1 Python file")
	bad := []qa.Finding{{Severity: qa.Critical, Status: qa.StatusNew, Evidence: qa.Corroborated}}
	const why = "scan incomplete: ruff did not end in time (1 Python file changed)"
	for name, c := range map[string]struct {
		engines  []qa.Engine
		findings []qa.Finding
		failOn   []string
		want     map[string]qa.Verdict
		measured string
		reason   string
	}{
		"complete":                {[]qa.Engine{ran}, nil, []string{"findings"}, map[string]qa.Verdict{"findings": qa.Pass}, "0 critical, 0 high", ""},
		"not asked":               {[]qa.Engine{ran, dead}, nil, nil, map[string]qa.Verdict{"findings": qa.Advisory}, "0 critical, 0 high", why},
		"asked":                   {[]qa.Engine{ran, dead}, nil, []string{"findings"}, map[string]qa.Verdict{"findings": qa.Inconclusive}, "0 critical, 0 high", why},
		"asked for criticals":     {[]qa.Engine{ran, dead}, nil, []string{"findings-critical"}, map[string]qa.Verdict{"findings": qa.Advisory, "findings-critical": qa.Inconclusive}, "0 critical, 0 high", why},
		"found something worse":   {[]qa.Engine{ran, dead}, bad, []string{"findings"}, map[string]qa.Verdict{"findings": qa.Fail}, "1 critical, 0 high", why},
		"no engine ran":           {[]qa.Engine{dead}, nil, []string{"findings"}, map[string]qa.Verdict{"findings": qa.Inconclusive}, "unknown", why},
		"no engine ran nor asked": {[]qa.Engine{dead}, nil, nil, map[string]qa.Verdict{"findings": qa.Advisory}, "unknown", why},
		"a mode without a scan":   {[]qa.Engine{engine("coverage-gap", "ran", "")}, nil, []string{"findings"}, map[string]qa.Verdict{"findings": qa.Inconclusive}, "unknown", "no engine of the scan is part of mode testing"},
		"nothing to scan":         {[]qa.Engine{engine("ruff", "skipped", "")}, nil, []string{"findings"}, map[string]qa.Verdict{}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := &judge{r: &qa.Report{Mode: "testing", Findings: c.findings, Manifest: qa.Manifest{Engines: c.engines}}, rules: Rules{FailOn: c.failOn}}
			g.findings()
			got := map[string]qa.Verdict{}
			for _, gate := range g.gates {
				got[gate.Name] = gate.Verdict
				if gate.Reason != c.reason || gate.Name == qa.GateFindings && gate.Measured != c.measured {
					t.Errorf("%+v", gate)
				}
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}
