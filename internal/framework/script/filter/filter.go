// Package filter reads the options by which turbo, nx, lerna, pnpm, npm, yarn and bun
// choose packages. What a pattern leaves open, such as the packages that depend on one or
// changed since a commit, only the tool itself knows: its call is run as it stands. Start
// at [Of].
package filter

import (
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/shell"
)

// plain is a name or a path, with or without a glob; "!" leaves out.
var plain = pattern.New(`^!?(?:\{[\w@./*-]+\}|[\w@./*-]+)$`)

// options are those that choose packages; false are those that leave out.
var options = map[string]bool{
	"--filter": true, "-F": true, "--scope": true, "--projects": true, "-p": true, "--project": true, "--workspace": true, "-w": true, "--include": true,
	"--ignore": false, "--exclude": false,
}

// Chooses reports whether an option is a filter.
func Chooses(option string) bool {
	_, is := options[option]
	return is
}

// Of are the patterns that an option's value names.
func Of(option, value string) []string {
	choose, ok := options[option]
	if !ok || value == "" && len(option) == 2 { // -w and -p mean other things, too
		return nil
	}
	list := []string{value}
	if !strings.Contains(value, "{") {
		list = strings.Split(value, ",")
	}
	var out []string
	for _, p := range list {
		if p = strings.TrimSpace(p); !choose {
			p = "!" + p
		}
		out = append(out, p)
	}
	return out
}

// Among are the patterns that some of the options among words name.
func Among(words []shell.Word, only ...string) (out []string) {
	for i, w := range words {
		option, value, joined := strings.Cut(w.Text, "=")
		if !slices.Contains(only, option) {
			continue
		}
		if !joined && i+1 < len(words) {
			value = words[i+1].Text
		}
		out = append(out, Of(option, value)...)
	}
	return out
}

// Plain reports whether all patterns are names, paths or globs.
func Plain(patterns []string) bool {
	for _, p := range patterns {
		if !plain.MatchString(p) || strings.Contains(p, "...") {
			return false
		}
	}
	return true
}
