// Package linter runs the user's own linters, and reads what earlier steps wrote.
package linter

import (
	"errors"
	"fmt"
	"slices"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
)

// Linter is one of the user's own, from the `engines` key of the config file:
// a command whose output is read line by line through errorformat, or a SARIF
// file that a command or an earlier step writes.
type Linter struct {
	Name string
	// Command is the argument vector; "{files}" stands for the changed files.
	// Empty with Report set: another step wrote the report.
	Command []string
	// Format names a known errorformat ("rubocop"); Errorformat gives own
	// patterns in Vim's notation ("%f:%l:%c: %m").
	Format      string
	Errorformat []string
	// Report is the path or glob of SARIF files, relative to the root; "-" is
	// the command's standard output.
	Report string
	// Paths are globs of the files it is for; empty is all.
	Paths       []string
	Perspective qa.Perspective // empty: what the rule table says, else code-quality
	Severity    qa.Severity    // empty: what the tool says
}

// check says all that is wrong with the linter's configuration.
func (l Linter) check(taken func(string) bool) error {
	var problems []error
	complain := func(format string, args ...any) {
		problems = append(problems, fmt.Errorf("linter %q: "+format, append([]any{l.Name}, args...)...))
	}
	if l.Name == "" {
		complain("it has no name")
	}
	if taken(l.Name) {
		complain("the name is taken by an engine, choose another one")
	}
	switch {
	case l.Report != "" && (l.Format != "" || len(l.Errorformat) > 0):
		complain("report and format exclude each other: a report is SARIF")
	case l.Report == "" && len(l.Command) == 0:
		complain("it needs a command, or a report that another step writes")
	case l.Report == "-" && len(l.Command) == 0:
		complain("report \"-\" is the command's output, and there is no command")
	case l.Report == "" && l.Format == "" && len(l.Errorformat) == 0:
		complain("it needs format (a known name), errorformat (own patterns) or report (SARIF)")
	}
	if l.Perspective != "" && !slices.Contains(qa.Perspectives(), l.Perspective) {
		complain("unknown perspective %q, valid ones are %v", l.Perspective, qa.Perspectives())
	}
	if l.Severity != "" && !slices.Contains(qa.Severities(), l.Severity) {
		complain("unknown severity %q, valid ones are %v", l.Severity, qa.Severities())
	}
	for _, glob := range l.Paths {
		if !doublestar.ValidatePattern(glob) {
			complain("paths: %q is not a valid glob", glob)
		}
	}
	if l.Report == "" {
		if _, err := l.patterns(); err != nil {
			complain("%v", err)
		}
	}
	return errors.Join(problems...)
}

// Engines makes engines of the linters that the engine carries; taken says of
// a name that an engine has it.
func Engines(carrier engine.Engine, linters []Linter, taken func(string) bool) ([]engine.Engine, error) {
	var out []engine.Engine
	var problems []error
	for _, l := range linters {
		if (l.Report != "") != (carrier.Name == SARIF.Name) {
			continue
		}
		if err := l.check(taken); err != nil {
			problems = append(problems, err)
			continue
		}
		e := carrier
		e.Name = l.Name
		e.Run = l.runErrorformat
		if carrier.Name == SARIF.Name {
			e.Run = l.runSARIF
		}
		if l.Perspective != "" {
			e.Perspectives = []qa.Perspective{l.Perspective}
		}
		out = append(out, e)
	}
	return out, errors.Join(problems...)
}

// mine selects the files that the linter is for.
func (l Linter) mine(files []*engine.File) []*engine.File {
	if len(l.Paths) == 0 {
		return files
	}
	return each.Where(files, func(f *engine.File) bool {
		return slices.ContainsFunc(l.Paths, func(glob string) bool { return doublestar.MatchUnvalidated(glob, f.Path) })
	})
}

// argv puts the files into the command.
func (l Linter) argv(files []string) []string {
	var out []string
	for _, arg := range l.Command {
		if arg == "{files}" {
			out = append(out, files...)
			continue
		}
		out = append(out, arg)
	}
	return out
}

// apply puts the configured perspective and severity over a hit.
func (l Linter) apply(h engine.Hit) engine.Hit {
	if l.Perspective != "" {
		h.Perspectives = []qa.Perspective{l.Perspective}
	}
	if l.Severity != "" {
		h.Severity = l.Severity
	}
	return h
}
