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

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/llm"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
	"github.com/org/qa-action/internal/source/edit"
	"github.com/org/qa-action/internal/source/mutant"
	"github.com/org/qa-action/internal/wording"
)

// The lanes.
const (
	Hardening = "hardening"
	Catching  = "catching"
)

// Test is one test as a model writes it.
type Test struct {
	Name     string `json:"name"`
	Function string `json:"function" jsonschema:"the one under test"`
	Lane     string `json:"lane"`
	// Finding is the id of one that it shows, or the name of a difference.
	Finding string `json:"finding"`
	// Severity is believed of what no finding tells.
	Severity string   `json:"severity"`
	Imports  []string `json:"imports" jsonschema:"whole statements that the test file lacks"`
	// Announced is believed where the change really says so, Relied where the file does,
	// before the change and after it.
	Announced string `json:"announced" jsonschema:"exact words"`
	Relied    string `json:"relied" jsonschema:"file: exact words"`
	In        string `json:"in" jsonschema:"block or class of the test file that holds code, if any"`
	Code      string `json:"code" jsonschema:"without imports, package clause and what it is in, not indented for that; a method has its self"`
	Why       string `json:"why" jsonschema:"one sentence: what it fails for, whence the value"`
}

// Reply is what the model answers.
type Reply struct {
	Need  []string `json:"need" jsonschema:"functions or files"`
	Tests []Test   `json:"tests"`
	// Alike is believed for what is asked, and for no number of a report.
	Alike []int `json:"alike" jsonschema:"numbers of wrong versions that are right or equivalent"`
}

// Subject is one changed function and what a test of it needs to know.
type Subject struct {
	Layer       qa.Layer
	Framework   string
	Language    string // with its version, empty when that is unknown
	Conventions qa.Conventions
	Focus       qa.Focus
	Surroundings
	TestPlace
	Claims
	checkout.Words
	Instructions string
	Round        int
	Twins        []string // functions with the same edit, which tests are not asked of
	Learnt       []string // by earlier runs, about tests of the file and its folder: hostile
}

// Surroundings are the function's file and what stands around it.
type Surroundings struct {
	Package string       // Go package clause of a new test file
	File    related.Side // with the function whole
	Became  string       // what the change did to it, empty when nothing
	Former  string       // what calls a new function from other files, on base
	Callees string       // signatures and comments of what it calls, where the file does not show it
	Callers string       // lines that call it, likewise
	Through string       // what an integration test calls, of other modules
	Release string       // of the project, where the file says since which one something is there
	Public  []string     // what others may call and reaches it, where it is private
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
	Elsewhere []qa.Finding      // of the change, on what else is in it
	Outside   map[string]string // the changed lines of findings outside of functions, by id
	Survivors []mutant.Mutant   // that no test noticed
	Settled   bool              // all were noticed, and its changed lines are run
	Wrong     []string          // what each of them is, as it is told
	Critique  []string          // what became of tests of earlier rounds: hostile
	Above     map[string]bool   // findings that the same question has told already
	First     int               // the number of its first mutant in the question
}

// Candidate is a test on trial.
type Candidate struct {
	Test
	Layer   qa.Layer
	Path    string // of the test file
	Source  string // path of the file under test
	Target  string // symbol under test
	Package string
	// Difference is what the author calls what no finding tells; empty where nothing was
	// said. Lower case letters, digits and hyphens.
	Difference string `json:",omitempty"`
	// At is where the finding stands that the test names, nil where it names none.
	At *Place `json:",omitempty"`
	// Origin is nil for a test of this run.
	Origin *qa.Origin
}

