package reporter

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	generator "github.com/google/jsonschema-go/jsonschema"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

// schemaFile is the published schema of report.json.
const schemaFile = "../../docs/report.schema.json"

// enums are the closed word lists of the shape. The status of a test may be
// empty where no run was made.
func enums() map[reflect.Type]*generator.Schema {
	return map[reflect.Type]*generator.Schema{
		reflect.TypeFor[qa.Verdict]():       words(qa.Pass, qa.Conditional, qa.Fail, qa.Inconclusive, qa.NotApplicable, qa.Advisory),
		reflect.TypeFor[qa.Severity]():      words(qa.Severities()...),
		reflect.TypeFor[qa.Perspective]():   words(qa.Perspectives()...),
		reflect.TypeFor[qa.Layer]():         words(qa.Layers()...),
		reflect.TypeFor[qa.Evidence]():      words(qa.Proven, qa.Corroborated, qa.Suspected),
		reflect.TypeFor[qa.FindingStatus](): words(qa.StatusNew, qa.StatusKnown, qa.StatusDismissed, qa.StatusFixed, qa.StatusPersisting, qa.StatusReopened),
		reflect.TypeFor[qa.Triage]():        words(qa.NewFailure, qa.PreExisting, qa.FlakyFailure, qa.UnknownFailure),
		reflect.TypeFor[qa.Kind]():          words(qa.KindSource, qa.KindTest, qa.KindConfig, qa.KindStyle, qa.KindDocs, qa.KindOther),
		reflect.TypeFor[qa.FileStatus]():    words(qa.Added, qa.Modified, qa.Deleted, qa.Renamed, qa.Copied),
		reflect.TypeFor[qa.Status]():        words("", qa.Passed, qa.Failed, qa.Errored, qa.Skipped, qa.Flaky, qa.NotRun, qa.BuildFailed),
	}
}

func words[S ~string](all ...S) *generator.Schema {
	s := &generator.Schema{Type: "string"}
	for _, w := range all {
		s.Enum = append(s.Enum, string(w))
	}
	return s
}

// generatedSchema describes [qa.Report] as renderJSON writes it.
func generatedSchema(t *testing.T) []byte {
	t.Helper()
	s, err := generator.For[qa.Report](&generator.ForOptions{TypeSchemas: enums()})
	assert.NilError(t, err)
	s.Schema = "https://json-schema.org/draft/2020-12/schema"
	s.Title = "qa-action report"
	s.Description = "The whole result of a run. Paths are relative to the repository root, rates are decimals from 0 to 1, line numbers are 1-based and both ends of a range are included. null is unknown, never zero."
	s.Properties["schema"].Enum = []any{qa.ReportSchema}
	s.Properties["result"] = words(qa.Pass, qa.Conditional, qa.Fail, qa.Inconclusive)
	withoutNullLists(s)
	out, err := json.MarshalIndent(s, "", "  ")
	assert.NilError(t, err)
	return append(out, '\n')
}

// withoutNullLists: lists and maps are written as [] and {}, or left out.
func withoutNullLists(s *generator.Schema) {
	if s == nil {
		return
	}
	if len(s.Types) == 2 && s.Types[0] == "null" && (s.Types[1] == "array" || s.Types[1] == "object" && len(s.Properties) == 0) {
		s.Type, s.Types = s.Types[1], nil
	}
	for _, p := range s.Properties {
		withoutNullLists(p)
	}
	withoutNullLists(s.Items)
	withoutNullLists(s.AdditionalProperties)
}

// TestSchemaIsCurrent fails when the shape of the report and its published
// schema have drifted apart; -update writes it anew.
func TestSchemaIsCurrent(t *testing.T) {
	t.Parallel()
	want := generatedSchema(t)
	if flag.Lookup("update").Value.String() == "true" {
		assert.NilError(t, os.WriteFile(filepath.FromSlash(schemaFile), want, 0o644))
	}
	got, err := os.ReadFile(filepath.FromSlash(schemaFile))
	assert.NilError(t, err)
	assert.Assert(t, bytes.Equal(got, want), "docs/report.schema.json is not what the types say; run: go test ./internal/reporter -run TestSchemaIsCurrent -update")
}

func publishedSchema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile(filepath.FromSlash(schemaFile))
	assert.NilError(t, err)
	return s
}

// TestReportsFollowTheSchema: what every situation renders is valid, also
// where the report holds nothing but a verdict.
func TestReportsFollowTheSchema(t *testing.T) {
	t.Parallel()
	schema := publishedSchema(t)
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
	schema := publishedSchema(t)
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
		``:                        "EOF",
		`{"schema":2}`:            "schema 2, this version reads 1",
		`{"schema":1,"extra":1}`:  `unknown field "extra"`,
		`{"schema":1} {}`:         "text after the report",
		`{"schema":1,"gates":{}}`: "cannot unmarshal",
	} {
		_, err := Parse([]byte(in))
		assert.ErrorContains(t, err, want, "%q", in)
	}
}

// TestJSONLeavesTheReportAlone: a renderer may not change what it renders.
func TestJSONLeavesTheReportAlone(t *testing.T) {
	t.Parallel()
	r := &qa.Report{Result: qa.Pass}
	var out bytes.Buffer
	assert.NilError(t, Render(&out, "json", r, Options{}))
	assert.Assert(t, r.Findings == nil && r.Manifest.Skipped == nil && r.Schema == 0)
}
