package reporter

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/sarif"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

func sarifSchema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	raw, err := os.ReadFile("testdata/sarif-schema/sarif-2.1.0.json")
	assert.NilError(t, err)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	assert.NilError(t, err)
	compiler := jsonschema.NewCompiler()
	assert.NilError(t, compiler.AddResource("sarif.json", doc))
	schema, err := compiler.Compile("sarif.json")
	assert.NilError(t, err)
	return schema
}

// TestSARIFIsValid checks every situation against the published schema.
func TestSARIFIsValid(t *testing.T) {
	t.Parallel()
	schema := sarifSchema(t)
	for name, r := range situations(t) {
		var out bytes.Buffer
		assert.NilError(t, sarif.Render(&out, r, Options{}), name)
		doc, err := jsonschema.UnmarshalJSON(&out)
		assert.NilError(t, err, name)
		assert.NilError(t, schema.Validate(doc), name)
	}
}

type sarifDoc struct {
	Runs []struct {
		Tool struct {
			Driver struct {
				Rules []struct {
					ID         string
					HelpURI    string `json:"helpUri"`
					Properties struct {
						Tags     []string
						Security string `json:"security-severity"`
					}
				}
			}
		}
		Invocations []struct {
			ExecutionSuccessful        bool
			ToolExecutionNotifications []struct{ Message struct{ Text string } }
		}
		Results []struct {
			RuleID              string
			RuleIndex           int
			Level               string
			Message             struct{ Text string }
			PartialFingerprints map[string]string
			Locations           []struct {
				PhysicalLocation struct {
					ArtifactLocation struct{ URI string }
					Region           struct{ StartLine, EndLine int }
				}
			}
		}
	}
}

func sarifOf(t testing.TB, r *qa.Report) sarifDoc {
	t.Helper()
	var out bytes.Buffer
	assert.NilError(t, sarif.Render(&out, r, Options{}))
	var doc sarifDoc
	assert.NilError(t, json.Unmarshal(out.Bytes(), &doc))
	assert.Equal(t, len(doc.Runs), 1)
	return doc
}

// TestSARIFLimit floods the renderer: the worst 5,000 stay and the cut is said.
func TestSARIFLimit(t *testing.T) {
	fixture.WithoutRaceDetector(t)
	t.Parallel()
	r := &qa.Report{}
	for i := range 7_000 {
		severity := qa.Low
		if i%7 == 0 {
			severity = qa.Critical
		}
		r.Findings = append(r.Findings, qa.Finding{Rule: qa.Rule{ID: fmt.Sprintf("x/%d", i%300)}, Severity: severity,
			Perspectives: []qa.Perspective{qa.Security}, Path: fmt.Sprintf("a/%d.go", i), Message: strings.Repeat("long ", 1000),
			Fingerprint: fmt.Sprint("f", i), Evidence: qa.Corroborated, Status: qa.StatusNew, CWE: strings.Fields(strings.Repeat("CWE-79 CWE-89 ", 20))})
	}
	doc := sarifOf(t, r)
	run := doc.Runs[0]
	assert.Equal(t, len(run.Results), 5_000)
	assert.Equal(t, run.Invocations[0].ToolExecutionNotifications[0].Message.Text, "5000 of 7000 findings, worst first; the code host shows no more")
	for i, result := range run.Results {
		assert.Equal(t, result.Level == "error", i < 1000, "result %d is out of order", i)
		assert.Assert(t, len(result.Message.Text) < 1100)
		assert.Equal(t, run.Tool.Driver.Rules[result.RuleIndex].ID, result.RuleID)
	}
	for _, rule := range run.Tool.Driver.Rules {
		assert.Assert(t, len(rule.Properties.Tags) <= 10)
		assert.Equal(t, rule.Properties.Security, "9.5")
	}
}

// TestSARIFStands pins which findings are shown and how.
func TestSARIFStands(t *testing.T) {
	t.Parallel()
	base := qa.Finding{Rule: qa.Rule{ID: "gosec/G204", URL: "javascript:alert(1)"}, Severity: qa.High, Path: "a b/ü.go",
		Perspectives: []qa.Perspective{qa.Bug}, Message: "look [here](https://evil.example)", Fingerprint: "same", Evidence: qa.Corroborated, Status: qa.StatusNew}
	with := func(change func(*qa.Finding)) qa.Finding { f := base; change(&f); return f }
	doc := sarifOf(t, &qa.Report{Result: qa.Inconclusive, Findings: []qa.Finding{
		base,
		with(func(f *qa.Finding) { f.Lines = qa.Range{Start: 7, End: 9} }),
		with(func(f *qa.Finding) { f.Evidence = qa.Suspected }),
		with(func(f *qa.Finding) { f.Status = qa.StatusDismissed }),
		with(func(f *qa.Finding) { f.Status = qa.StatusFixed }),
		with(func(f *qa.Finding) { f.Path = "../outside" }),
	}})
	run := doc.Runs[0]
	assert.Equal(t, len(run.Results), 2)
	assert.Equal(t, run.Invocations[0].ExecutionSuccessful, false)
	assert.Equal(t, run.Tool.Driver.Rules[0].HelpURI, "https://github.com/org/qa-action/blob/main/docs/severity.md")
	first, second := run.Results[0], run.Results[1]
	assert.Equal(t, first.PartialFingerprints["primaryLocationLineHash"], "same:1")
	assert.Equal(t, second.PartialFingerprints["primaryLocationLineHash"], "same:2")
	assert.Equal(t, first.Locations[0].PhysicalLocation.Region.StartLine, 1) // a whole file
	assert.Equal(t, second.Locations[0].PhysicalLocation.Region.EndLine, 9)
	assert.Equal(t, first.Locations[0].PhysicalLocation.ArtifactLocation.URI, "a%20b/%C3%BC.go")
	assert.Assert(t, !strings.Contains(first.Message.Text, "]("), first.Message.Text)
}