// Place is where a finding stands, by lines of head.
type Place struct {
	Path  string
	Lines qa.Range
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

// Bounds of one request: how many functions of a file it asks about, and how many
// tests of each are taken.
const (
	together    = 6
	perFunction = 6
)

// answered is how many tokens tests of a function may take.
const answered = 2048

// shownLine is how many characters of a line are quoted, quoted how many lines are.
const (
	shownLine = 160
	quoted    = 3
)

//go:embed prompt/system.md
var system string

//go:embed prompt/*.md
var files embed.FS

var prompts = template.Must(template.New("").Option("missingkey=error").Funcs(template.FuncMap{
	"data": llm.Data, "name": llm.Name, "join": strings.Join, "minor": minor, "told": told, "brief": brief, "numbered": numbered,
}).ParseFS(files, "prompt/*.md"))

// told is a finding with the lines that it is at: what is shown has no numbers.
func told(f qa.Finding) string {
	text := f.Message
	for line := range strings.Lines(f.Quote) {
		if line = strings.TrimSpace(line); line != "" && strings.Count(text, "\nat: ") < quoted {
			text += "\nat: " + wording.Cut(line, shownLine)
		}
	}
	return text
}

// brief says a finding in a line, for who only needs to know it again: whole sentences of it,
// where one fits.
func brief(f qa.Finding) string { return f.ID + ": " + wording.Sentence(f.Message, shownLine) }

// numbered are lines with their numbers, from first.
func numbered(first int, lines []string) string {
	var b strings.Builder
	for i, line := range lines {
		fmt.Fprintf(&b, "%d. %s\n", first+i, line)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

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

// Write asks for tests of all subjects, those of one file that go into one test file
// together: the file is shown once. An error joins what the model refused; the
// candidates of the others are returned with it, and the ids of mutants that the model
// holds for no wrong versions.
func (m Model) Write(ctx context.Context, subjects []Subject) (out []Candidate, alike []string, err error) {
	groups := grouped(subjects)
	replies := make([]Reply, len(groups))
	errs := make([]error, len(groups))
	var g errgroup.Group
	g.SetLimit(4)
	for i, group := range groups {
		g.Go(func() error {
			replies[i], errs[i] = m.write(ctx, group)
			return nil
		})
	}
	_ = g.Wait() // errors are in their slots
	for i, r := range replies {
		group := groups[i]
		if errs[i] != nil {
			errs[i] = fmt.Errorf("write tests of %s: %w", strings.Join(group.symbols(), ", "), errs[i])
		}
		tests := r.Tests[:min(len(r.Tests), perFunction*len(group))]
		for _, t := range tests {
			out = append(out, group.candidate(t, tests))
		}
		alike = append(alike, group.alike(r.Alike)...)
	}
	return out, alike, errors.Join(errs...)
}

// write asks about the functions of a group; of those that a model's window does not
// hold together, about half at a time.
func (m Model) write(ctx context.Context, group batch) (Reply, error) {
	text, err := render("write.md", group.question())
	if err != nil {
		return Reply{}, err
	}
	r := llm.Request{
		Job: "generator/" + string(group[0].Layer), System: system, Prompt: text, Aside: group[0].learnt() + group.private() + group.beyond() + group.twins() + group.criticism(), Variant: group[0].Round,
		MaxTokens: max(2, len(group)) * answered, Divisible: len(group) > 1,
	}
	reply, err := llm.Twice(ctx, m.Ask, r, m.Look, func(r Reply) []string { return r.Need })
	reply.Alike = each.Where(reply.Alike, func(n int) bool { return n >= 1 && n <= len(group.mutants()) })
	if len(group) == 1 || !errors.Is(err, llm.ErrTooLong) {
		return reply, err
	}
	half := len(group) / 2
	first, err := m.write(ctx, group[:half])
	second, failed := m.write(ctx, group[half:])
	before := len(group[:half].mutants()) // the second question counts from one again
	return Reply{
		Tests: append(first.Tests, second.Tests...),
		Alike: append(first.Alike, each.Of(second.Alike, func(n int) int { return n + before })...),
	}, errors.Join(err, failed)
}

// finding is one that is shown with the function, or of its file.
func (s Subject) finding(id string) (qa.Finding, bool) {
	return each.First(slices.Concat(s.Findings, s.Beneath, s.Elsewhere), func(f qa.Finding) bool { return f.ID == id })
}

// asks reports whether a test that shows a finding is for this function.
func (s Subject) asks(id string) bool {
	return slices.ContainsFunc(slices.Concat(s.Findings, s.Beneath), func(f qa.Finding) bool { return f.ID == id })
}
