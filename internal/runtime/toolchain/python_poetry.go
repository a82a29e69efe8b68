package toolchain

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/pattern"
)

// poetryTable is what poetry keeps in pyproject.toml.
type poetryTable struct {
	Name         string              `toml:"name"`
	Dependencies map[string]any      `toml:"dependencies"`
	Dev          map[string]any      `toml:"dev-dependencies"`
	Extras       map[string][]string `toml:"extras"`
	Group        map[string]struct {
		Dependencies map[string]any `toml:"dependencies"`
	} `toml:"group"`
}

// poetry reads poetry's own tables, whose versions are written in its own way.
func (r *pythonReader) poetry(p poetryTable) {
	if p.Name != "" && r.out.Project == "" {
		r.out.Project = PythonName(p.Name)
		for name, v := range p.Dependencies {
			if line := poetryLine(name, v); line != "" {
				r.needs([]string{line})
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Extras)) {
		if slices.Contains(testNames, name) {
			r.extra(name)
		}
	}
	tables := map[string]map[string]any{"dev-dependencies": p.Dev}
	for name, g := range p.Group {
		if slices.Contains(testNames, name) || name == "dev" {
			tables["group."+name] = g.Dependencies
		}
	}
	for _, where := range slices.Sorted(maps.Keys(tables)) {
		for _, name := range slices.Sorted(maps.Keys(tables[where])) {
			r.plain("pyproject.toml tool.poetry."+where, poetryLine(name, tables[where][name]))
		}
	}
}

var caret = pattern.New(`^([\^~])\s*([0-9]+)(?:\.([0-9]+))?`)

// poetryLine writes a dependency of poetry or pipenv as a requirement. What comes
// from a path or an address is left to them.
func poetryLine(name string, v any) string {
	version, extras, marker := "", "", ""
	switch v := v.(type) {
	case string:
		version = v
	case map[string]any:
		for _, elsewhere := range []string{"path", "git", "url", "file"} {
			if v[elsewhere] != nil {
				return ""
			}
		}
		version, _ = v["version"].(string)
		if list, ok := v["extras"].([]any); ok {
			extras = "[" + strings.Join(texts(list), ",") + "]"
		}
		if v["optional"] == true {
			return ""
		}
		if m, ok := v["markers"].(string); ok {
			marker = "; " + m
		}
		if v["python"] != nil {
			return "" // under a condition of its own kind
		}
	default:
		return ""
	}
	if name == "python" {
		return ""
	}
	version = strings.TrimSpace(version)
	if m := caret.FindStringSubmatch(version); m != nil {
		version = bounded(m[1], m[2], m[3], strings.TrimSpace(version[1:]))
	}
	if version == "*" || strings.Contains(version, "||") {
		version = ""
	}
	if version != "" && strings.IndexAny(version, "<>=!~") != 0 {
		version = "==" + version
	}
	return name + extras + version + marker
}

// bounded writes what poetry's caret and tilde allow as a range.
func bounded(op, major, minor, full string) string {
	next := func(n string) string {
		number, _ := strconv.ParseUint(n, 10, 64) // one that is too large is no version
		return strconv.FormatUint(number+1, 10)
	}
	if op == "^" && major != "0" || minor == "" {
		return ">=" + full + ",<" + next(major)
	}
	return ">=" + full + ",<" + major + "." + next(minor)
}

func texts(list []any) []string {
	var out []string
	for _, item := range list {
		if s, ok := item.(string); ok {
			out = append(out, s)
		}
	}
	return out
}
