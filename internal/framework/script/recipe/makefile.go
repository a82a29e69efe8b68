// Package recipe reads what a Makefile or a justfile says: its targets, what it sets, and
// which of that goes to the environment. What only the tool itself can tell is marked.
package recipe

import (
	"cmp"
	"strings"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/shell"
)

// Recipe is a target with what it needs and the lines it runs.
type Recipe struct {
	Needs []string
	Lines []string
	Vars  map[string]string // of its own: parameters with their defaults
	Whole bool              // only the tool itself can tell what it does
	At    int               // the line of the file in which it begins
}

// Book is a Makefile or justfile: its targets, what it sets, and which of that
// it gives to the environment of what it starts.
type Book struct {
	Targets map[string]Recipe
	Vars    map[string]string
	Exports []string
	First   string // the target that is built when none is named
	// Open says that there may be targets that are not in it: from other files,
	// by patterns.
	Open bool
	// Whole says that what every target does depends on more than is read here.
	Whole bool
}

var (
	makeExport  = pattern.New(`^export\s+([\w.-]+(?:\s+[\w.-]+)*)$`)
	makeSpecial = pattern.New(`^(?:unexport\b|export$|(?:SHELL|\.SHELLFLAGS)\s*:?=|\.(?:ONESHELL|EXPORT_ALL_VARIABLES)\s*:)`)
	makeScoped  = pattern.New(`^([\w./@% -]+?)\s*:\s*(?:export\s+|override\s+|private\s+)*[\w.-]+\s*(?:::?|\?|\+)?=`)
	makeAsk     = pattern.New(`^(?:export\s+|override\s+)?([\w.-]+)\s*!=`)
	makeMore    = pattern.New(`^-?s?include\s`)
	makeTarget  = pattern.New(`^([\w./@% -]+?)\s*::?(?:\s+([^=]*)|\s*)$`)
	makeSet     = pattern.New(`^(?:export\s+|override\s+)?([\w.-]+)\s*(?::::?|::?|\?|\+)?=\s*(.*)$`)
	// Variable is where the value of a variable is put in.
	Variable  = pattern.New(`\$[({]([\w.-]+)[)}]`)
	makeOther = pattern.New(`^(?:ifn?eq|ifn?def|else|endif|define|endef)\b`)
)

// notKnown is the value of a variable that only make knows.
const notKnown = "$(unknown "

// Makefile reads targets and variables; env is what the variables begin with.
func Makefile(data []byte, env []string) Book {
	m := makeReader{Book: Book{Targets: map[string]Recipe{}, Vars: map[string]string{"MAKE": "make", "RM": "rm -f", "CURDIR": "."}}}
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		m.Vars[name] = value
	}
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	lines := 0
	for _, line := range strings.Split(strings.ReplaceAll(text, "\\\n", "\x00"), "\n") { // joined ones count as they stand
		m.at = lines + 1
		lines += 1 + strings.Count(line, "\x00")
		m.line(strings.ReplaceAll(line, "\x00", " "))
	}
	if m.First = defaultTarget(data); m.Vars[".DEFAULT_GOAL"] != "" {
		m.First = m.Vars[".DEFAULT_GOAL"]
	}
	return m.Book
}

// makeReader reads a Makefile line by line.
type makeReader struct {
	Book
	targets     []string // whose recipe the next lines are
	conditional int      // how many conditions are open
	at          int      // the line that is read
}

func (m *makeReader) line(line string) {
	trimmed := strings.TrimSpace(line)
	if strings.HasPrefix(line, "\t") {
		m.each(m.targets, func(r *Recipe) {
			r.Lines = append(r.Lines, trimmed)
			r.Whole = r.Whole || m.conditional > 0
		})
		return
	}
	switch {
	case trimmed == "" || strings.HasPrefix(trimmed, "#"):
		return
	case makeOther.MatchString(trimmed):
		if strings.HasPrefix(trimmed, "if") {
			m.conditional++
		} else if trimmed == "endif" {
			m.conditional--
		}
		m.each(m.targets, func(r *Recipe) { r.Whole = true })
		return
	}
	m.targets = nil
	switch {
	case makeMore.MatchString(trimmed):
		m.Open = true
	case makeSpecial.MatchString(trimmed) && !plainShell.MatchString(trimmed):
		m.Whole = true
	case makeExport.MatchString(trimmed):
		m.Exports = append(m.Exports, strings.Fields(trimmed)[1:]...)
	case makeScoped.MatchString(trimmed): // for one target, and what it needs
		m.each(strings.Fields(makeScoped.FindStringSubmatch(trimmed)[1]), func(r *Recipe) { r.Whole = true })
	case makeSet.MatchString(trimmed):
		m.set(trimmed)
	case makeAsk.MatchString(trimmed): // what a command prints
		m.Vars[makeAsk.FindStringSubmatch(trimmed)[1]] = notKnown
	default:
		m.target(trimmed)
	}
}

