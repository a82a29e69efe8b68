package framework

import "slices"

// CommandLine is how the tests are started, as a shell line without what we add
// for our reports.
func (d Detection) CommandLine() string {
	return inDir(d.Dir, quoted(slices.Concat(d.Program, d.Args)))
}
