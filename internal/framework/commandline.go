package framework

import "slices"

// CommandLine is how the tests are started, as a shell line without what we add
// for our reports.
func (d Detection) CommandLine() string {
	if d.Framework == Command.Name && d.Line != "" && !slices.Equal(d.Program, []string{"npm", "test"}) {
		return inDir(d.Dir, cut(d.Line, 4*maxShown))
	}
	return inDir(d.Dir, quoted(slices.Concat(bareProgram(d.Program), d.Args)))
}
