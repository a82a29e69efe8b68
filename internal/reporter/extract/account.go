// Package extract says what there is to say of a report: which findings and tests
// are named, in which order, and in which words every renderer tells of them.
package extract

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// classWords say what the run saw of the files of a class.
var classWords = map[qa.FileClass]string{
	qa.Executed: "executed", qa.Loaded: "loaded, not executed", qa.Compiled: "compiled", qa.RunAsTest: "run as tests",
	qa.Read: "read", qa.Inert: "inert", qa.Unseen: "unseen",
}

// ClassMeanings are for the classes that say less than they seem to.
var ClassMeanings = map[qa.FileClass]string{
	qa.Inert:  "opened by nothing that ran",
	qa.Unseen: "the run cannot tell",
}

// ClassFiles are the changed files of one class.
type ClassFiles struct {
	Class qa.FileClass
	Files []qa.FileAccount
	// unmeasured says that coverage of one of the files is unknown.
	unmeasured bool
}

// Words name the class. Without coverage nobody knows whether what was loaded was
// executed.
func (c ClassFiles) Words() string {
	if c.Class == qa.Loaded && c.unmeasured {
		return "loaded"
	}
	return classWords[c.Class]
}

// Shown are the files that a list names.
func (c ClassFiles) Shown() []qa.FileAccount { return c.Files[:min(len(c.Files), classFilesShown)] }

// Others counts the files that are not named.
func (c ClassFiles) Others() string {
	if n := len(c.Files) - len(c.Shown()); n > 0 {
		return "and " + wording.Number(n) + " more, all of them in report.json"
	}
	return ""
}

const (
	// classFilesShown is how many files of a class a list names.
	classFilesShown = 200
	// OpenFiles is how many files are named in a line.
	OpenFiles = 10
)

// AccountOf sorts the changed files into their classes, in report order; a word
// that is no class is unseen. Classes without a file are left out.
func AccountOf(r *qa.Report) []ClassFiles {
	by := map[qa.FileClass][]qa.FileAccount{}
	for _, f := range r.Account {
		class := f.Class
		if classWords[class] == "" {
			class = qa.Unseen
		}
		by[class] = append(by[class], f)
	}
	var out []ClassFiles
	for _, class := range qa.FileClasses() {
		if len(by[class]) > 0 {
			unmeasured := slices.ContainsFunc(by[class], func(f qa.FileAccount) bool { return r.Coverage.Head.File(f.Path) == nil })
			out = append(out, ClassFiles{class, by[class], unmeasured})
		}
	}
	return out
}

// AccountTitle is the account in one line.
func AccountTitle(r *qa.Report, classes []ClassFiles) string {
	var parts []string
	for _, c := range classes {
		words := c.Words()
		if c.Class == qa.RunAsTest && len(c.Files) == 1 {
			words = "run as a test"
		}
		parts = append(parts, wording.Number(len(c.Files))+" "+words)
	}
	return fmt.Sprintf("What the run saw of %s: %s", wording.Count(len(r.Account), "changed file"), strings.Join(parts, " · "))
}

// Dark are the classes of which no claim is made; they are always named.
func Dark(classes []ClassFiles) []ClassFiles {
	var out []ClassFiles
	for i := len(classes) - 1; i >= 0; i-- { // unseen first
		if ClassMeanings[classes[i].Class] != "" {
			out = append(out, classes[i])
		}
	}
	return out
}
