// Package tox reads what tox would run.
package tox

import (
	"bytes"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/org/qa-action/internal/framework/settings"
	"github.com/org/qa-action/internal/ini"
	"github.com/org/qa-action/internal/shell"
	"github.com/org/qa-action/internal/wording"
)

// tox, nox and hatch: what runs the tests of a Python project. Their
// environments are not built here: the tests run with the Python of the
// project, so that what they install is not taken over.

// File is what tox would run: sections by name, with their keys.
type File struct {
	sections map[string]map[string]string
	Envs     []string       // the default environments
	lines    map[string]int // in which sections begin, where that is known
}

func Read(file func(string) ([]byte, bool), dir string) (File, string) {
	for _, f := range []string{"tox.ini", "setup.cfg", "pyproject.toml", "tox.toml"} {
		data, ok := file(path.Join(dir, f))
		if !ok {
			continue
		}
		if strings.HasSuffix(f, ".toml") {
			var py struct {
				toxTable
				Tool struct {
					Tox struct {
						toxTable
						Legacy string `toml:"legacy_tox_ini"`
					} `toml:"tox"`
				} `toml:"tool"`
			}
			_ = toml.Unmarshal(data, &py) // what was read before an error counts
			switch {
			case py.Tool.Tox.Legacy != "":
				out := toxINI([]byte(py.Tool.Tox.Legacy))
				out.lines = nil // they are of a text in this file
				return out, f
			case py.Tool.Tox.Base != nil || py.Tool.Tox.Env != nil:
				return py.Tool.Tox.file(), f
			case f == "tox.toml":
				return py.file(), f
			}
			continue
		}
		if t := toxINI(data); t.sections["testenv"] != nil || len(t.Envs) > 0 {
			return t, f
		}
	}
	return File{}, ""
}

// toxTable is tox's own TOML.
type toxTable struct {
	EnvList []string                  `toml:"env_list"`
	Base    map[string]any            `toml:"env_run_base"`
	Env     map[string]map[string]any `toml:"env"`
}

// file puts the tables into the terms of the INI file.
func (t toxTable) file() File {
	out := File{sections: map[string]map[string]string{"testenv": toxSection(t.Base)}, Envs: t.EnvList}
	for name, e := range t.Env {
		out.sections["testenv:"+name] = toxSection(e)
	}
	return out
}

func toxSection(keys map[string]any) map[string]string {
	out := map[string]string{}
	for key, value := range keys {
		switch v := value.(type) {
		case string:
			out[key] = v
		case bool:
			out[key] = strconv.FormatBool(v)
		case map[string]any: // set_env
			for _, name := range slices.Sorted(maps.Keys(v)) {
				text, ok := v[name].(string)
				if !ok {
					text = toxReplaced(v[name])
				}
				out[key] += name + "=" + text + "\n"
			}
		case []any:
			if strings.HasPrefix(key, "commands") {
				out[key] = tomlCommands(v)
			} else {
				out[key] = strings.Join(settings.Strings(v), "\n")
			}
		}
	}
	return out
}

// tomlCommands makes lines of [["pytest", "-q"], …].
func tomlCommands(list []any) string {
	var lines []string
	for _, c := range list {
		words, ok := c.([]any)
		if !ok {
			lines = append(lines, toxReplaced(c))
			continue
		}
		var line []string
		for _, w := range words {
			if s, ok := w.(string); ok {
				line = append(line, wording.Quote(s))
			} else {
				line = append(line, toxReplaced(w))
			}
		}
		lines = append(lines, strings.Join(line, " "))
	}
	return strings.Join(lines, "\n")
}

// toxReplaced is a replacement, a table in TOML, as the INI file writes it; of
// those that it has not only tox knows what they become.
func toxReplaced(v any) string {
	table, _ := v.(map[string]any)
	list, _ := table["of"].([]any)
	of, missing := settings.Strings(list), ""
	switch d := table["default"].(type) {
	case string:
		missing = d
	case []any:
		missing = wording.Command(settings.Strings(d))
	}
	switch table["replace"] {
	case "posargs":
		return "{posargs:" + missing + "}"
	case "env":
		name, _ := table["name"].(string)
		return "{env:" + name + ":" + missing + "}"
	case "ref":
		switch {
		case len(of) == 2 && of[0] == "env_run_base":
			return "{[testenv]" + of[1] + "}"
		case len(of) == 3 && of[0] == "env":
			return "{[testenv:" + of[1] + "]" + of[2] + "}"
		}
	}
	return shell.Unread
}

// toxINI reads an INI file.
func toxINI(data []byte) File {
	out := File{sections: map[string]map[string]string{}, lines: map[string]int{}}
	read := ini.Sections(string(data))
	for _, name := range slices.Sorted(maps.Keys(read)) { // in setup.cfg a section of tox may be called "tox:testenv"
		section := strings.TrimPrefix(name, "tox:")
		if out.sections[section] == nil {
			out.sections[section] = map[string]string{}
		}
		maps.Copy(out.sections[section], read[name])
	}
	line := 0
	for text := range bytes.Lines(data) {
		line++
		if name, ok := bytes.CutPrefix(bytes.TrimSpace(text), []byte("[")); ok {
			name, _, _ = bytes.Cut(name, []byte("]"))
			out.lines[strings.TrimPrefix(string(name), "tox:")] = line
		}
	}
	core := out.sections["tox"]
	for _, line := range strings.Split(core["envlist"]+"\n"+core["env_list"], "\n") {
		out.Envs = append(out.Envs, Variants(line)...)
	}
	return out
}
