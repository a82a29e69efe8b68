package generator

import (
	"slices"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
	"github.com/org/qa-action/internal/source/mutant"
)

// Known is what a run found out before it has tests written.
type Known struct {
	Strategy *qa.Strategy
	Findings []qa.Finding
	// Tests are the project's own test files.
	Tests []string
	// Suite is what tests a file, or runs a test file; false is nothing.
	Suite func(file string) (Suite, bool)
	// Written are the test files with what was kept so far, Gained the changed
	// lines that it covers.
	Written map[string]string
	Gained  map[string][]int
	// Tried are the tests of earlier rounds with what became of them, Proven what
	// some of them show.
	Tried  []qa.GeneratedTest
	Proven []Proven
	// Left are the findings that no test can show, as the model says.
	Left []Beyond
	// Judged are the mutants of which tests had a say, Broken those that do not build; Living
	// are those that none notices, proofs included, but for those that the model holds for no
	// wrong versions.
	Judged, Broken, Living []mutant.Mutant
	// Measured tells whether it is known which changed lines of a function tests run, Read
	// whether a model that looks for defects has read a file whole; nil is of none.
	Measured func(f qa.Focus) bool
	Read     func(file string) bool
	// Guarded are the lines of a file that are out of reach for tests which do not run them;
	// nil is of none.
	Guarded func(file string) []qa.Range
}

// Proven is a test that shows something, with the finding that it shows; Instead says why
// it does not show the one that it was written for.
type Proven struct{ Path, Test, Finding, Instead string }

// Suite is a target's test suite; Language is what its tests are written in, with the
// version, as far as the suite tells.
type Suite struct{ Target, Framework, Version, Language string }

// Open counts the living mutants of functions in focus.
func (k Known) Open() int {
	n := 0
	if k.Strategy != nil {
		for _, f := range k.Strategy.Focus {
			if f.Like == "" {
				n += len(k.offered(f))
			}
		}
	}
	return n
}

// round are the functions that fit the layer, the riskiest first, in later rounds those
// that still have uncovered lines or living mutants.
func (k Known) round(n int, fits func(qa.Focus) bool) []qa.Focus {
	var open []qa.Focus
	for _, f := range k.Strategy.Focus {
		if f.Like == "" && (n == 0 || len(k.openLines(f)) > 0 || len(k.offered(f)) > 0) && fits(f) {
			f.Uncovered = k.openLines(f)
			open = append(open, f)
		}
	}
	return open
}

// twins are functions with the same edit as one, which is asked about in their stead.
func (k Known) twins(f qa.Focus) []string {
	like := each.Where(k.Strategy.Focus, func(o qa.Focus) bool { return o.Like == f.Name() })
	return each.Of(like, qa.Focus.Name)
}

// openLines are the uncovered changed lines of a function that no accepted
// test covers and that tests can reach.
func (k Known) openLines(f qa.Focus) []qa.Range {
	open := k.unrun(f)
	if k.Guarded == nil || len(open) == 0 {
		return open
	}
	return mutant.Reachable(open, k.Guarded(f.Path))
}

// unrun are the uncovered changed lines of a function that no accepted test covers.
func (k Known) unrun(f qa.Focus) []qa.Range {
	var out []int
	for _, u := range f.Uncovered {
		for line := u.Start; line <= u.End; line++ {
			if !slices.Contains(k.Gained[f.Path], line) {
				out = append(out, line)
			}
		}
	}
	return qa.Ranges(out)
}

// living are the mutants of a function that nobody killed.
func (k Known) living(f qa.Focus) []mutant.Mutant { return k.within(f, k.Living) }

// offered are those of them that tests are asked for. One in lines that a finding names is
// none: what mends the defect may be among them.
func (k Known) offered(f qa.Focus) []mutant.Mutant {
	return each.Where(k.living(f), func(m mutant.Mutant) bool {
		return !slices.ContainsFunc(k.Findings, func(found qa.Finding) bool {
			return found.Path == m.Path && found.Lines.Contains(m.Line) && related.Claimed(found)
		})
	})
}

// within are the mutants of a function. Those of a function within it that is asked about
// by itself are that one's.
func (k Known) within(f qa.Focus, all []mutant.Mutant) []mutant.Mutant {
	return each.Where(all, func(m mutant.Mutant) bool {
		return m.Path == f.Path && f.Lines.Contains(m.Line) && (k.Strategy == nil || !slices.ContainsFunc(k.Strategy.Focus, func(o qa.Focus) bool {
			inner := o.Path == f.Path && o.Lines.Len() < f.Lines.Len() && f.Lines.Contains(o.Lines.Start) && f.Lines.Contains(o.Lines.End)
			return inner && o.Like == "" && o.Lines.Contains(m.Line)
		}))
	})
}

// ran reports that the tests run all changed lines of a function, as far as that is known,
// and that no wrong version of it is known which they do not notice.
func (k Known) ran(f qa.Focus) bool {
	return k.Measured != nil && k.Measured(f) && len(k.living(f)) == 0 && len(k.unrun(f)) == 0
}

// settled reports that wrong versions of it were tried as well, and all noticed: one more
// test that passes before the change and after it would gain nothing.
func (k Known) settled(f qa.Focus) bool { return k.ran(f) && len(k.within(f, k.Judged)) > 0 }
