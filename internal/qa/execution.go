package qa

import (
	"maps"
	"slices"
)

// Execution is which functions each unit of a suite enters, when all of it runs.
type Execution struct {
	// Units are the test files that ran, sorted.
	Units []string `json:"units"`
	// Always are those of which not all that they execute can be known, be it for a few of
	// their tests.
	Always []string `json:"always,omitempty"`
	// Before are the files of the project that were loaded before it was noted what is
	// executed.
	Before []string `json:"before,omitempty"`
	// Read has by path the units that read a source file as a text; an empty one is
	// what comes before all of them.
	Read map[string][]string `json:"read,omitempty"`
	// Files has by path and unit the first lines of the functions that were entered, an
	// empty unit again for what comes before.
	Files map[string]map[string][]int `json:"files"`
	// Tests has the units of which the tests are known one by one.
	Tests map[string]UnitTests `json:"tests,omitempty"`
}

// UnitTests is which functions each test of a unit enters.
type UnitTests struct {
	// Names are the tests, as ids without the unit.
	Names []string `json:"names"`
	// Always are those of which not all that they execute can be known, by their places in
	// Names.
	Always []int `json:"always,omitempty"`
	// Entered has by path, for each function, its first line and the tests that enter it, as
	// runs of places in Names: where one begins, where it has ended, where the next begins.
	Entered map[string][][]int `json:"entered"`
}

// Sound reports whether all places are those of tests, each of which has one name.
func (u UnitTests) Sound() bool {
	named := map[string]bool{}
	for _, name := range u.Names {
		named[name] = true
	}
	sound := len(u.Names) > 0 && len(named) == len(u.Names)
	for _, i := range u.Always {
		sound = sound && i >= 0 && i < len(u.Names)
	}
	for _, functions := range u.Entered {
		for _, f := range functions {
			sound = sound && len(f)%2 == 1
			last := 0
			for _, i := range f[min(1, len(f)):] {
				sound, last = sound && i >= last && i <= len(u.Names), i
			}
		}
	}
	return sound
}

// Within are the tests that entered a function which begins within some lines of a file;
// none where what is said of them cannot be.
func (u UnitTests) Within(file string, lines Range) []string {
	var out []string
	if !u.Sound() {
		return nil
	}
	for _, f := range u.Entered[file] {
		for i := 1; lines.Contains(f[0]) && i+1 < len(f); i += 2 {
			out = append(out, u.Names[f[i]:f[i+1]]...)
		}
	}
	return out
}

// Unknown are the tests of which not all that they execute can be known, as [UnitTests.Within].
func (u UnitTests) Unknown() (out []string) {
	if !u.Sound() {
		return nil
	}
	for _, i := range u.Always {
		out = append(out, u.Names[i])
	}
	return out
}

// Within are the units that entered a function that begins within some lines of a file,
// sorted.
func (e *Execution) Within(file string, lines Range) []string {
	var out []string
	for _, unit := range slices.Sorted(maps.Keys(e.Files[file])) {
		if slices.ContainsFunc(e.Files[file][unit], lines.Contains) {
			out = append(out, unit)
		}
	}
	return out
}

// Size is how many lines and names of files there are.
func (e *Execution) Size() int {
	n := len(e.Units) + len(e.Always) + len(e.Before)
	for _, units := range e.Read {
		n += len(units)
	}
	for _, units := range e.Files {
		for _, lines := range units {
			n += 1 + len(lines)
		}
	}
	return n
}

// Details is how many names and numbers there are of single tests.
func (e *Execution) Details() int {
	n := 0
	for _, u := range e.Tests {
		n += len(u.Names) + len(u.Always)
		for _, functions := range u.Entered {
			for _, f := range functions {
				n += len(f)
			}
		}
	}
	return n
}

// Undetailed is what is known without the single tests; nil of nothing.
func (e *Execution) Undetailed() *Execution {
	if e == nil {
		return nil
	}
	out := *e
	out.Tests = nil
	return &out
}
