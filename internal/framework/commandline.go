package framework

import (
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/shell"
	"github.com/org/qa-action/internal/wording"
)

// CommandLine is how the tests are started, as a shell line without what we add
// for our reports.
func CommandLine(d adapter.Detection) string {
	if d.Framework == Command.Name && d.Line != "" && !slices.Equal(d.Program, []string{"npm", "test"}) {
		return shell.InDir(d.Dir, shell.Cut(d.Line, 4*shell.MaxShown))
	}
	words := project.BareProgram(d.Program)
	if a, err := For(d.Framework); err == nil && a.Habits.Verb != "" && !slices.Contains(slices.Concat(words, d.Args), a.Habits.Verb) {
		words = append(words, a.Habits.Verb)
	}
	return shell.InDir(d.Dir, wording.Command(slices.Concat(words, d.Args, d.Packages)))
}

// StartedBy reports whether the test command, or a build before it, names a file
// as something to run. A test of the adapter's is what it runs, not how.
func StartedBy(d adapter.Detection, file string) bool {
	if a, err := For(d.Framework); err == nil && d.Framework != Command.Name && a.IsTest(file) {
		return false
	}
	lines := slices.Concat(d.Before, d.Build, [][]string{d.Program, d.Args}, shell.Words(d.Line))
	return slices.ContainsFunc(lines, func(line []string) bool {
		return slices.ContainsFunc(line, func(w string) bool {
			return strings.Contains(w, path.Base(file)) && path.Join(d.Dir, w) == file
		})
	})
}
