// Package generator asks a model for tests of changed functions. Start at
// [Model.Write]. It proposes only: where a test goes is decided by code, and
// whether it stays by the chain of package assurance.
//
// Two lanes are never mixed. Hardening tests state what the code does and shall
// keep doing; catching tests state what the change should have kept or its
// description promises, and may fail: a failure is evidence, never repaired
// away.
package generator

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"text/template"

	"golang.org/x/sync/errgroup"

	"github.com/org/qa-action/internal/llm"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source"
)

// The lanes.
const (
	Hardening = "hardening"
	Catching  = "catching"
)

// Test is one test as a model writes it.
type Test struct {
	Name    string   `json:"name" jsonschema:"name of the test function or title of the test"`
	Lane    string   `json:"lane" jsonschema:"hardening or catching"`
	Imports []string `json:"imports" jsonschema:"whole import statements the test needs beyond what the test file has"`
	In      string   `json:"in" jsonschema:"title of the describe block or name of the test class that holds it; empty for none and for Go"`
	Code    string   `json:"code" jsonschema:"exactly one whole test function or test block, without imports and package clause"`
	Why     string   `json:"why" jsonschema:"what fails if the code is wrong, in one sentence"`
}

// Reply is what the model answers.
type Reply struct {
	Tests []Test `json:"tests"`
}

// Subject is one changed function and what a test of it needs to know.
type Subject struct {
	Layer       qa.Layer
	Framework   string
	Conventions qa.Conventions
	Focus       qa.Focus
	Package     string // Go package clause of a new test file
	Source      string // the function on head, its file's imports above it
	Before      string // the function on base, empty when it is new or unchanged
	Callees     string // signatures and comments of what it calls
	Callers     string // lines that call it
	TestPath    string // where its tests go
	TestFile    string // the test file as it is, empty when new
	Example     string // a neighbouring test file when there is none
	Findings    []qa.Finding
	Survivors   []string // mutants no test noticed
	Title, Body string   // of the pull request: hostile
	// Failure is what became of an earlier attempt; the tests are asked again.
	Failure      string
	Instructions string
	Round        int
}

// Candidate is a test on trial.
type Candidate struct {
	Test
	Layer   qa.Layer
	Path    string // of the test file
	Source  string // path of the file under test
	Target  string // symbol under test
	Package string
	Finding string // id of the finding it is to show, in the catching lane
}

// New is what to place into the test file.
func (c Candidate) New() source.New {
	return source.New{Package: c.Package, Imports: c.Imports, Code: c.Code, In: c.In}
}

// Model writes tests; Ask is the model's client, bound.
type Model struct {
	Ask func(context.Context, llm.Request) (Reply, error)
	// PerFunction bounds the tests taken of one reply; zero is 6.
	PerFunction int
}

//go:embed prompt/system.md
var system string

//go:embed prompt/write.md
var write string

var prompt = template.Must(template.New("write").Option("missingkey=error").Funcs(template.FuncMap{
	"data": llm.Data, "join": strings.Join, "ranges": qa.FormatRanges,
}).Parse(write))

// Write asks for tests of all subjects. An error joins what the model refused;
// the candidates of the others are returned with it.
func (m Model) Write(ctx context.Context, subjects []Subject) ([]Candidate, error) {
	limit := m.PerFunction
	if limit == 0 {
		limit = 6
	}
	replies := make([]Reply, len(subjects))
	errs := make([]error, len(subjects))
	var g errgroup.Group
	g.SetLimit(4)
	for i, s := range subjects {
		g.Go(func() error {
			var b strings.Builder
			if errs[i] = prompt.Execute(&b, s); errs[i] == nil {
				replies[i], errs[i] = m.Ask(ctx, llm.Request{Job: "generator/" + string(s.Layer), System: system, Prompt: b.String(), Variant: s.Round})
			}
			return nil
		})
	}
	_ = g.Wait() // errors are in their slots
	var out []Candidate
	for i, r := range replies {
		s := subjects[i]
		if errs[i] != nil {
			errs[i] = fmt.Errorf("write tests of %s: %w", s.Focus.Symbol, errs[i])
		}
		for _, t := range r.Tests[:min(len(r.Tests), limit)] {
			if t.Lane != Catching {
				t.Lane = Hardening
			}
			c := Candidate{Test: t, Layer: s.Layer, Path: s.TestPath, Source: s.Focus.Path, Target: s.Focus.Symbol}
			if s.TestFile == "" {
				c.Package = s.Package
			}
			if t.Lane == Catching && len(s.Findings) > 0 {
				c.Finding = s.Findings[0].ID
			}
			out = append(out, c)
		}
	}
	return out, errors.Join(errs...)
}
