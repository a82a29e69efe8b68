package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	generator "github.com/google/jsonschema-go/jsonschema"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/artifact"
	"github.com/org/qa-action/internal/history"
	"github.com/org/qa-action/internal/mutation"
	"github.com/org/qa-action/internal/notes"
	"github.com/org/qa-action/internal/output"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/finding"
	"github.com/org/qa-action/internal/session"
	"github.com/org/qa-action/internal/source/mutant"
	"github.com/org/qa-action/internal/task"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// memoryFile is shared-memory.json; a field is there once its owner has set it.
type memoryFile struct {
	Issues    []qa.Finding                    `json:"discovered_issues,omitempty"`
	Strategy  *qa.Strategy                    `json:"test_strategy,omitempty"`
	Generated map[qa.Layer][]qa.GeneratedTest `json:"generated_tests,omitempty"`
	Results   map[qa.Layer]artifact.Layer     `json:"execution_results,omitempty"`
	Effective []string                        `json:"effective_patterns,omitempty"`
	Patterns  []qa.Pattern                    `json:"defect_patterns,omitempty"`
	Score     *int                            `json:"quality_score,omitempty"`
	Coverage  []qa.TrendPoint                 `json:"coverage_history,omitempty"`
}

// TestSchemasAreCurrent fails when the files of a session and their published
// schemas have drifted apart; -update writes them anew.
func TestSchemasAreCurrent(t *testing.T) {
	t.Parallel()
	states := func(s *generator.Schema) {
		s.Properties["state"] = fixture.Words("measured", "skipped", "unknown")
	}
	for name, want := range map[string][]byte{
		"session": fixture.Schema[session.Meta](t, "qa-action session", "Which run a session belongs to and where it stands. Times are RFC 3339.", func(s *generator.Schema) {
			s.Properties["schema"].Enum = []any{session.Schema}
			s.Properties["state"] = fixture.Words(session.Active, session.Interrupted, session.Finished)
		}),
		"gc-state":      fixture.Schema[session.Rounds](t, "qa-action rounds", "The rounds of test generation, by layer. Coverage is in percent, pass rates are decimals from 0 to 1, null is unknown.", nil),
		"scan-results":  fixture.Schema[artifact.Scan](t, "qa-action scan", "The findings of a scan and what became of each engine. The counts leave out findings that do not count, such as dismissed ones.", nil),
		"test-strategy": fixture.Schema[qa.Strategy](t, "qa-action test strategy", "Which layers of tests a change needs and which functions they should reach first. Targets are in percent, baseline_coverage is a decimal from 0 to 1, null is unknown.", nil),
		"run-layer":     fixture.Schema[artifact.Layer](t, "qa-action layer result", "What the tests of one layer came to. pass_rate is a decimal from 0 to 1, coverage is the percentage of changed lines, null is unknown.", states),
		"shared-memory": fixture.Schema[memoryFile](t, "qa-action shared memory", "What the roles of a run told each other. A field is absent until the role that owns it has set it; a score of null is unknown.", func(s *generator.Schema) {
			states(s.Properties["execution_results"].AdditionalProperties)
		}),
		"history": fixture.Schema[history.Book](t, "qa-action history", "What a series of runs taught about a repository. Dates are RFC 3339, coverage is a decimal from 0 to 1, null is unknown.", func(s *generator.Schema) {
			s.Properties["schema"].Enum = []any{history.Schema}
		}),
		"mutation": fixture.Schema[mutation.File](t, "qa-action mutants", "The mutants of a change, as the subset that qa-action writes of the mutation-testing report schema, version 2. Lines and columns count from 1, a column in UTF-16 units; the end of a location is the first place behind it.", func(s *generator.Schema) {
			s.Properties["schemaVersion"].Enum = []any{"2"}
			for _, band := range s.Properties["thresholds"].Properties {
				band.Minimum, band.Maximum = new(0.0), new(100.0)
			}
			mutants := s.Properties["files"].AdditionalProperties.Properties["mutants"]
			mutants.UniqueItems = true
			mutant := mutants.Items.Properties
			mutant["status"] = fixture.Words(mutation.Killed, mutation.Survived, mutation.NoCoverage, mutation.Timeout, mutation.CompileError, mutation.Ignored)
			for _, place := range mutant["location"].Properties {
				for _, number := range place.Properties {
					number.Minimum = new(1.0)
				}
			}
		}),
	} {
		fixture.Published(t, name, want)
	}
}

