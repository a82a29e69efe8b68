package framework

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// Makefiles and justfiles are followed as far as a reader can be sure of them;
// beyond, the call of make or just is one leaf as a whole.

// recipe is a target with what it needs and the lines it runs.
type recipe struct {
	needs []string
	lines []string
	whole bool // only the tool itself can tell what it does
}

var (
	makeTarget = regexp.MustCompile(`^([\w./@% -]+?)\s*::?(?:\s+([^=]*)|\s*)$`)
	makeSet    = regexp.MustCompile(`^(?:export\s+|override\s+)?([\w.-]+)\s*(?::::?|::?|\?|\+)?=\s*(.*)$`)
	makeVar    = regexp.MustCompile(`\$[({]([\w.-]+)[)}]`)
	makeOther  = regexp.MustCompile(`^(?:ifn?eq|ifn?def|else|endif|define|endef)\b`)
)

// makefile reads targets and variables.
func makefile(data []byte) (map[string]recipe, map[string]string) {
	targets, vars := map[string]recipe{}, map[string]string{"MAKE": "make", "RM": "rm -f", "CURDIR": "."}
	text := strings.ReplaceAll(strings.ReplaceAll(string(data), "\r\n", "\n"), "\\\n", " ")
	var open []string
	conditional := 0
	for _, line := range strings.Split(text, "\n") {
		switch trimmed := strings.TrimSpace(line); {
		case strings.HasPrefix(line, "\t"):
			for _, t := range open {
				r := targets[t]
				r.lines = append(r.lines, trimmed)
				r.whole = r.whole || conditional > 0
				targets[t] = r
			}
		case trimmed == "" || strings.HasPrefix(trimmed, "#"):
		case makeOther.MatchString(trimmed):
			if strings.HasPrefix(trimmed, "if") {
				conditional++
			} else if trimmed == "endif" {
				conditional--
			}
			for _, t := range open {
				r := targets[t]
				r.whole = true
				targets[t] = r
			}
		case makeSet.MatchString(trimmed):
			open = nil
			m := makeSet.FindStringSubmatch(trimmed)
			if _, known := vars[m[1]]; known && strings.Contains(trimmed, "?=") {
				break
			}
			vars[m[1]] = strings.TrimSpace(m[2])
			if conditional > 0 || strings.Contains(strings.SplitN(trimmed, "=", 2)[0], "+") {
				vars[m[1]] = "$(unknown "
			}
		default:
			open = nil
			line, inline, hasInline := strings.Cut(trimmed, ";")
			m := makeTarget.FindStringSubmatch(strings.TrimSpace(line))
			if m == nil {
				break
			}
			needs, _, _ := strings.Cut(m[2], "#")
			for _, t := range strings.Fields(m[1]) {
				r := targets[t]
				r.needs = append(r.needs, strings.Fields(strings.ReplaceAll(needs, "|", " "))...)
				r.whole = r.whole || conditional > 0
				if hasInline {
					r.lines = append(r.lines, strings.TrimSpace(inline))
				}
				targets[t] = r
				open = append(open, t)
			}
		}
	}
	return targets, vars
}

