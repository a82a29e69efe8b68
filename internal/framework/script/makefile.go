package script

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/shell"
)

// Makefiles and justfiles are followed as far as a reader can be sure of them;
// beyond, the call of make or just is one leaf as a whole.

// recipe is a target with what it needs and the lines it runs.
type recipe struct {
	needs []string
	lines []string
	vars  map[string]string // of its own: parameters with their defaults
	whole bool              // only the tool itself can tell what it does
}

// book is a Makefile or justfile: its targets, what it sets, and which of that
// it gives to the environment of what it starts.
type book struct {
	targets map[string]recipe
	vars    map[string]string
	exports []string
	first   string // the target that is built when none is named
	// open says that there may be targets that are not in it: from other files,
	// by patterns.
	open bool
	// whole says that what every target does depends on more than is read here.
	whole bool
}

var (
	makeExport  = pattern.New(`^export\s+([\w.-]+(?:\s+[\w.-]+)*)$`)
	makeSpecial = pattern.New(`^(?:unexport\b|export$|(?:SHELL|\.SHELLFLAGS)\s*:?=|\.(?:ONESHELL|EXPORT_ALL_VARIABLES)\s*:)`)
	makeScoped  = pattern.New(`^([\w./@% -]+?)\s*:\s*(?:export\s+|override\s+|private\s+)*[\w.-]+\s*(?:::?|\?|\+)?=`)
	makeAsk     = pattern.New(`^(?:export\s+|override\s+)?([\w.-]+)\s*!=`)
	makeMore    = pattern.New(`^-?s?include\s`)
	makeTarget  = pattern.New(`^([\w./@% -]+?)\s*::?(?:\s+([^=]*)|\s*)$`)
	makeSet     = pattern.New(`^(?:export\s+|override\s+)?([\w.-]+)\s*(?::::?|::?|\?|\+)?=\s*(.*)$`)
	makeVar     = pattern.New(`\$[({]([\w.-]+)[)}]`)
	makeOther   = pattern.New(`^(?:ifn?eq|ifn?def|else|endif|define|endef)\b`)
)

// notKnown is the value of a variable that only make knows.
const notKnown = "$(unknown "

// makefile reads targets and variables; env is what the variables begin with.
func makefile(data []byte, env []string) book {
	m := makeReader{book: book{targets: map[string]recipe{}, vars: map[string]string{"MAKE": "make", "RM": "rm -f", "CURDIR": "."}}}
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		m.vars[name] = value
	}
	text := strings.ReplaceAll(strings.ReplaceAll(string(data), "\r\n", "\n"), "\\\n", " ")
	for _, line := range strings.Split(text, "\n") {
		m.line(line)
	}
	if m.first = defaultTarget(data); m.vars[".DEFAULT_GOAL"] != "" {
		m.first = m.vars[".DEFAULT_GOAL"]
	}
	return m.book
}

// makeReader reads a Makefile line by line.
type makeReader struct {
	book
	targets     []string // whose recipe the next lines are
	conditional int      // how many conditions are open
}

