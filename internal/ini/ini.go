// Package ini reads INI files as Python's tools write them: sections of
// "key = value" with continuation lines, as in setup.cfg, tox.ini and pytest.ini.
package ini

import "strings"

// Sections are the keys of each section by its name. The lines of a value that
// goes on over several stay lines, without the space around them.
func Sections(data string) map[string]map[string]string {
	out := map[string]map[string]string{}
	var section map[string]string
	key := ""
	for line := range strings.Lines(data) {
		line = strings.TrimRight(line, "\r\n")
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "" || trimmed[0] == '#' || trimmed[0] == ';':
		case line[0] == '[' && strings.Contains(line, "]"):
			name := line[1:strings.LastIndexByte(line, ']')]
			if out[name] == nil {
				out[name] = map[string]string{}
			}
			section, key = out[name], ""
		case section == nil:
		case (line[0] == ' ' || line[0] == '\t') && key != "":
			section[key] = strings.TrimPrefix(section[key]+"\n"+trimmed, "\n")
		default:
			if name, value, ok := strings.Cut(trimmed, "="); ok {
				key = strings.TrimSpace(name)
				section[key] = strings.TrimSpace(value)
			}
		}
	}
	return out
}