// made expands the variables of a recipe's line; ok is false when make alone
// knows what it becomes.
func made(line, target string, vars map[string]string) (string, bool) {
	line = strings.NewReplacer("$@", target).Replace(line)
	for range 8 {
		next := bounded(makeVar, line, func(m []string) string { return vars[m[1]] }) // unset is empty
		if next == line || len(next) > maxExpanded {
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

// maxExpanded bounds what a line becomes.
const maxExpanded = 64 << 10

// bounded replaces what matches re by what with gives for its groups, until the
// text is too long.
func bounded(re *regexp.Regexp, text string, with func(groups []string) string) string {
	size := len(text)
	return re.ReplaceAllStringFunc(text, func(m string) string {
		if size > maxExpanded {
			return m
		}
		to := with(re.FindStringSubmatch(m))
		size += len(to) - len(m)
		return to
	})
}

func followMake(k *commandReader, words []word) ([]word, bool) {
	var targets []string
	given := map[string]string{}
	dir, file := k.pl.dir, ""
	for rest := words[1:]; len(rest) > 0; rest = rest[1:] {
		w := rest[0].text
		name, value, set := strings.Cut(w, "=")
		switch {
		case (w == "-C" || w == "-f") && len(rest) > 1:
			if rest = rest[1:]; w == "-C" {
				dir = path.Join(dir, rest[0].text)
			} else {
				file = rest[0].text
			}
		case w == "-j" && len(rest) > 1 && strings.Trim(rest[1].text, "0123456789") == "":
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
	all, vars := makefile(data)
	for n, v := range given {
		vars[n] = v
	}
	at := k.pl
	at.dir, at.source = dir, "Makefile"
	if len(targets) == 0 {
		targets = []string{defaultTarget(data)}
	}
	sub := k.r.sub()
	for _, t := range targets {
		if !sub.recipe("make", t, all, at, func(line, target string) (string, bool) { return made(line, target, vars) }) {
			return k.outcome(words, named(t, k.pl.kind))
		}
	}
	return k.takeOver(sub, words)
}

// takeOver takes the leaves of a tool that was followed to its end; a service
// among them, or too many, makes the call one leaf.
func (k *commandReader) takeOver(sub *reader, words []word) ([]word, bool) {
	served := slices.ContainsFunc(sub.out, func(l leaf) bool { return l.class == service })
	if served || len(sub.out)+len(k.r.out) > maxLeaves {
		return k.outcome(words, k.pl.kind)
	}
	k.r.out, k.r.notes = append(k.r.out, sub.out...), append(k.r.notes, sub.notes...)
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

// recipe follows a target: what it needs, then its lines, each in a shell of
// its own. It is false when the tool alone knows.
func (r *reader) recipe(tool, name string, all map[string]recipe, pl spot, expand func(line, target string) (string, bool)) bool {
	key := pl.dir + "\x00" + tool + " " + name
	t, ok := all[name]
	if *r.steps++; !ok || t.whole || r.tired() {
		return false
	}
	if slices.Contains(pl.trail, key) || len(pl.trail) > maxTrail {
		return true // make drops a circle, too
	}
	pl = pl.enter(name)
	pl.trail = append(pl.trail, key)
	for _, n := range t.needs {
		if need, ok := expand(n, name); ok {
			for _, n := range strings.Fields(need) {
				if _, ok := all[n]; ok && !r.recipe(tool, n, all, pl, expand) {
					return false
				}
			}
		}
	}
	for _, line := range t.lines {
		ignored := strings.Contains(line[:len(line)-len(strings.TrimLeft(line, "@-+ "))], "-")
		text, ok := expand(strings.TrimLeft(line, "@-+ "), name)
		if !ok {
			return false
		}
		before := len(r.out)
		r.text(text, pl, nil)
		for i := range r.out[before:] {
			if l := &r.out[before+i]; ignored && l.class == preparation { // its failure is none
				l.line, l.plain = l.line+" || true", false
			}
		}
	}
	return true
}

var (
	justRecipe = regexp.MustCompile(`^@?([A-Za-z_][\w-]*)((?:\s+[^:=]+)?)\s*:(?:\s+(.*)|\s*)$`)
	justSet    = regexp.MustCompile(`^(?:export\s+)?([A-Za-z_][\w-]*)\s*:=\s*["']([^"']*)["']\s*$`)
	justVar    = regexp.MustCompile(`\{\{\s*([A-Za-z_][\w-]*)\s*\}\}`)
)

func followJust(k *commandReader, words []word) ([]word, bool) {
	data, ok := k.r.file(path.Join(k.pl.dir, "justfile"))
	for _, name := range []string{"Justfile", ".justfile"} {
		if !ok {
			data, ok = k.r.file(path.Join(k.pl.dir, name))
		}
	}
	all, vars := map[string]recipe{}, map[string]string{}
	open, begin := "", ""
	for _, line := range strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "":
		case line[0] == ' ' || line[0] == '\t':
			t := all[open]
			t.lines = append(t.lines, trimmed)
			t.whole = t.whole || strings.HasPrefix(trimmed, "#!") || strings.HasSuffix(trimmed, `\`)
			all[open] = t
		case justSet.MatchString(line):
			m := justSet.FindStringSubmatch(line)
			vars[m[1]] = m[2]
		default:
			open = ""
			if m := justRecipe.FindStringSubmatch(trimmed); m != nil {
				open = m[1]
				if begin == "" {
					begin = open
				}
				for _, p := range strings.Fields(m[2]) { // parameters: unset or their default is empty
					p, value, _ := strings.Cut(strings.TrimLeft(p, "*+$"), "=")
					vars[p] = strings.Trim(value, `"'`)
				}
				all[open] = recipe{needs: strings.Fields(m[3]), whole: strings.Contains(m[3], "(")}
			}
		}
	}
	targets := texts(skipOptions(words[1:], nil))
	if len(targets) == 0 {
		targets = []string{begin}
	}
	at := k.pl
	at.source = "justfile"
	sub := k.r.sub()
	for i, t := range targets {
		if _, ok := all[t]; !ok && i > 0 {
			return k.outcome(words, k.pl.kind) // an argument
		}
		if !sub.recipe("just", t, all, at, func(line, _ string) (string, bool) {
			known := true
			line = justVar.ReplaceAllStringFunc(line, func(m string) string {
				v, ok := vars[justVar.FindStringSubmatch(m)[1]]
				known = known && ok
				return v
			})
			return line, known && !strings.Contains(line, "{{")
		}) {
			return k.outcome(words, named(t, k.pl.kind))
		}
	}
	return k.takeOver(sub, words)
}