func (m *makeReader) line(line string) {
	trimmed := strings.TrimSpace(line)
	if strings.HasPrefix(line, "\t") {
		m.each(m.targets, func(r *recipe) {
			r.lines = append(r.lines, trimmed)
			r.whole = r.whole || m.conditional > 0
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
		m.each(m.targets, func(r *recipe) { r.whole = true })
		return
	}
	m.targets = nil
	switch {
	case makeMore.MatchString(trimmed):
		m.open = true
	case makeSpecial.MatchString(trimmed) && !plainShell.MatchString(trimmed):
		m.whole = true
	case makeExport.MatchString(trimmed):
		m.exports = append(m.exports, strings.Fields(trimmed)[1:]...)
	case makeScoped.MatchString(trimmed): // for one target, and what it needs
		m.each(strings.Fields(makeScoped.FindStringSubmatch(trimmed)[1]), func(r *recipe) { r.whole = true })
	case makeSet.MatchString(trimmed):
		m.set(trimmed)
	case makeAsk.MatchString(trimmed): // what a command prints
		m.vars[makeAsk.FindStringSubmatch(trimmed)[1]] = notKnown
	default:
		m.target(trimmed)
	}
}

// each changes recipes.
func (m *makeReader) each(names []string, change func(r *recipe)) {
	for _, name := range names {
		r := m.book.targets[name]
		change(&r)
		m.book.targets[name] = r
	}
}

// set reads a line that sets a variable.
func (m *makeReader) set(line string) {
	parts := makeSet.FindStringSubmatch(line)
	name, value := parts[1], strings.TrimSpace(parts[2])
	if strings.HasPrefix(line, "export") {
		m.exports = append(m.exports, name)
	}
	if _, known := m.vars[name]; known && strings.Contains(line, "?=") {
		return
	}
	switch {
	case m.conditional > 0:
		m.vars[name] = notKnown
	case strings.Contains(strings.SplitN(line, "=", 2)[0], "+"):
		m.vars[name] = strings.TrimSpace(m.vars[name] + " " + value)
	default:
		m.vars[name] = value
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
	m.each(m.targets, func(r *recipe) {
		r.needs = append(r.needs, strings.TrimSpace(strings.ReplaceAll(needs, "|", " ")))
		r.whole = r.whole || m.conditional > 0
		if hasInline {
			r.lines = append(r.lines, strings.TrimSpace(inline))
		}
	})
	m.open = m.open || strings.Contains(parts[1], "%")
}

// plainShell is a setting that changes nothing of how lines are read here.
var plainShell = pattern.New(`^(?:SHELL\s*:?=\s*(?:/usr)?(?:/bin/)?(?:env )?(?:ba|da)?sh|\.SHELLFLAGS\s*:?=\s*(?:-eu?o pipefail )?-e?u?c)\s*$`)

// made expands the variables of a recipe's line; ok is false when make alone
// knows what it becomes.
func made(line, target string, vars map[string]string) (string, bool) {
	line = strings.NewReplacer("$@", target).Replace(line)
	for range 8 {
		next := shell.Bounded(makeVar, line, func(m []string) string { return vars[m[1]] }) // unset is empty
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

func followMake(k *commandReader, words []shell.Word) ([]shell.Word, bool) {
	var targets []string
	given := map[string]string{}
	dir, file := k.pl.Dir, ""
	for rest := words[1:]; len(rest) > 0; rest = rest[1:] {
		w := rest[0].Text
		name, value, set := strings.Cut(w, "=")
		switch {
		case name == "--directory" && set:
			dir = path.Join(dir, value)
		case (w == "-C" || w == "--directory" || w == "-f") && len(rest) > 1:
			if rest = rest[1:]; w != "-f" {
				dir = path.Join(dir, rest[0].Text)
			} else {
				file = rest[0].Text
			}
		case w == "-j" && len(rest) > 1 && strings.Trim(rest[1].Text, "0123456789") == "":
			rest = rest[1:]
		case strings.HasPrefix(w, "-"):
		case set:
			given[name] = value
		default:
			targets = append(targets, w)
		}
	}
	var data []byte
	for _, name := range []string{file, "GNUmakefile", "makefile", "Makefile"} {
		if data != nil || name == "" || file != "" && name != file {
			continue
		}
		if read, ok := k.r.file(path.Join(dir, name)); ok {
			data = read
		}
	}
	all := makefile(data, k.pl.env)
	at := k.pl
	at.Dir, at.Source, at.env = dir, "Makefile", slices.Clip(at.env)
	for _, n := range slices.Sorted(maps.Keys(given)) { // they go to the environment, too
		all.vars[n] = given[n]
		at.env = append(at.env, n+"="+given[n])
	}
	if len(targets) == 0 {
		targets = []string{all.first}
	}
	sub := k.r.sub()
	expand := func(line, target string) (string, bool) {
		for _, m := range makeVar.FindAllStringSubmatch(line, -1) {
			if _, set := all.vars[m[1]]; !set && all.open {
				return line, false // another file may set it
			}
		}
		return made(line, target, all.vars)
	}
	ok := !all.whole && all.exported(&at, given, expand)
	for _, t := range targets {
		if !ok || !sub.recipe("make", t, all, at, expand) {
			return k.outcome(words, named(t, k.pl.Kind))
		}
	}
	return k.takeOver(sub, words)
}

// exported adds to the surroundings what goes to the environment; false when it
// cannot be told.
func (b book) exported(at *Spot, given map[string]string, expand func(line, target string) (string, bool)) bool {
	for _, n := range b.exports {
		raw, set := b.vars[n]
		if _, ok := given[n]; ok || !set {
			continue
		}
		value, ok := expand(raw, "")
		if !ok {
			return false
		}
		at.env = append(at.env, n+"="+value)
	}
	return true
}

// takeOver takes the leaves of a tool that was followed to its end; a service
// among them, or too many, makes the call one leaf.
func (k *commandReader) takeOver(sub *Reader, words []shell.Word) ([]shell.Word, bool) {
	served := slices.ContainsFunc(sub.Out, func(l Leaf) bool { return l.Class == Service })
	if served || len(sub.Out)+len(k.r.Out) > MaxLeaves {
		return k.outcome(words, k.pl.Kind)
	}
	k.r.Out, k.r.Notes = append(k.r.Out, sub.Out...), append(k.r.Notes, sub.Notes...)
	return nil, true
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

// has reports whether a file is there: what needs it needs no target.
func (f files) has(name string) bool {
	_, ok := f.file(name)
	return ok
}

// recipe follows a target: what it needs, then its lines, each in a shell of
// its own. It is false when the tool alone knows.
func (r *Reader) recipe(tool, name string, all book, pl Spot, expand func(line, target string) (string, bool)) bool {
	key := pl.Dir + "\x00" + tool + " " + name
	t, ok := all.targets[name]
	if *r.steps++; !ok || t.whole || r.tired() {
		return false
	}
	if slices.Contains(pl.trail, key) || len(pl.trail) > maxTrail {
		return true // make drops a circle, too
	}
	pl = pl.enter(name)
	pl.trail = append(pl.trail, key)
	for _, n := range t.needs {
		need, ok := expand(n, name)
		if !ok {
			return false
		}
		for _, n := range strings.Fields(need) {
			if _, ok := all.targets[n]; ok && !r.recipe(tool, n, all, pl, expand) || !ok && all.open && (tool != "make" || !r.has(path.Join(pl.Dir, n))) {
				return false
			}
		}
	}
	for _, line := range t.lines {
		ignored := strings.Contains(line[:len(line)-len(strings.TrimLeft(line, "@-+ "))], "-")
		text, ok := expand(strings.TrimLeft(line, "@-+ "), name)
		if !ok {
			return false
		}
		before := len(r.Out)
		r.Text(text, pl, nil)
		for i := range r.Out[before:] {
			if l := &r.Out[before+i]; ignored && l.Class == Preparation { // its failure is none
				l.Line, l.Plain = l.Line+" || true", false
			}
		}
	}
	return true
}