// each changes recipes.
func (m *makeReader) each(names []string, change func(r *Recipe)) {
	for _, name := range names {
		r := m.Book.Targets[name]
		change(&r)
		m.Book.Targets[name] = r
	}
}

// set reads a line that sets a variable.
func (m *makeReader) set(line string) {
	parts := makeSet.FindStringSubmatch(line)
	name, value := parts[1], strings.TrimSpace(parts[2])
	if strings.HasPrefix(line, "export") {
		m.Exports = append(m.Exports, name)
	}
	if _, known := m.Vars[name]; known && strings.Contains(line, "?=") {
		return
	}
	switch {
	case m.conditional > 0:
		m.Vars[name] = notKnown
	case strings.Contains(strings.SplitN(line, "=", 2)[0], "+"):
		m.Vars[name] = strings.TrimSpace(m.Vars[name] + " " + value)
	default:
		m.Vars[name] = value
	}
}

// target reads the line that begins a rule.
func (m *makeReader) target(line string) {
	line, inline, hasInline := strings.Cut(line, ";")
	parts := makeTarget.FindStringSubmatch(strings.TrimSpace(line))
	if parts == nil {
		return
	}
	needs, _, _ := strings.Cut(parts[2], "#")
	m.targets = strings.Fields(parts[1])
	m.each(m.targets, func(r *Recipe) {
		r.At = cmp.Or(r.At, m.at)
		r.Needs = append(r.Needs, strings.TrimSpace(strings.ReplaceAll(needs, "|", " ")))
		r.Whole = r.Whole || m.conditional > 0
		if hasInline {
			r.Lines = append(r.Lines, strings.TrimSpace(inline))
		}
	})
	m.Open = m.Open || strings.Contains(parts[1], "%")
}

// shellFlags are what make gives the shell of each line.
const shellFlags = ".SHELLFLAGS"

// Flags is a line with what the flags of its shell make of it: it ends where one of its
// commands fails.
func (b Book) Flags(line string) string {
	if flags, _, _ := strings.Cut(b.Vars[shellFlags], " "); strings.Contains(flags, "e") {
		return "set -e; " + line
	}
	return line
}

// PipeFail is what a command begins with that fails where any part of its pipe does.
const PipeFail = "set -o pipefail; "

// Piped is a command that a shell runs, with such flags.
func (b Book) Piped(command string, byShell bool) string {
	if byShell && strings.Contains(b.Vars[shellFlags], "pipefail") && !strings.HasPrefix(command, PipeFail) {
		return PipeFail + command
	}
	return command
}

// plainShell is a setting that changes nothing of how lines are read here.
var plainShell = pattern.New(`^(?:SHELL\s*:?=\s*(?:/usr)?(?:/bin/)?(?:env )?(?:ba|da)?sh|\.SHELLFLAGS\s*:?=\s*(?:-eu?o pipefail )?-e?u?c)\s*$`)

// Made expands the variables of a recipe's line; ok is false when make alone
// knows what it becomes.
func Made(line, target string, vars map[string]string) (string, bool) {
	line = strings.NewReplacer("$@", target).Replace(line)
	for range 8 {
		next := shell.Bounded(Variable, line, func(m []string) string { return vars[m[1]] }) // unset is empty
		if next == line || len(next) > shell.MaxExpanded {
			break
		}
		line = next
	}
	rest := strings.ReplaceAll(line, "$$", "")
	if strings.Contains(rest, "$") {
		return line, false
	}
	return strings.ReplaceAll(line, "$$", "$"), true
}

// defaultTarget is the first one that a Makefile names.
func defaultTarget(data []byte) string {
	for _, line := range strings.Split(string(data), "\n") {
		if m := makeTarget.FindStringSubmatch(strings.TrimRight(line, "\r")); m != nil && !strings.HasPrefix(line, ".") && !strings.HasPrefix(line, "\t") && !makeSet.MatchString(line) {
			return strings.Fields(m[1] + " x")[0]
		}
	}
	return ""
}
