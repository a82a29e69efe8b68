package script

import (
	"path"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/org/qa-action/internal/framework/settings"
	"github.com/org/qa-action/internal/shell"
	"github.com/org/qa-action/internal/wording"
)

// runNamed looks behind "pdm run" and its like: a script that the project gives a
// name is followed, anything else is the program that runs.
func runNamed(k *commandReader, tool string, words, rest []shell.Word) (next []shell.Word, done bool) {
	if len(rest) == 0 {
		return rest, false
	}
	command, named := k.r.namedCommand(tool, k.pl.Dir, rest[0].Text)
	if !named {
		return rest, false
	}
	lines, known := k.r.commandLines(tool, command, k.pl.Dir)
	key := k.pl.Dir + "\x00" + tool + " " + rest[0].Text
	if !known || !k.known || slices.Contains(k.pl.trail, key) {
		return k.outcome(words, k.pl.Kind) // the tool itself runs it
	}
	at := k.pl.enter(rest[0].Text)
	at.trail, at.Source = append(at.trail, key), "pyproject.toml"
	if tool == "pipenv" {
		at.Source = "Pipfile"
	}
	for i, line := range lines {
		var extra []shell.Word
		if i == len(lines)-1 {
			extra = rest[1:]
		}
		k.r.Text(line, at, extra)
	}
	return nil, true
}

// namedCommand is a script of pdm, pipenv or rye.
func (f files) namedCommand(tool, dir, name string) (command any, ok bool) {
	file := "pyproject.toml"
	if tool == "pipenv" {
		file = "Pipfile"
	}
	data, _ := f.file(path.Join(dir, file))
	var c struct {
		Scripts map[string]any `toml:"scripts"`
		Tool    struct {
			PDM, Rye struct {
				Scripts map[string]any `toml:"scripts"`
			}
		} `toml:"tool"`
	}
	if toml.Unmarshal(data, &c) != nil {
		return nil, false
	}
	command, ok = map[string]map[string]any{"pipenv": c.Scripts, "pdm": c.Tool.PDM.Scripts, "rye": c.Tool.Rye.Scripts}[tool][name]
	return command, ok
}

// commandLines are what a named script runs, one after the other; false where that is
// more than lines: a function of Python, an environment of its own, an option.
func (f files) commandLines(tool string, command any, dir string) ([]string, bool) {
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
				return f.commandLines(tool, c[key], dir)
			}
		}
		parts, _ := c["composite"].([]any)
		var lines []string
		for _, part := range settings.Strings(parts) { // a script of the table, or a program
			if name, _, _ := strings.Cut(part, " "); name != "" {
				if _, own := f.namedCommand(tool, dir, name); own {
					part = tool + " run " + part
				}
			}
			lines = append(lines, part)
		}
		return lines, len(lines) > 0 && len(lines) == len(parts)
	}
	return nil, false
}
