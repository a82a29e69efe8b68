package reporter

import (
	"fmt"
	"io"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/escape"
	"github.com/org/qa-action/internal/reporter/extract"
	"github.com/org/qa-action/internal/reporter/number"
	"github.com/org/qa-action/internal/wording"
)

// Outputs are the action's outputs: scalars and workspace-relative paths. What
// is unknown is empty, never 0; rates are decimals from 0 to 1, cut (not
// rounded) to four places. A path is set only when o.Written names its
// reporter. An o.Dir that leaves the workspace is an error.
func Outputs(r *qa.Report, o Options) (map[string]string, error) {
	if o.Dir != "" && !escape.SafePath(o.Dir) {
		return nil, fmt.Errorf("report directory %q is not a path inside the workspace", o.Dir)
	}
	found := extract.Counting(r.Findings)
	severities := extract.BySeverity(found)
	out := map[string]string{
		"result":            extract.Verdict(r.Result),
		"quality-score":     "",
		"mode":              wording.Line(r.Mode, 20),
		"findings":          strconv.Itoa(len(found)),
		"findings-critical": strconv.Itoa(severities[qa.Critical]),
		"findings-high":     strconv.Itoa(severities[qa.High]),
		"tests-run":         strconv.Itoa(r.Tests.Head.Executed()),
		"tests-failed":      strconv.Itoa(r.Tests.Head.Failed + r.Tests.Head.Errors),
		"tests-generated":   strconv.Itoa(extract.KeptTests(r.Generated)),
		"pass-rate":         decimal(r.Tests.Head.PassRate()),
		"coverage":          "",
		"patch-coverage":    "",
		"report-dir":        o.Dir,
	}
	if r.Score.Value != nil {
		out["quality-score"] = strconv.Itoa(*r.Score.Value)
	}
	if h := r.Coverage.Head; h != nil {
		out["coverage"] = countDecimal(h.Lines)
	}
	if p := r.Coverage.Patch; p != nil {
		out["patch-coverage"] = countDecimal(&p.Lines)
	}
	for key, name := range map[string]string{
		"report-json": "json", "report-html": "html", "patch-path": "patch",
		"sarif-path": "sarif", "junit-path": "junit", "cobertura-path": "cobertura",
	} {
		out[key] = ""
		if rep, err := For(name); err == nil && rep.File != "" && slices.Contains(o.Written, name) {
			out[key] = path.Join(o.Dir, rep.File)
		}
	}
	return out, nil
}

// countDecimal is exact: 9,999 of 10,000 is 0.9999 and never 1.
func countDecimal(c *qa.Count) string {
	if c == nil || c.Total <= 0 {
		return ""
	}
	return fmt.Sprintf("%d.%04d", c.Covered/c.Total, int64(c.Covered%c.Total)*10_000/int64(c.Total))
}

func decimal(rate *float64) string {
	if rate == nil || math.IsNaN(*rate) || math.IsInf(*rate, 0) {
		return ""
	}
	return strconv.FormatFloat(float64(number.Basis(*rate))/10_000, 'f', 4, 64)
}

// renderOutputs writes the outputs as sorted name=value lines; no value holds a
// line feed.
func renderOutputs(w io.Writer, r *qa.Report, o Options) error {
	out, err := Outputs(r, o)
	if err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(out)) {
		if _, err := fmt.Fprintf(w, "%s=%s\n", key, out[key]); err != nil {
			return err
		}
	}
	return nil
}