// follows says what the published schema has against a value.
func follows(t *testing.T, name string, value any) error {
	t.Helper()
	raw, err := json.Marshal(value)
	assert.NilError(t, err)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	assert.NilError(t, err)
	return fixture.Compiled(t, name).Validate(doc)
}

// TestEmptyResultsHaveLists: where nothing was found, chosen or learnt, lists
// are shown as empty, not as unknown.
func TestEmptyResultsHaveLists(t *testing.T) {
	t.Parallel()
	s, err := session.Create(output.At(t.TempDir()), session.Spec{Mode: "full", Tasks: []session.Task{{ID: "SCOUT-001", Title: "scan", Role: task.Scout, ExecMode: session.OneShot, Outcome: session.Outcome{Wave: 1, Status: session.Pending}}}})
	assert.NilError(t, err)
	defer func() { assert.NilError(t, s.Close()) }()
	r := Recorder{Session: s, Notes: &notes.Log{}}
	strategy := qa.Strategy{Layers: []qa.LayerPlan{{Layer: qa.L2, Name: "integration"}}}
	assert.Assert(t, follows(t, "test-strategy", strategy) != nil, "the schema takes null for a list")
	assert.Assert(t, follows(t, "scan-results", artifact.ScanOf(finding.Result{}, time.Time{}, nil)) != nil)
	r.file("strategy/test-strategy.json", Listed(r.Notes, strategy))
	r.file("scan/scan-results.json", Listed(r.Notes, artifact.ScanOf(finding.Result{}, time.Time{}, nil)))
	r.file("results/run-L1.json", artifact.LayerOf(qa.LayerResult{Layer: qa.L1, State: "skipped"}, ""))
	r.Notes.Note(s.Memory.Remember(task.Strategist, "test_strategy", Listed(r.Notes, strategy)))
	r.Notes.Note(s.Memory.Remember(task.Scout, "discovered_issues", Listed(r.Notes, []qa.Finding(nil))))
	r.Notes.Note(s.Memory.Remember(task.Generator, "generated_tests/L1", Listed(r.Notes, []qa.GeneratedTest(nil))))
	r.Notes.Note(s.Memory.Remember(task.Executor, "execution_results/L1", artifact.LayerOf(qa.LayerResult{Layer: qa.L1, State: "unknown"}, "")))
	r.Notes.Note(s.Memory.Remember(task.Analyst, "quality_score", (*int)(nil)))
	assert.Equal(t, len(r.Notes.Warnings()), 0)
	seen := fixture.Valid(t, s.Dir())
	assert.DeepEqual(t, seen, []string{"gc-state.json", "run-L1.json", "scan-results.json", "session.json", "shared-memory.json", "test-strategy.json"})
}

const mutated = "package a\n\nfunc A(n int) string {\n\t/* é𝄞 */ if n < 0 {\n\t\treturn \"less\"\n\t}\n\treturn \"\"\n}\n"

