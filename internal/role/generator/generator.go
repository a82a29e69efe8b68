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
	"embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"golang.org/x/sync/errgroup"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/llm"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/edit"
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
	Finding string   `json:"finding" jsonschema:"id of the finding whose input the test feeds and that it shows; empty when it shows none of them"`
	Imports []string `json:"imports" jsonschema:"whole import statements the test needs beyond what the test file has"`
	// Announced is believed where the change really says so.
	Announced string `json:"announced" jsonschema:"the words of the change's own description, copied exactly, that announce the difference that the test shows; empty when none does"`
	In        string `json:"in" jsonschema:"title of the describe block or name of the test class that holds it; empty for none and for Go"`
	Code      string `json:"code" jsonschema:"exactly one whole test function or test block, without imports and package clause"`
	Why       string `json:"why" jsonschema:"what fails if the code is wrong, and where the expected value comes from, in one sentence"`
}

// Reply is what the model answers.
type Reply struct {
	Need  []string `json:"need" jsonschema:"names of functions or paths of files of the repository without which no correct test can be written; empty when none"`
	Tests []Test   `json:"tests"`
}

// Subject is one changed function and what a test of it needs to know.
type Subject struct {
	Layer       qa.Layer
	Framework   string
	Conventions qa.Conventions
	Focus       qa.Focus
	Surroundings
	TestPlace
	Claims
	Said         string // by the change, of itself: hostile
	Instructions string
	Round        int
	Learnt       []string // by earlier runs, about tests of the file and its folder: hostile
}

// Surroundings are the function's code and what stands around it.
type Surroundings struct {
	Package string // Go package clause of a new test file
	Source  string // the function on head, its file's imports above it
	Before  string // the function on base, empty when it is new or unchanged
	Former  string // what calls a new function, on base
	Callees string // signatures and comments of what it calls
	Callers string // lines that call it
	Through string // what an integration test calls, of other modules
}

// TestPlace is where a function's tests go.
type TestPlace struct {
	TestPath string
	TestFile string   // the test file as it is, empty when new
	Examples []string // test files for style when there is none
}

// Claims are what tests may show.
type Claims struct {
	Findings  []qa.Finding
	Beneath   []qa.Finding      // on what it calls
	Outside   map[string]string // the changed lines of findings outside of functions, by id
	Survivors []string          // mutants no test noticed
	Critique  []string          // what became of tests of earlier rounds: hostile
}

// Candidate is a test on trial.
type Candidate struct {
	Test
	Layer   qa.Layer
	Path    string // of the test file
	Source  string // path of the file under test
	Target  string // symbol under test
	Package string
	// Origin is nil for a test of this run.
	Origin *qa.Origin
}

// New is what to place into the test file.
func (c Candidate) New() edit.Addition {
	return edit.Addition{Package: c.Package, Imports: c.Imports, Code: c.Code, In: c.In}
}

// Alone is what to place into a test file as it is now; one that is not there gets a
// package of some name.
func (c Candidate) Alone(now []byte) edit.Addition {
	add := c.New()
	if add.Package == "" && len(now) == 0 {
		add.Package = "p"
	}
	return add
}

// Model writes and repairs tests; Ask and Mend are the model's client, bound.
type Model struct {
	Ask  func(context.Context, llm.Request) (Reply, error)
	Mend func(context.Context, llm.Request) (Correction, error)
	// Look gives the text of what a reply asks to see, once per subject; nil
	// gives nothing.
	Look func(names []string) string
}

// perFunction bounds the tests taken of one reply.
const perFunction = 6

//go:embed prompt/system.md
var system string

//go:embed prompt/*.md
var files embed.FS

var prompts = template.Must(template.New("").Option("missingkey=error").Funcs(template.FuncMap{
	"data": llm.Data, "name": llm.Name, "join": strings.Join, "ranges": qa.FormatRanges, "minor": minor,
}).ParseFS(files, "prompt/*.md"))

// minor cuts a version behind its second number: what a patch release changes is
// no matter for a test, and the same question should stay the same.
func minor(version string) string {
	parts := strings.SplitN(version, ".", 3)
	return strings.Join(parts[:min(len(parts), 2)], ".")
}

func render(name string, subject any) (string, error) {
	var b strings.Builder
	if err := prompts.ExecuteTemplate(&b, name, subject); err != nil {
		return "", fmt.Errorf("write prompt %s: %w", name, err)
	}
	return b.String(), nil
}

// Write asks for tests of all subjects. An error joins what the model refused;
// the candidates of the others are returned with it.
func (m Model) Write(ctx context.Context, subjects []Subject) ([]Candidate, error) {
	replies := make([]Reply, len(subjects))
	errs := make([]error, len(subjects))
	var g errgroup.Group
	g.SetLimit(4)
	for i, s := range subjects {
		g.Go(func() error {
			replies[i], errs[i] = m.write(ctx, s)
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
		tests := r.Tests[:min(len(r.Tests), perFunction)]
		for _, t := range tests {
			out = append(out, s.candidate(t, tests))
		}
	}
	return out, errors.Join(errs...)
}

func (m Model) write(ctx context.Context, s Subject) (Reply, error) {
	text, err := render("write.md", s)
	if err != nil {
		return Reply{}, err
	}
	r := llm.Request{Job: "generator/" + string(s.Layer), System: system, Prompt: text, Aside: s.learnt() + s.criticism(), Variant: s.Round}
	return llm.Twice(ctx, m.Ask, r, m.Look, func(r Reply) []string { return r.Need })
}

// candidate puts a test on trial, beside the others of its reply. Only findings
// that were shown can be meant. A catching test that names none of them is for
// the only one on the function, unless another test names that: then this one
// was not meant to show it.
func (s Subject) candidate(t Test, all []Test) Candidate {
	if t.Lane != Catching {
		t.Lane = Hardening
	}
	c := Candidate{Test: t, Layer: s.Layer, Path: s.TestPath, Source: s.Focus.Path, Target: s.Focus.Symbol}
	if s.TestFile == "" {
		c.Package = s.Package
	}
	if _, shown := s.finding(t.Finding); shown {
		return c
	}
	c.Finding = ""
	if t.Lane != Catching || len(s.Findings) != 1 {
		return c
	}
	only := s.Findings[0].ID
	if !slices.ContainsFunc(all, func(o Test) bool { return o.Finding == only }) {
		c.Finding = only
	}
	return c
}

// finding is one that is shown with the function.
func (s Subject) finding(id string) (qa.Finding, bool) {
	return each.First(slices.Concat(s.Findings, s.Beneath), func(f qa.Finding) bool { return f.ID == id })
}
