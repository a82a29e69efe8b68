// Package scaffold writes the files with which a repository begins: a workflow,
// and a configuration where what is found by itself is not what is wanted. Start at
// [Files].
package scaffold

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/org/qa-action/internal/wording"
)

// The files that are written.
const (
	workflowFile = ".github/workflows/qa.yml"
	configFile   = ".github/qa.yml"
)

// many is from how many packages on each gets a job of its own.
const many = 4

// Project is what was found in the repository, as a run would use it.
type Project struct {
	Suites []Suite
	Tools  []Tool
	// Installs are the commands that a run installs with, where nothing is
	// installed.
	Installs []string
	// Missing are places where no suite was found, with the reason.
	Missing []string
	// Settings are inputs that whoever asked gave, in their order.
	Settings []Setting
	// Matrix asks for a job per package; else that depends on their number.
	Matrix bool
}

// Suite is one test command.
type Suite struct {
	Dir, Framework, Command string
	Evidence                []string
	// Browser says that it needs one, Absent that the action's image lacks its tools.
	Browser, Absent bool
}

// Tool is a toolchain with the version that a file asks for.
type Tool struct{ Name, Spec, Source string }

// Setting is an input that is not left to its default.
type Setting struct{ Name, Value string }

// File is one file to write.
type File struct{ Name, Text string }

// Files are what the repository needs, the workflow first.
func Files(p Project) []File {
	out := []File{{workflowFile, p.workflow()}}
	if text := p.config(); text != "" {
		out = append(out, File{configFile, text})
	}
	return out
}

// packages are the directories with suites.
func (p Project) packages() []string {
	var out []string
	for _, s := range p.Suites {
		if dir := s.dir(); !slices.Contains(out, dir) {
			out = append(out, dir)
		}
	}
	return out
}

func (s Suite) dir() string {
	if s.Dir == "" {
		return "."
	}
	return s.Dir
}

// matrix says whether each package gets a job.
func (p Project) matrix() bool {
	return p.Matrix || len(p.packages()) >= many && p.host() == ""
}

// host is why the tests run on the runner and not in the action's image; empty when
// the image has what they need.
func (p Project) host() string {
	for _, s := range p.Suites {
		switch {
		case s.Absent:
			return s.Framework + " is a tool of the runner; the action's image has Go, Node.js and Python"
		case s.Browser:
			return "the tests need a browser, which the runner has and the action's image has not"
		}
	}
	return ""
}

// mostShown bounds the list of packages in a comment.
const mostShown = 12

// found says what the files are written for, as lines of a comment.
func (p Project) found() string {
	var b strings.Builder
	b.WriteString("# Written by `qa init`. What a run finds in this repository by itself:\n")
	var suites []string
	for _, s := range p.Suites {
		text := line(s.dir()) + ": " + line(s.Framework)
		if len(s.Evidence) > 0 {
			text += ", because of " + line(s.Evidence[0])
		}
		suites = append(suites, text)
	}
	list(&b, "#   ", suites)
	if len(p.Suites) == 0 {
		b.WriteString("#   no test suite; findings are reported, and the verdict stays INCONCLUSIVE\n")
		b.WriteString("#   until " + configFile + " names one\n")
	}
	for _, t := range p.Tools {
		if t.Spec != "" {
			fmt.Fprintf(&b, "#   %s %s, which %s asks for\n", t.Name, line(t.Spec), line(t.Source))
		}
	}
	return b.String()
}

// Next says what to do with the files, and what a run does on this machine, which is
// not theirs to say: it depends on what is installed.
func Next(w io.Writer, p Project) error {
	check := "QA"
	if p.matrix() {
		check = "qa / QA"
	}
	var b strings.Builder
	b.WriteString("\nNext: commit it, open a pull request, and make its check the required one: " + check + "\nOn this machine: qa run\n")
	if len(p.Installs) > 0 {
		fmt.Fprintf(&b, "  installs  %s\n", line(strings.Join(p.Installs, "; ")))
	}
	var commands []string
	for _, s := range p.Suites {
		text := "tests     " + line(s.dir()) + ": " + line(s.Framework)
		if strings.Contains(s.Command, " ") { // else it is the program alone, which tells nothing
			text += ", " + line(s.Command)
		}
		commands = append(commands, text)
	}
	list(&b, "  ", commands)
	_, err := io.WriteString(w, b.String())
	return err
}

// list writes what is in items, each with the number of times it stands there: a test
// script may run a suite in several time zones.
func list(b *strings.Builder, indent string, items []string) {
	times := map[string]int{}
	var once []string
	for _, item := range items {
		if times[item]++; times[item] == 1 {
			once = append(once, item)
		}
	}
	for i, item := range once {
		if i == mostShown {
			fmt.Fprintf(b, "%sand %d more, which qa doctor lists\n", indent, len(once)-i)
			return
		}
		b.WriteString(indent + item)
		if n := times[item]; n > 1 {
			fmt.Fprintf(b, " (%d times)", n)
		}
		b.WriteString("\n")
	}
}

// line is text of the repository as one line of a comment.
func line(text string) string { return wording.Line(text, 160) }

// config is the configuration file; empty when none is needed.
func (p Project) config() string {
	if len(p.Settings) == 0 && len(p.Suites) > 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("# Read by every run, in Actions and on a developer's machine; all keys: qa run --help\n")
	for _, s := range p.Settings {
		fmt.Fprintf(&b, "%s: %s\n", s.Name, quoted(s.Value))
	}
	if len(p.Suites) > 0 {
		return b.String()
	}
	for _, m := range p.Missing {
		fmt.Fprintf(&b, "# %s\n", line(m))
	}
	b.WriteString(`# Name the command that runs the tests, and the report it writes (JUnit, TAP, and
# others), by taking the marks away:
# test-command: make test
# test-report: build/junit.xml
# coverage-file: build/coverage.xml
`)
	return b.String()
}

// quoted is a value as YAML that holds nothing but that value.
func quoted(value string) string {
	if strings.ContainsFunc(value, unicode.IsControl) { // a JSON string is one of YAML
		return strconv.Quote(value)
	}
	return "'" + strings.ReplaceAll(value, "'", "''") + "'"
}
