package framework

import (
	"path"
	"slices"
	"strings"
)

// dotenv reads the files that set the environment, for dotenv, dotenvx and
// env-cmd: their own options first, then what they start. Of two files the
// first one counts, and what is set already counts before both.
func (k *commandReader) dotenv(name string, rest []word) []word {
	var files, given []string
	for len(rest) > 0 && (strings.HasPrefix(rest[0].text, "-") || rest[0].text == "run" && name != "env-cmd") {
		option, value, joined := strings.Cut(rest[0].text, "=")
		rest = rest[1:]
		if option == "--" {
			break
		}
		takes := slices.Contains([]string{"-e", "-f", "--file", "--env-file", "-v", "--env", "-p", "-q", "-r", "--rc-file", "--environments", "--env-vault-file"}, option) && option != "-q"
		if takes && !joined && len(rest) > 0 {
			value, rest = rest[0].text, rest[1:]
		}
		switch {
		case option == "-o" || option == "--override":
			k.known = false
		case value == "":
		case option == "-v" || option == "--env":
			given = append(given, value)
		case option == "-e" && name == "env-cmd" || option == "--environments" || strings.HasPrefix(option, "-r") || option == "-c":
			k.known = false // only the program itself knows
		case takes:
			files = append(files, value)
		}
	}
	if len(files) == 0 {
		files = []string{".env"}
	}
	set := map[string]bool{}
	for _, kv := range append(slices.Clone(k.pl.env), given...) {
		name, _, _ := strings.Cut(kv, "=")
		set[name] = true
	}
	for _, kv := range given {
		if assignment.MatchString(kv) {
			k.pl.env = append(k.pl.env, kv)
		}
	}
	for _, f := range files {
		data, _ := k.r.file(path.Join(k.pl.dir, f))
		for _, kv := range dotenvLines(data) {
			if name, value, _ := strings.Cut(kv, "="); strings.Contains(value, "$") {
				k.known = false // which the program expands
			} else if !set[name] && len(k.pl.env) <= maxLeaves {
				set[name] = true
				k.pl.env = append(k.pl.env, kv)
			}
		}
	}
	return rest
}

// dotenvLines are the settings of a file of NAME=value lines; of a name that
// stands there twice the last one counts.
func dotenvLines(data []byte) []string {
	var out []string
	for _, line := range strings.Split(string(data), "\n") {
		line = strings.TrimPrefix(strings.TrimSpace(line), "export ")
		name, value, ok := strings.Cut(line, "=")
		name = strings.TrimSpace(name)
		if !ok || !assignment.MatchString(name+"=") {
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

// unsets reports whether env takes something out of the environment, which only
// env itself can do.
func unsets(words []word) bool {
	for _, w := range words {
		switch {
		case !strings.HasPrefix(w.text, "-"):
			return false
		case w.text != "--":
			return true
		}
	}
	return false
}
