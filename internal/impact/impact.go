// Package impact says which parts of a suite a change can reach. What it leaves out cannot
// load what changed, as far as texts tell; where they do not tell, nothing is left out.
// Start at [Imports] and [Packages].
package impact

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
)

// Selection is what of a suite has to run.
type Selection struct {
	// Units are test files, or packages of Go, sorted.
	Units []string
	// Left is how many are left out.
	Left int
	// Without has by unit the tests that are left out of one that runs.
	Without map[string][]string
	// All says why every unit has to run; Units is then empty.
	All string
}

// Change is what changed, and what is known of it.
type Change struct {
	Files []qa.FileChange
	// Told are the words that start the runner, in Dir: what they name is loaded first.
	Told []string
	Dir  string
	// Elsewhere reports whether another suite is nearer to a file: code there that no test
	// of this one loads is none of its business.
	Elsewhere func(file string) bool
	// Steers reports whether a file says how tests run or what is installed for them.
	Steers func(file string) bool
	// Unread reports whether a whole run of the suite on base did not open a file.
	Unread func(file string) bool
	// Bodies tells of files in which only bodies of functions changed; nil where nothing does.
	Bodies *Bodies
}

// plain sorts the files of the change: those that units load or not, and why every unit
// has to run, if it has.
func (c Change) plain(readable func(string) bool) (files []qa.FileChange, all string) {
	for _, f := range c.Files {
		switch {
		case f.Submodule:
			return nil, f.Path + " is a submodule"
		case c.Steers(f.Path):
			return nil, f.Path + " changed, which says how tests run"
		case f.Status == qa.Modified && c.Unread(f.Path):
		case f.Status == qa.Deleted && f.Kind == qa.KindTest && readable(f.Path): // who loads it runs
			files = append(files, f)
		case f.Status != qa.Modified && f.Status != qa.Added:
			return nil, f.Path + " was " + string(f.Status)
		case !readable(f.Path) && c.apart(f):
		case !readable(f.Path):
			return nil, f.Path + " changed, and who reads it is not known"
		default:
			files = append(files, f)
		}
	}
	return files, ""
}

// apart reports whether a file is code that another suite is about: tests that look for
// files by themselves run in any case.
func (c Change) apart(f qa.FileChange) bool {
	return (f.Kind == qa.KindSource || f.Kind == qa.KindTest) && c.Elsewhere(f.Path)
}

// chosen is the selection, which may be nothing where all that changed is apart.
func (c Change) chosen(s Selection) Selection {
	if len(s.Units) == 0 && slices.ContainsFunc(c.Files, func(f qa.FileChange) bool { return !c.apart(f) }) {
		return Selection{All: "no test is known to load what changed"}
	}
	return s
}

// choose is the selection of those of all units that are reached or in doubt.
func choose(all []string, reached reach, doubted map[string]bool) Selection {
	var s Selection
	for _, u := range slices.Sorted(slices.Values(all)) {
		tests := reached.tests[u]
		if !reached.units[u] && !doubted[u] && len(tests) == 0 {
			s.Left++
			continue
		}
		s.Units = append(s.Units, u)
		if !reached.units[u] && !doubted[u] {
			s.leave(u, each.Where(reached.known[u], func(name string) bool { return !tests[name] }))
		}
	}
	return s
}

// leave leaves tests out of a unit that runs.
func (s *Selection) leave(unit string, tests []string) {
	if len(tests) > 0 {
		if s.Without == nil {
			s.Without = map[string][]string{}
		}
		s.Without[unit] = tests
	}
}

// Steering reports whether a file is configuration that has others loaded before the
// tests, or in place of what they load.
func Steering(name string) bool {
	base := strings.ToLower(path.Base(name))
	for _, begin := range []string{"jest.", "jest-preset.", "vitest.", "vite.", ".mocharc", ".babelrc", ".taprc", ".npmrc", "setuptests.", "setup-tests."} {
		if strings.HasPrefix(base, begin) {
			return true
		}
	}
	if strings.Contains(base, ".config.") {
		return true
	}
	return base == "package.json" || base == "pyproject.toml" || base == "setup.cfg" || base == "setup.py" || strings.TrimPrefix(base, ".") == "pytest.ini" || strings.TrimPrefix(base, ".") == "pytest.toml" || base == "tox.ini" || base == "sitecustomize.py" || base == "usercustomize.py" || strings.Contains(name, "__mocks__/")
}

func none(file string) string { return fmt.Sprintf("no test is known to load %s", file) }
