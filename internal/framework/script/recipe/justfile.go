package recipe

import (
	"cmp"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"
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
	justPlain = words("quiet ignore-comments windows-shell windows-powershell unstable tempdir allow-duplicate-variables no-exit-message positional-arguments fallback private group doc no-quiet default dotenv-required")
	justShell = pattern.New(`^\[\s*["'](?:/usr)?(?:/bin/)?(?:ba|da)?sh["'](?:\s*,\s*["'](?:-[euxo]*c?|pipefail)["'])*\s*,?\s*\]$`)
)

// Just is a justfile, and reads it a justfile line by line.
type Just struct {
	Book
	recipe     string // the recipe that the lines belong to
	attributes []string
	Settings   map[string]string
	exportAll  bool
	at         int // the line that is read
}

// Justfile reads targets, variables and settings.
func Justfile(data []byte) *Just {
	j := &Just{Book: Book{Targets: map[string]Recipe{}, Vars: map[string]string{}}, Settings: map[string]string{}}
	for i, line := range strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n") {
		j.at = i + 1
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "" || line[0] == '#':
		case line[0] == ' ' || line[0] == '\t':
			t := j.Targets[j.recipe]
			t.Lines = append(t.Lines, trimmed)
			t.Whole = t.Whole || strings.HasPrefix(trimmed, "#!") || strings.HasSuffix(trimmed, `\`)
			j.Targets[j.recipe] = t
		default:
			j.recipe = ""
			j.top(trimmed)
		}
	}
	if j.exportAll {
		for n := range j.Vars {
			j.Exports = append(j.Exports, n)
		}
		slices.Sort(j.Exports)
	}
	return j
}

// top reads a line that belongs to no recipe.
func (j *Just) top(line string) {
	if m := justAttribute.FindStringSubmatch(line); m != nil {
		j.attributes = append(j.attributes, strings.Split(m[1], ",")...)
		return
	}
	attributes := j.attributes
	j.attributes = nil
	if m := justAlias.FindStringSubmatch(line); m != nil {
		j.Targets[m[1]] = Recipe{At: j.at, Needs: []string{m[2]}}
		return
	}
	if m := justSetting.FindStringSubmatch(line); m != nil {
		j.setting(m[1], m[2])
		return
	}
	if m := justSet.FindStringSubmatch(line); m != nil {
		if text := justText.FindStringSubmatch(m[3]); text != nil {
			j.Vars[m[2]] = text[1] + text[2]
		} else {
			delete(j.Vars, m[2])
			j.Whole = j.Whole || m[1] != "" || j.exportAll
		}
		if m[1] != "" {
			j.Exports = append(j.Exports, m[2])
		}
		return
	}
	m := justRecipe.FindStringSubmatch(line)
	if m == nil {
		return
	}
	j.recipe = m[1]
	if j.First == "" || slices.Contains(attributes, "default") {
		j.First = m[1]
	}
	needs, _, _ := strings.Cut(m[3], "#")
	r := Recipe{At: j.at, Vars: map[string]string{}, Whole: strings.ContainsAny(needs, "($") || strings.Contains(m[2], "$")}
	_, again := j.Targets[m[1]] // one for each system
	r.Whole = r.Whole || again
	for _, n := range strings.Fields(needs) {
		if n != "&&" {
			r.Needs = append(r.Needs, n)
		}
	}
	for _, a := range attributes {
		name, _, _ := strings.Cut(strings.TrimSpace(a), "(")
		name, _, _ = strings.Cut(name, ":")
		r.Whole = r.Whole || !justPlain[strings.TrimSpace(name)]
	}
	for _, p := range strings.Fields(m[2]) { // parameters: none is given
		r.Vars[strings.TrimLeft(p, "*+")] = ""
	}
	j.Targets[m[1]] = r
}

// setting reads what is set for all recipes.
func (j *Just) setting(name, value string) {
	on := value != "false"
	switch {
	case name == "export":
		j.exportAll = on
	case name == "dotenv-load" && on:
		j.Settings["dotenv-filename"] = cmp.Or(j.Settings["dotenv-filename"], ".env")
	case name == "dotenv-filename" || name == "dotenv-path" || name == "working-directory":
		m := justText.FindStringSubmatch(value)
		if m == nil {
			j.Whole = true
			return
		}
		j.Settings[strings.Replace(name, "dotenv-path", "dotenv-filename", 1)] = m[1] + m[2]
	case name == "shell" && justShell.MatchString(value), !on, justPlain[name]:
	case name == "dotenv-load":
	default:
		j.Whole = true
	}
}

// Expand fills in the variables of a line; false when only just knows them.
func (j *Just) Expand(line, target string) (string, bool) {
	known := true
	line = justVar.ReplaceAllStringFunc(line, func(m string) string {
		name := justVar.FindStringSubmatch(m)[1]
		v, ok := j.Targets[target].Vars[name]
		if !ok {
			v, ok = j.Vars[name]
		}
		known = known && ok
		return v
	})
	return line, known && !strings.Contains(line, "{{")
}

func words(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}
