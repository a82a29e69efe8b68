package project

import "github.com/org/qa-action/internal/process"

// Machine is where the tests will run, as far as detection depends on it.
type Machine struct {
	// LookPath finds a program on the PATH that the tests will have.
	LookPath func(program string) (path string, err error)
	// Packages lists the distributions of a Python interpreter with their
	// versions; nil looks into the folders that belong to the interpreter,
	// which must lie on this machine then.
	Packages func(path string) map[string]string
	// Activated says that the Python on that PATH has the project's
	// dependencies, whatever environments lie in the repository.
	Activated bool
}

// Here is this program's own machine.
func Here() Machine { return Machine{LookPath: process.LookPath} }
