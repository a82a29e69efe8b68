// Package settings reads values of TOML and .env files, and JSON with comments.
package settings

import (
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/shell"
)

// Dotenv are the settings of a file of NAME=value lines; of a name that
// stands there twice the last one counts.
func Dotenv(data []byte) []string {
	var all []string
	last := map[string]int{} // where a name stands in all
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
		if before, ok := last[name]; ok {
			all[before] = ""
		}
		last[name] = len(all)
		all = append(all, name+"="+value)
	}
	return slices.DeleteFunc(all, func(kv string) bool { return kv == "" })
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

// jsonText is a text or a comment of JSON with comments; jsonComma one that nothing follows.
var (
	jsonText  = pattern.New(`"(?:[^"\\]|\\.)*"|//[^\n]*|/\*[\s\S]*?\*/`)
	jsonComma = pattern.New(`"(?:[^"\\]|\\.)*"|,\s*[}\]]`)
)

// PlainJSON takes comments and commas at the end of lists out.
func PlainJSON(data []byte) []byte {
	text := jsonText.ReplaceAllStringFunc(string(data), func(m string) string {
		if m[0] == '/' {
			return " "
		}
		return m
	})
	return []byte(jsonComma.ReplaceAllStringFunc(text, func(m string) string {
		if m[0] == ',' {
			return m[1:]
		}
		return m
	}))
}
