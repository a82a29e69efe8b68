// Package project is one folder of a repository as the adapters see it: its
// manifest, what is installed for it, the interpreter, how its programs start.
package project

import (
	"fmt"
	"path"
	"slices"

	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/framework/script"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/shell"
)

// Project is one folder as the adapters see it.
type Project struct {
	*folder.Tree
	Machine Machine
	runners script.Runners
	Dir     string // "." for the root
	Pkg     *script.Manifest
	// Broken says why package.json cannot be used; empty when it can.
	Broken string
	// Calls is the leaf of a test script that a detection is asked for; none
	// asks for what configuration and dependencies prove.
	Calls []script.Leaf
}

func New(t *folder.Tree, machine Machine, runners script.Runners, dir string) *Project {
	p := &Project{Tree: t, Machine: machine, runners: runners, Dir: dir}
	if data, ok := t.Read(path.Join(dir, "package.json")); ok {
		var err error
		if p.Pkg, err = script.ParseManifest(data); err != nil {
			p.Broken = shell.Cut(err.Error(), shell.MaxShown)
			if len(data) == folder.MaxConfig {
				p.Broken = fmt.Sprintf("more than %d bytes", folder.MaxConfig)
			}
		}
	}
	return p
}

// Reader follows the scripts of the project.
func (p *Project) Reader() *script.Reader { return script.NewReader(p.runners, p.Read) }

// Call is the leaf that the detection is about, when one of programs runs it.
func (p *Project) Call(programs ...string) (l script.Leaf, ok bool) {
	for _, l := range p.Calls {
		if slices.Contains(programs, l.Program) {
			return l, true
		}
	}
	return script.Leaf{}, false
}

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