// TestMutantsAreShownWhereTheyAre holds mutation.json to what its schema asks
// for beyond its shape: places inside of the source in the units of a viewer,
// ids that name one mutant, killers that are in the list of tests.
func TestMutantsAreShownWhereTheyAre(t *testing.T) {
	t.Parallel()
	found, err := mutant.Make("a.go", []byte(mutated), []qa.Range{{Start: 1, End: 8}})
	assert.NilError(t, err)
	assert.Assert(t, len(found) > 1)
	var all []mutation.Judged
	statuses := []string{mutation.Survived, mutation.NoCoverage, mutation.Timeout, mutation.CompileError, mutation.Ignored}
	for i, m := range found {
		all = append(all, mutation.Judged{Mutant: m, Status: statuses[i%len(statuses)]})
	}
	whole := mutant.Mutant{ID: "whole", Operator: mutant.RemovedCall, Path: "a.go", EndByte: len(mutated)}
	outside := mutant.Mutant{ID: "outside", Operator: mutant.RemovedCall, Path: "a.go", EndByte: len(mutated) + 1}
	negative := mutant.Mutant{ID: "negative", Operator: mutant.RemovedCall, Path: "a.go", StartByte: -1}
	gone := mutant.Mutant{ID: "gone", Operator: mutant.RemovedCall, Path: "gone.go"}
	for _, m := range []mutant.Mutant{whole, outside, negative, gone} {
		all = append(all, mutation.Judged{Mutant: m, Status: mutation.Survived})
	}
	read := func(name string) ([]byte, error) {
		if name != "a.go" {
			return nil, errors.New("no such file")
		}
		return []byte(mutated), nil
	}
	out := mutation.Artifact(all, map[string]string{found[0].ID: "a_test.go > TestA", "whole": "a_test.go > TestA"}, "", read)
	assert.NilError(t, follows(t, "mutation", out))
	assert.NilError(t, follows(t, "mutation", mutation.Artifact(nil, nil, "", read)))

	assert.Equal(t, len(out.Files), 1)
	shown := out.Files["a.go"].Mutants
	assert.Equal(t, len(shown), len(found)+1)
	assert.DeepEqual(t, out.Tests, map[string]mutation.Killers{"a_test.go": {Tests: []mutation.Killer{{ID: "a_test.go > TestA", Name: "TestA"}}}})
	// The two characters before the condition are three bytes more, and one
	// unit more, than they are characters.
	line := strings.Split(mutated, "\n")[3]
	at := strings.Index(line, "<")
	assert.DeepEqual(t, shown[0].Location.Start, mutation.Place{Line: 4, Column: at + 1 - len("é𝄞") + 3})
	assert.DeepEqual(t, shown[0].KilledBy, []string{"a_test.go > TestA"})
	assert.Equal(t, shown[0].Status, mutation.Killed)
	assert.DeepEqual(t, shown[len(shown)-1].Location, mutation.Span{Start: mutation.Place{Line: 1, Column: 1}, End: mutation.Place{Line: 9, Column: 1}})
	ids := map[string]bool{}
	for _, m := range shown {
		start, end := m.Location.Start, m.Location.End
		assert.Assert(t, start.Line < end.Line || start.Line == end.Line && start.Column < end.Column, "%s is nowhere", m.ID)
		assert.Assert(t, !ids[m.ID], "two mutants are %s", m.ID)
		ids[m.ID] = true
	}
	for name, wrong := range map[string]func(*mutation.File){
		"unknown status": func(f *mutation.File) { f.Files["a.go"].Mutants[0].Status = "Dead" },
		"column zero":    func(f *mutation.File) { f.Files["a.go"].Mutants[0].Location.Start.Column = 0 },
		"twice the same": func(f *mutation.File) { f.Files["a.go"].Mutants[1] = f.Files["a.go"].Mutants[0] },
		"threshold":      func(f *mutation.File) { f.Thresholds.High = 101 },
		"no list":        func(f *mutation.File) { f.Files["a.go"] = mutation.Source{} },
		"version":        func(f *mutation.File) { f.Version = "3" },
	} {
		broken, err := qa.WithLists(out)
		assert.NilError(t, err)
		wrong(&broken)
		assert.Assert(t, follows(t, "mutation", broken) != nil, name)
	}
}
