// Package ini reads INI files as Python's tools write them: sections of
// "key = value" with continuation lines, as in setup.cfg, tox.ini and pytest.ini.
package ini

import "strings"

// Sections are the keys of each section by its name. The lines of a value that
// goes on over several stay lines, without the space around them. What it costs
// grows with the length of the file, which may be a stranger's.
func Sections(data string) map[string]map[string]string {
	out := map[string]map[string]string{}
	var section map[string]string
	key := ""
	var more []string // lines that go on with the value of key
	whole := func() {
		if len(more) > 0 {
			section[key] = strings.TrimPrefix(section[key]+"\n"+strings.Join(more, "\n"), "\n")
			more = nil
		}
	}
	for line := range strings.Lines(data) {
		line = strings.TrimRight(line, "\r\n")
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "" || trimmed[0] == '#' || trimmed[0] == ';':
		case line[0] == '[' && strings.Contains(line, "]"):
			whole()
			name := line[1:strings.LastIndexByte(line, ']')]
			if out[name] == nil {
				out[name] = map[string]string{}
			}
			section, key = out[name], ""
		case section == nil:
		case (line[0] == ' ' || line[0] == '\t') && key != "":
			more = append(more, trimmed)
		default:
			if name, value, ok := strings.Cut(trimmed, "="); ok {
				whole()
				key = strings.TrimSpace(name)
				section[key] = strings.TrimSpace(value)
			}
		}
	}
	whole()
	return out
}
