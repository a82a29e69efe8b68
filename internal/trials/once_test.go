package trials

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
)

func TestADefectOfSeveralFilesIsToldOnce(t *testing.T) {
	t.Parallel()
	lost := "Every error of the parser is told as a wrong character; that a number is out of range is lost. Shown by: "
	claim := func(path, message string) qa.Finding {
		return qa.Finding{
			Rule: qa.Rule{ID: "model/range-lost"}, Path: path, Lines: qa.Range{Start: 9, End: 9}, Message: message, Engines: []string{"model"},
			Severity: qa.Low, Status: qa.StatusNew, Evidence: qa.Proven, Proof: &qa.Proof{Test: "Test of " + path, Regression: true},
		}
	}
	with := func(f qa.Finding, alter func(*qa.Finding)) qa.Finding { alter(&f); return f }
	for name, c := range map[string]struct {
		second qa.Finding
		want   string // paths
	}{
		"the same":      {claim("int8.go", lost+"--n=300"), "float.go"},
		"one file":      {claim("float.go", lost+"--n=300"), "float.go float.go"},
		"another cause": {claim("int8.go", "An empty list has no first entry."), "float.go int8.go"},
		"another kind":  {with(claim("int8.go", lost), func(f *qa.Finding) { f.Rule.ID = "model/lost-cause" }), "float.go int8.go"},
		"not proven":    {with(claim("int8.go", lost), func(f *qa.Finding) { f.Evidence, f.Proof = qa.Corroborated, nil }), "float.go int8.go"},
		"a weakness":    {with(claim("int8.go", lost), func(f *qa.Finding) { f.CWE = []string{"CWE-89"} }), "float.go int8.go"},
		"announced":     {with(claim("int8.go", lost), func(f *qa.Finding) { f.Proof.Announced = "ranges are gone" }), "float.go int8.go"},
		"dismissed":     {with(claim("int8.go", lost), func(f *qa.Finding) { f.Status = qa.StatusDismissed }), "float.go int8.go"},
		"an engine":     {with(claim("int8.go", lost), func(f *qa.Finding) { f.Engines = []string{"ruff", "model"} }), "float.go int8.go"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := once([]qa.Finding{claim("float.go", lost+"--n=1e400"), c.second})
			assert.Equal(t, strings.Join(each.Of(got, func(f qa.Finding) string { return f.Path }), " "), c.want)
		})
	}
	worse := with(claim("int8.go", lost+"--n=300"), func(f *qa.Finding) { f.Severity, f.Owners = qa.Medium, []string{"@numbers"} })
	got := once([]qa.Finding{claim("float.go", lost+"--n=1e400"), worse, claim("uint8.go", lost+"--n=256")})
	assert.Equal(t, len(got), 1)
	assert.Equal(t, got[0].Message, lost+"--n=1e400. Likewise in int8.go, line 9. Likewise in uint8.go, line 9.")
	assert.Equal(t, got[0].Severity, qa.Medium)
	assert.DeepEqual(t, got[0].Owners, []string{"@numbers"})
	assert.Equal(t, strings.Join(each.Of(got[0].Also, func(p qa.Proof) string { return p.Test }), ", "), "Test of int8.go, Test of uint8.go")
}
