package recipe

import (
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/org/qa-action/internal/framework/settings"
	"github.com/org/qa-action/internal/wording"
)

// scripts are those of pdm, pipenv or rye, which read their own table of a file.
type scripts map[string]any

// Script is what a named script of pdm, pipenv or rye runs, one line after the other; known
// is false where that is more than lines: a function of Python, an environment of its own,
// an option.
func Script(data []byte, tool, name string) (lines []string, known, named bool) {
	var c struct {
		Scripts scripts `toml:"scripts"`
		Tool    struct {
			PDM, Rye struct {
				Scripts scripts `toml:"scripts"`
			}
		} `toml:"tool"`
	}
	if toml.Unmarshal(data, &c) != nil {
		return nil, false, false
	}
	all := map[string]scripts{"pipenv": c.Scripts, "pdm": c.Tool.PDM.Scripts, "rye": c.Tool.Rye.Scripts}[tool]
	command, named := all[name]
	lines, known = all.lines(tool, command)
	return lines, known, named
}

func (s scripts) lines(tool string, command any) ([]string, bool) {
	switch c := command.(type) {
	case string:
		return []string{c}, true
	case []any:
		return []string{wording.Command(settings.Strings(c))}, true
	case map[string]any:
		if len(c) != 1 {
			return nil, false
		}
		for _, key := range []string{"cmd", "shell"} {
			if c[key] != nil {
				return s.lines(tool, c[key])
			}
		}
		parts, _ := c["composite"].([]any)
		var lines []string
		for _, part := range settings.Strings(parts) { // a script of the table, or a program
			if name, _, _ := strings.Cut(part, " "); s[name] != nil {
				part = tool + " run " + part
			}
			lines = append(lines, part)
		}
		return lines, len(lines) > 0 && len(lines) == len(parts)
	}
	return nil, false
}
