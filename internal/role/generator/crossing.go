package generator

import (
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/wording"
)

// shownEntries is through how many callers an integration test may go.
const shownEntries = 3

// entries are the functions of other modules that call a function, those of changed
// files first: an integration test begins there. A module is what the language takes
// for one, a folder or a file. They are of the same suite, which runs the test.
func (w Writer) entries(f qa.Focus, k Known) []outline.Caller {
	own, ok := k.Suite(f.Path)
	if !ok {
		return nil
	}
	var out []outline.Caller
	for _, at := range w.Code.Graph().Callers(f.Path, f.Symbol) {
		suite, ok := k.Suite(at.Path)
		kind, _, _ := change.Classify(at.Path, nil)
		product := kind == qa.KindSource && !change.IsExample(at.Path) && !slices.Contains(k.Tests, at.Path)
		if ok && suite == own && module(at.Path) != module(f.Path) && product {
			out = append(out, at)
		}
	}
	changed := func(at outline.Caller) int {
		if _, ok := w.Change.File(at.Path); ok {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(out, func(a, b outline.Caller) int { return changed(a) - changed(b) })
	return out[:min(len(out), shownEntries)]
}

// closed reports that nothing is left to show of a function: no finding, no wrong version that
// went unnoticed, no changed line that no test runs. What else differs from before the change
// was asked with its unit tests.
func (s Subject) closed() bool {
	return len(s.Findings)+len(s.Beneath)+len(s.Survivors)+len(s.Focus.Uncovered) == 0
}

func module(file string) string {
	if language.Of(file).Project.FolderIsPackage {
		return path.Dir(file)
	}
	return file
}

// crossing turns the question about a function into that for an integration test: it
// begins at the callers, stands where integration tests stand, and is written for
// what is worst. The rest is asked for unit tests, and not twice.
func (w Writer) crossing(s *Subject, through []outline.Caller, a adapter.Adapter, k Known) error {
	if len(through) == 0 {
		return errors.New("no function of another module calls it")
	}
	first := through[0]
	src, err := w.Read(first.Path)
	if err != nil {
		return err
	}
	parsed, err := w.Code.Parse(first.Path, src)
	if err != nil {
		return err
	}
	own, _ := k.Suite(s.Focus.Path)
	var all, integration []string
	for _, file := range k.Tests {
		if !a.IsTest(file) {
			continue
		}
		all = append(all, file)
		if suite, ok := k.Suite(file); ok && suite == own && executor.LayerOf(qa.Case{File: file}) == s.Layer {
			integration = append(integration, file)
		}
	}
	place := executor.Named(s.Layer, a.TestPath(first.Path, all))
	if there := w.Code.TestsOf(first.Path, first.Function.Name, integration); len(there) > 0 && k.Written[place] == "" {
		place = there[0]
	}
	s.TestPlace = w.place(place, qa.Focus{Path: first.Path, Symbol: first.Function.Name}, []string{first.Function.Name}, k)
	if s.TestFile == "" && len(integration) > 0 {
		if text, err := w.Read(integration[0]); err == nil {
			s.Examples = []string{related.Example(w.Code, integration[0], text, first.Function.Name, shownTests/2)}
		}
	}
	s.Package = parsed.Package
	var shown []string
	for _, at := range through {
		shown = append(shown, at.Path+":\n"+w.Code.Body(at))
	}
	s.Through = wording.Excerpt(strings.Join(shown, "\n\n"), shownAround)
	worst := func(f qa.Finding) bool { return f.Severity != qa.Critical }
	s.Findings, s.Beneath = slices.DeleteFunc(s.Findings, worst), slices.DeleteFunc(s.Beneath, worst)
	return nil
}
