// Package settings reads values of INI, TOML and .env files.
package settings

import (
	"bytes"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/shell"
)

// Dotenv are the settings of a file of NAME=value lines; of a name that
// stands there twice the last one counts.
func Dotenv(data []byte) []string {
	var out []string
	for _, line := range strings.Split(string(data), "\n") {
		line = strings.TrimPrefix(strings.TrimSpace(line), "export ")
		name, value, ok := strings.Cut(line, "=")
		name = strings.TrimSpace(name)
		if !ok || !shell.Assignment.MatchString(name+"=") {
			continue
		}
		value = strings.TrimSpace(value)
		if n := len(value); n > 1 && strings.IndexByte("\"'`", value[0]) >= 0 && strings.IndexByte(value[1:], value[0]) >= 0 {
			value = value[1 : 1+strings.IndexByte(value[1:], value[0])]
		} else if text, _, comment := strings.Cut(value, " #"); comment {
			value = strings.TrimSpace(text)
		}
		out = slices.DeleteFunc(out, func(kv string) bool { return strings.HasPrefix(kv, name+"=") })
		out = append(out, name+"="+value)
	}
	return out
}

// INI gives the values of one section of an INI file: "key = value" with
// continuation lines, which setup.cfg, tox.ini and pytest.ini share.
func INI(data []byte, section string) (map[string]string, bool) {
	var out map[string]string
	key := ""
	for line := range bytes.Lines(data) {
		text := strings.TrimRight(string(line), "\r\n")
		trimmed := strings.TrimSpace(text)
		switch {
		case trimmed == "" || strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, ";"):
		case strings.HasPrefix(text, "["):
			key = ""
			if strings.TrimSpace(text) == "["+section+"]" {
				if out == nil {
					out = map[string]string{}
				}
				key = "\x00"
			}
		case key == "":
		case (text[0] == ' ' || text[0] == '\t') && key != "\x00":
			out[key] = strings.TrimSpace(out[key] + " " + trimmed)
		default:
			if name, value, ok := strings.Cut(trimmed, "="); ok {
				key = strings.TrimSpace(name)
				out[key] = strings.TrimSpace(value)
			}
		}
	}
	return out, out != nil
}

// Text gives a TOML value, a list or a string, as one string of words.
func Text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		return strings.Join(Strings(v), " ")
	}
	return ""
}

// Strings keeps the strings of a TOML list.
func Strings(list []any) []string {
	var out []string
	for _, item := range list {
		if s, ok := item.(string); ok {
			out = append(out, s)
		}
	}
	return out
}
