package qa

import (
	"maps"
	"slices"
)

// Execution is which functions each unit of a suite enters, when all of it runs.
type Execution struct {
	// Units are the test files that ran, sorted.
	Units []string `json:"units"`
	// Always are those of which not all that they execute can be known.
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
