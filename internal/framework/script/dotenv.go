package script

import (
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework/settings"
	"github.com/org/qa-action/internal/shell"
)

// dotenv reads the files that set the environment, for dotenv, dotenvx and
// env-cmd: their own options first, then what they start. Of two files the
// first one counts, and what is set already counts before both.
func (k *commandReader) dotenv(name string, rest []shell.Word) []shell.Word {
	var files, given []string
	for len(rest) > 0 && (strings.HasPrefix(rest[0].Text, "-") || rest[0].Text == "run" && name != "env-cmd") {
		option, value, joined := strings.Cut(rest[0].Text, "=")
		rest = rest[1:]
		if option == "--" {
			break
		}
		takes := slices.Contains([]string{"-e", "-f", "--file", "--env-file", "-v", "--env", "-p", "-q", "-r", "--rc-file", "--environments", "--env-vault-file"}, option) && option != "-q"
		if takes && !joined && len(rest) > 0 {
			value, rest = rest[0].Text, rest[1:]
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
		if shell.Assignment.MatchString(kv) {
			k.pl.env = append(k.pl.env, kv)
		}
	}
	for _, f := range files {
		data, _ := k.r.file(path.Join(k.pl.Dir, f))
		for _, kv := range settings.Dotenv(data) {
			if name, value, _ := strings.Cut(kv, "="); strings.Contains(value, "$") {
				k.known = false // which the program expands
			} else if !set[name] && len(k.pl.env) <= MaxLeaves {
				set[name] = true
				k.pl.env = append(k.pl.env, kv)
			}
		}
	}
	return rest
}
