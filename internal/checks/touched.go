package checks

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
)

// words are what may name a file in a command line, between quotes and operators.
var words = pattern.New("[^\\s'\"`$(){};|&<>=]+")

// Touched are the checks that were not run and of which the change touches a file that
// they name: nothing here tells what they would say of it.
func Touched(outcomes []Outcome, c qa.Change) []string {
	var out []string
	for _, o := range outcomes {
		if o.State != notRun {
			continue
		}
		check := o.Check
		from, line, _ := strings.Cut(check, ": ")
		dir, _, below := strings.Cut(from, " ") // "web test"
		if !below {
			dir = ""
		}
		named := each.Of(words.FindAllString(line, -1), func(w string) string { return path.Join(dir, w) })
		for _, f := range c.Files {
			short := strings.TrimSuffix(f.Path, path.Ext(f.Path)) // node names a file so
			if slices.Contains(named, f.Path) || path.Ext(f.Path) != "" && slices.Contains(named, short) {
				out = append(out, fmt.Sprintf("a check of the test scripts is not run, and the change touches %s: %s", f.Path, check))
				break
			}
		}
	}
	return out
}

// Ran reports whether a check ran: which files it looked at is not known.
func Ran(all []Outcome) bool {
	return slices.ContainsFunc(all, func(o Outcome) bool { return o.State != notRun })
}

// Rows are what a report says of checks, and which of them were not run.
func Rows(all []Outcome) (left []string, rows []qa.CheckRow) {
	for _, o := range all {
		if rows = append(rows, o.CheckRow); o.State == notRun {
			left = append(left, o.Check)
		}
	}
	return left, rows
}

// Tell puts checks that failed among the failing tests. One fails outside of any test.
func Tell(all []Outcome, t *qa.Tests) {
	for _, o := range all {
		if o.Failing != nil {
			t.Failing = append(t.Failing, *o.Failing)
			t.Problems = append(t.Problems, qa.Problem{Kind: qa.FailedCheck, Where: o.Check, Message: o.Failing.Case.Message})
		}
	}
}

// Join puts together what parts of a run know: the one that ran a check knows more than
// one that left it to that.
func Join(all, more []Outcome) []Outcome {
	for _, o := range more {
		i := slices.IndexFunc(all, func(known Outcome) bool { return known.Check == o.Check })
		switch {
		case i < 0:
			all = append(all, o)
		case all[i].State == notRun && o.State != notRun:
			all[i] = o
		}
	}
	return all
}
