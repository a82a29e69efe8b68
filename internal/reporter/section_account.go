package reporter

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

// classMeanings are for the classes that say less than they seem to.
var classMeanings = map[qa.FileClass]string{
	qa.Inert:  "opened by nothing that ran",
	qa.Unseen: "the run cannot tell",
}

// classFiles are the changed files of one class.
type classFiles struct {
	Class qa.FileClass
	Files []qa.FileAccount
	// unmeasured says that coverage of one of the files is unknown.
	unmeasured bool
}

// Words name the class. Without coverage nobody knows whether what was loaded was
// executed.
func (c classFiles) Words() string {
	if c.Class == qa.Loaded && c.unmeasured {
		return "loaded"
	}
	return classWords[c.Class]
}

// Shown are the files that a list names.
func (c classFiles) Shown() []qa.FileAccount { return c.Files[:min(len(c.Files), classFilesShown)] }

// Others counts the files that are not named.
func (c classFiles) Others() string {
	if n := len(c.Files) - len(c.Shown()); n > 0 {
		return "and " + wording.Number(n) + " more, all of them in report.json"
	}
	return ""
}

const (
	// classFilesShown is how many files of a class a list names.
	classFilesShown = 200
	// openFiles is how many files are named in a line.
	openFiles = 10
)

// accountOf sorts the changed files into their classes, in report order; a word
// that is no class is unseen. Classes without a file are left out.
func accountOf(r *qa.Report) []classFiles {
	by := map[qa.FileClass][]qa.FileAccount{}
	for _, f := range r.Account {
		class := f.Class
		if classWords[class] == "" {
			class = qa.Unseen
		}
		by[class] = append(by[class], f)
	}
	var out []classFiles
	for _, class := range qa.FileClasses() {
		if len(by[class]) > 0 {
			unmeasured := slices.ContainsFunc(by[class], func(f qa.FileAccount) bool { return r.Coverage.Head.File(f.Path) == nil })
			out = append(out, classFiles{class, by[class], unmeasured})
		}
	}
	return out
}

// accountTitle is the account in one line.
func accountTitle(r *qa.Report, classes []classFiles) string {
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

// dark are the classes of which no claim is made; they are always named.
func dark(classes []classFiles) []classFiles {
	var out []classFiles
	for i := len(classes) - 1; i >= 0; i-- { // unseen first
		if classMeanings[classes[i].Class] != "" {
			out = append(out, classes[i])
		}
	}
	return out
}

// account is what the run saw of each changed file: one line, which opens to a
// list per class. What it did not see is named beside it.
func (p page) account() []section {
	classes := accountOf(p.r)
	if len(classes) == 0 {
		return nil
	}
	var out []section
	if named := dark(classes); len(named) > 0 {
		var b strings.Builder
		for _, c := range named {
			var names []string
			for _, f := range c.Files {
				names = append(names, code(f.Path, 80))
			}
			fmt.Fprintf(&b, "- **%s %s** (%s): %s\n", wording.Number(len(c.Files)), c.Words(), classMeanings[c.Class], strings.Join(firsts(names, openFiles), ", "))
		}
		out = append(out, section{title: "files that the run did not see", rank: 3, open: b.String() + "\n"})
	}
	s := section{title: "what the run saw", noun: "changed files", rank: 5, share: 0.1}
	s.open, s.close = p.fold(accountTitle(p.r, classes))
	for _, c := range classes {
		head := fmt.Sprintf("- **%s %s**\n", wording.Number(len(c.Files)), c.Words())
		for _, f := range c.Shown() {
			text := head + "  - " + p.fileName(f.Path)
			if evidence := prose(f.Evidence, 200); evidence != "" {
				text += " · " + evidence
			}
			if f.Weak {
				text += " *(weak evidence)*"
			}
			s.items = append(s.items, item{full: text + "\n"})
			head = ""
		}
		if more := c.Others(); more != "" {
			s.items = append(s.items, item{full: "  - " + more + "\n"})
		}
	}
	if p.folds || len(out) == 0 {
		return append([]section{s}, out...)
	}
	return append(out, s)
}

// account prints the line and names what the run did not see.
func (c *console) account() {
	classes := accountOf(c.r)
	if len(classes) == 0 {
		return
	}
	c.printf("\n%s\n", accountTitle(c.r, classes))
	for _, d := range dark(classes) {
		var names []string
		for _, f := range d.Files {
			names = append(names, terminal(f.Path, 100))
		}
		c.printf("  %s: %s\n", d.Words(), strings.Join(firsts(names, openFiles), ", "))
	}
	for _, class := range classes {
		var weak []string
		why := ""
		for _, f := range class.Files {
			if f.Weak && class.Class != qa.Unseen {
				weak, why = append(weak, terminal(f.Path, 100)), f.Evidence
			}
		}
		if len(weak) > 0 {
			c.printf("  %s, on weak evidence: %s", class.Words(), strings.Join(firsts(weak, openFiles), ", "))
			if len(weak) == 1 && why != "" {
				c.printf(" (%s)", terminal(why, 200))
			}
			c.printf("\n")
		}
	}
}
