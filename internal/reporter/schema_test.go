package reporter

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	generator "github.com/google/jsonschema-go/jsonschema"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// TestSchemaIsCurrent fails when the shape of the report and its published
// schema have drifted apart; -update writes it anew.
func TestSchemaIsCurrent(t *testing.T) {
	t.Parallel()
	fixture.Published(t, "report", fixture.Schema[qa.Report](t, "qa-action report",
		"The whole result of a run. Paths are relative to the repository root, rates are decimals from 0 to 1, line numbers are 1-based and both ends of a range are included. null is unknown, never zero.",
		func(s *generator.Schema) {
			s.Properties["schema"].Enum = []any{qa.ReportSchema}
			s.Properties["result"] = fixture.Words(qa.Pass, qa.Conditional, qa.Fail, qa.Inconclusive)
		}))
}

// TestReportsFollowTheSchema: what every situation renders is valid, also
// where the report holds nothing but a verdict.
func TestReportsFollowTheSchema(t *testing.T) {
	t.Parallel()
	schema := fixture.Compiled(t, "report")
	all := situations(t)
	all["bare"] = &qa.Report{Result: qa.Inconclusive}
	for name, r := range all {
		var out bytes.Buffer
		assert.NilError(t, Render(&out, "json", r, Options{}))
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(out.Bytes()))
		assert.NilError(t, err)
		assert.NilError(t, schema.Validate(doc), name)
		back, err := Parse(out.Bytes())
		assert.NilError(t, err, name)
		var again bytes.Buffer
		assert.NilError(t, Render(&again, "json", back, Options{}))
		assert.Assert(t, bytes.Equal(out.Bytes(), again.Bytes()), "%s does not survive a round trip", name)
	}
}

// TestSchemaRefuses: the schema is no rubber stamp.
func TestSchemaRefuses(t *testing.T) {
	t.Parallel()
	schema := fixture.Compiled(t, "report")
	for name, breakIt := range map[string]func(map[string]any){
		"unknown verdict": func(m map[string]any) { m["result"] = "GREAT" },
		"no verdict":      func(m map[string]any) { delete(m, "result") },
		"null findings":   func(m map[string]any) { m["findings"] = nil },
		"foreign field":   func(m map[string]any) { m["extra"] = 1 },
		"other version":   func(m map[string]any) { m["schema"] = 99 },
		"text for count":  func(m map[string]any) { m["tests"].(map[string]any)["head"].(map[string]any)["passed"] = "3" },
	} {
		var out bytes.Buffer
		assert.NilError(t, Render(&out, "json", situation(t, "clean-green.json"), Options{}))
		var doc map[string]any
		assert.NilError(t, json.Unmarshal(out.Bytes(), &doc))
		assert.NilError(t, schema.Validate(doc), name)
		breakIt(doc)
		assert.Assert(t, schema.Validate(doc) != nil, name)
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		``:                       "EOF",
		`{"schema":3}`:           "schema 3, this version reads 1 to 2",
		`{"schema":0}`:           "schema 0, this version reads 1 to 2",
		`{"schema":1,"extra":1}`: `unknown field "extra"`,
		`{"schema":2,"baseline":{"kind":"none","extra":1}}`: `unknown field "extra"`,
		`{"schema":1} {}`:         "text after the report",
		`{"schema":1,"gates":{}}`: "cannot unmarshal",
	} {
		_, err := Parse([]byte(in))
		assert.ErrorContains(t, err, want, "%q", in)
	}
}

// TestVersionOneIsRead: what was written before the kind of a baseline source got its
// name is read, and written anew in the words of today.
func TestVersionOneIsRead(t *testing.T) {
	t.Parallel()
	var now, again bytes.Buffer
	assert.NilError(t, Render(&now, "json", situation(t, "clean-green.json"), Options{}))
	old := strings.NewReplacer(`"schema": 2,`, `"schema": 1,`, `"kind": "check-run"`, `"rung": "check-run"`).Replace(now.String())
	assert.Assert(t, old != now.String() && !strings.Contains(old, `"kind": "check-run"`))
	r, err := Read(strings.NewReader(old))
	assert.NilError(t, err)
	assert.Equal(t, r.Baseline.Kind, "check-run")
	assert.NilError(t, Render(&again, "json", r, Options{}))
	assert.Equal(t, again.String(), now.String())
}

// TestJSONLeavesTheReportAlone: a renderer may not change what it renders.
func TestJSONLeavesTheReportAlone(t *testing.T) {
	t.Parallel()
	r := &qa.Report{Result: qa.Pass}
	var out bytes.Buffer
	assert.NilError(t, Render(&out, "json", r, Options{}))
	assert.Assert(t, r.Findings == nil && r.Manifest.Skipped == nil && r.Schema == 0)
}
