package script

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/framework/settings"
	"github.com/org/qa-action/internal/shell"
)

var (
	justRecipe    = pattern.New(`^@?([A-Za-z_][\w-]*)((?:\s+[^:=]+)?)\s*:(?:\s+(.*)|\s*)$`)
	justSet       = pattern.New(`^(export\s+)?([A-Za-z_][\w-]*)\s*:=\s*(.*)$`)
	justText      = pattern.New(`^(?:"([^"'\\]*)"|'([^"']*)')\s*(?:#.*)?$`)
	justVar       = pattern.New(`\{\{\s*([A-Za-z_][\w-]*)\s*\}\}`)
	justAlias     = pattern.New(`^alias\s+([A-Za-z_][\w-]*)\s*:=\s*([A-Za-z_][\w-]*)\s*$`)
	justSetting   = pattern.New(`^set\s+([a-z-]+)(?:\s*:=\s*(.*?))?\s*$`)
	justAttribute = pattern.New(`^\[(.*)\]$`)
	// justPlain are settings and attributes that change nothing of what runs.
	justPlain = set("quiet ignore-comments windows-shell windows-powershell unstable tempdir allow-duplicate-variables no-exit-message positional-arguments fallback private group doc no-quiet default dotenv-required")
	justShell = pattern.New(`^\[\s*["'](?:/usr)?(?:/bin/)?(?:ba|da)?sh["'](?:\s*,\s*["'](?:-[euxo]*c?|pipefail)["'])*\s*,?\s*\]$`)
)

// justReader reads a justfile line by line.
type justReader struct {
	book
	recipe     string // the recipe that the lines belong to
	attributes []string
	settings   map[string]string
	exportAll  bool
}

func justfile(data []byte) *justReader {
	j := &justReader{book: book{targets: map[string]recipe{}, vars: map[string]string{}}, settings: map[string]string{}}
	for _, line := range strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "" || line[0] == '#':
		case line[0] == ' ' || line[0] == '\t':
			t := j.targets[j.recipe]
			t.lines = append(t.lines, trimmed)
			t.whole = t.whole || strings.HasPrefix(trimmed, "#!") || strings.HasSuffix(trimmed, `\`)
			j.targets[j.recipe] = t
		default:
			j.recipe = ""
			j.top(trimmed)
		}
	}
	if j.exportAll {
		for n := range j.vars {
			j.exports = append(j.exports, n)
		}
		slices.Sort(j.exports)
	}
	return j
}

// top reads a line that belongs to no recipe.
func (j *justReader) top(line string) {
	if m := justAttribute.FindStringSubmatch(line); m != nil {
		j.attributes = append(j.attributes, strings.Split(m[1], ",")...)
		return
	}
	attributes := j.attributes
	j.attributes = nil
	if m := justAlias.FindStringSubmatch(line); m != nil {
		j.targets[m[1]] = recipe{needs: []string{m[2]}}
		return
	}
	if m := justSetting.FindStringSubmatch(line); m != nil {
		j.setting(m[1], m[2])
		return
	}
	if m := justSet.FindStringSubmatch(line); m != nil {
		if text := justText.FindStringSubmatch(m[3]); text != nil {
			j.vars[m[2]] = text[1] + text[2]
		} else {
			delete(j.vars, m[2])
			j.whole = j.whole || m[1] != "" || j.exportAll
		}
		if m[1] != "" {
			j.exports = append(j.exports, m[2])
		}
		return
	}
	m := justRecipe.FindStringSubmatch(line)
	if m == nil {
		return
	}
	j.recipe = m[1]
	if j.first == "" || slices.Contains(attributes, "default") {
		j.first = m[1]
	}
	needs, _, _ := strings.Cut(m[3], "#")
	r := recipe{vars: map[string]string{}, whole: strings.ContainsAny(needs, "($") || strings.Contains(m[2], "$")}
	_, again := j.targets[m[1]] // one for each system
	r.whole = r.whole || again
	for _, n := range strings.Fields(needs) {
		if n != "&&" {
			r.needs = append(r.needs, n)
		}
	}
	for _, a := range attributes {
		name, _, _ := strings.Cut(strings.TrimSpace(a), "(")
		name, _, _ = strings.Cut(name, ":")
		r.whole = r.whole || !justPlain[strings.TrimSpace(name)]
	}
	for _, p := range strings.Fields(m[2]) { // parameters: none is given
		r.vars[strings.TrimLeft(p, "*+")] = ""
	}
	j.targets[m[1]] = r
}

// setting reads what is set for all recipes.
func (j *justReader) setting(name, value string) {
	on := value != "false"
	switch {
	case name == "export":
		j.exportAll = on
	case name == "dotenv-load" && on:
		j.settings["dotenv-filename"] = cmp.Or(j.settings["dotenv-filename"], ".env")
	case name == "dotenv-filename" || name == "dotenv-path" || name == "working-directory":
		m := justText.FindStringSubmatch(value)
		if m == nil {
			j.whole = true
			return
		}
		j.settings[strings.Replace(name, "dotenv-path", "dotenv-filename", 1)] = m[1] + m[2]
	case name == "shell" && justShell.MatchString(value), !on, justPlain[name]:
	case name == "dotenv-load":
	default:
		j.whole = true
	}
}

// expand fills in the variables of a line; false when only just knows them.
func (j *justReader) expand(line, target string) (string, bool) {
	known := true
	line = justVar.ReplaceAllStringFunc(line, func(m string) string {
		name := justVar.FindStringSubmatch(m)[1]
		v, ok := j.targets[target].vars[name]
		if !ok {
			v, ok = j.vars[name]
		}
		known = known && ok
		return v
	})
	return line, known && !strings.Contains(line, "{{")
}

func followJust(k *commandReader, words []shell.Word) ([]shell.Word, bool) {
	data, ok := []byte(nil), false
	for _, name := range []string{"justfile", "Justfile", ".justfile"} {
		if !ok {
			data, ok = k.r.file(path.Join(k.pl.Dir, name))
		}
	}
	j := justfile(data)
	j.open = true // what is not there is in another file
	targets := shell.Texts(skipOptions(words[1:], nil))
	if len(targets) == 0 {
		targets = []string{j.first}
	}
	at := k.pl
	at.Source, at.env = "justfile", slices.Clip(at.env)
	if file := j.settings["dotenv-filename"]; file != "" {
		data, _ := k.r.file(path.Join(at.Dir, file))
		for _, kv := range settings.Dotenv(data) {
			j.whole = j.whole || strings.Contains(kv, "$")
			if name, _, _ := strings.Cut(kv, "="); !slices.ContainsFunc(at.env, func(o string) bool { return strings.HasPrefix(o, name+"=") }) {
				at.env = append(at.env, kv)
			}
		}
	}
	ok = !j.whole && j.exported(&at, nil, func(text, _ string) (string, bool) { return text, true })
	at.Dir = path.Join(at.Dir, j.settings["working-directory"])
	sub := k.r.sub()
	for i, t := range targets {
		if _, found := j.targets[t]; !found && i > 0 {
			return k.outcome(words, k.pl.Kind) // an argument
		}
		if !ok || at.Dir == ".." || strings.HasPrefix(at.Dir, "../") || !sub.recipe("just", t, j.book, at, j.expand) {
			return k.outcome(words, named(t, k.pl.Kind))
		}
	}
	return k.takeOver(sub, words)
}
