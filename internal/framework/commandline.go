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

// operators part the commands of a line, whose comments are looked at, too.
var operators = strings.NewReplacer("&", " ", "|", " ", ";", " ", "(", " ", ")", " ", "#", " ")

// StartedBy reports whether the test command, or a build before it, names a file
// as something to run. A test of the adapter's is what it runs, not how.
func StartedBy(d adapter.Detection, file string) bool {
	if a, err := For(d.Framework); err == nil && d.Framework != Command.Name && a.IsTest(file) {
		return false
	}
	words, _ := shell.Split(operators.Replace(d.Line)) // as far as it goes
	quoted, _ := shell.Split(d.Line)                   // names may have what parts commands
	lines := slices.Concat(d.Before, d.Build, [][]string{d.Program, d.Args, words, quoted})
	return slices.ContainsFunc(lines, func(line []string) bool {
		return slices.ContainsFunc(line, func(w string) bool {
			return strings.Contains(w, path.Base(file)) && path.Join(d.Dir, w) == file
		})
	})
}

// SameCommand reports whether two detections, of head and base, are the same
// test command: what the script says, what it builds before, and which packages
// it names. Where the runner is installed, and which version, is no part of it.
func SameCommand(a, b adapter.Detection) bool {
	same := a.Framework == b.Framework && a.Dir == b.Dir && a.Line == b.Line && slices.EqualFunc(a.Before, b.Before, slices.Equal[[]string]) &&
		slices.Equal(a.Args, b.Args) && slices.Equal(a.Env, b.Env) && slices.Equal(a.Packages, b.Packages) && slices.Equal(a.Paths, b.Paths) &&
		slices.Equal(a.Tests, b.Tests)
	if same && a.Framework == Command.Name && a.Line == "" { // the user's own
		return slices.Equal(a.Program, b.Program)
	}
	return same
}

// sameRun reports whether two leaves are one run.
func sameRun(d *adapter.Detection, o adapter.Detection) bool {
	return d.Framework == o.Framework && d.Dir == o.Dir && slices.Equal(d.Program, o.Program) && slices.Equal(d.Args, o.Args) &&
		slices.Equal(d.Env, o.Env) && slices.Equal(d.Packages, o.Packages) && slices.Equal(d.Paths, o.Paths) &&
		slices.Equal(d.Kinds(), o.Kinds())
}
