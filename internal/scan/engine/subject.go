package engine

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
)

// Subject is what is scanned, and what is known of it.
type Subject struct {
	// AbsRoot is the checkout, which nothing but us writes: all text that is
	// judged and quoted is read from it.
	AbsRoot string
	// ExecRoot is where programs see the checkout, a private copy that the
	// repository's code may have changed meanwhile. Empty is AbsRoot.
	ExecRoot string
	// Written are texts of this run by the paths of their files: in ExecRoot they
	// stand already, and they are looked at in the place of what AbsRoot has there.
	Written map[string]string
	Change  qa.Change
	// Within limits the scan to files below these directories; empty is all.
	Within []string
	// Share, unless nil, says which of them are this run's: others scan the rest.
	Share func(file string) bool
	// Exclude holds globs (doublestar) of paths that are not scanned.
	Exclude []string
	// Coverage is the measured coverage of head, nil when unknown.
	Coverage *qa.Coverage
	// Base gives a file's content on the base commit, fs.ErrNotExist when it
	// had none. Nil when base is not at hand: then nothing can be recognised
	// as having stood before, and only changed lines and functions decide.
	Base func(path string) ([]byte, error)
	// Outline gives the functions of a source file. Nil switches enclosing
	// functions and the engines that need them off.
	Outline func(path string, src []byte) (qa.Outline, error)
	// Weakened says which tests of a change assert less than on base, given both versions
	// of the tests and of the product's files. Nil switches the engine off that asks.
	Weakened func(tests, product []qa.Revision) []qa.Weakening
	// Memory has what was found out about files before.
	Memory *Memory
}

// Hands are what engines touch the world with beyond reading files: everything is
// a function value or what one is given.
type Hands struct {
	// Exec runs a program inside the sandbox of the run. Nil is
	// [process.Run]: for the user's own machine.
	Exec func(context.Context, process.Command) (process.Result, error)
	// ToolPath finds a program by name. Nil is [process.LookPath].
	ToolPath func(name string) (string, error)
	// Env is the environment of the programs, "K=V"; nil is an empty one.
	Env []string
	// Network lets the Go toolchain download modules; without it a missing
	// module is the engine's reason for not having run.
	Network bool
	// TempDir holds base versions of files for programs that compare; it must
	// be readable to whoever Exec runs as. Empty is the system's.
	TempDir string
	// Beside says that code of the repository may run in ExecRoot meanwhile, and with it
	// change what programs are given to read.
	Beside  bool
	Timeout time.Duration // per engine; zero is three minutes
}

// Outside is the reason of files that [Subject.Within] leaves out.
const Outside = "outside working-directory"

// Covers reports whether a file is in the directories that the scan is about.
func (s Subject) Covers(file string) bool {
	if s.Share != nil && !s.Share(file) {
		return false
	}
	return len(s.Within) == 0 || slices.ContainsFunc(s.Within, func(dir string) bool {
		return dir == "" || dir == "." || strings.HasPrefix(file, dir+"/")
	})
}

// Relative turns a path as a program or an earlier step printed it into one of
// the tree.
func (s Subject) Relative(p string) (string, bool) {
	if rel, ok := Relative(s.ExecRoot, p); ok {
		return rel, true
	}
	return Relative(s.AbsRoot, p)
}

// Relative turns a path as a program printed it into one of the tree.
func Relative(absRoot, p string) (string, bool) {
	p = strings.TrimPrefix(p, "file://")
	if filepath.IsAbs(p) {
		rel, err := filepath.Rel(absRoot, p)
		if err != nil || !filepath.IsLocal(rel) {
			// Programs print the real path of a root that is reached by a link.
			real, errLink := filepath.EvalSymlinks(absRoot)
			if errLink != nil {
				return "", false
			}
			if rel, err = filepath.Rel(real, p); err != nil {
				return "", false
			}
		}
		p = rel
	}
	p = filepath.Clean(p)
	return filepath.ToSlash(p), p != "." && filepath.IsLocal(p)
}
