package script

import (
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/shell"
)

// The filters by which turbo, nx, lerna, pnpm, npm, yarn and bun choose packages.
// What a pattern leaves open, such as the packages that depend on one or changed
// since a commit, only the tool itself knows: its call is run as it stands.

// plainFilter is a name or a path, with or without a glob; "!" leaves out.
var plainFilter = pattern.New(`^!?(?:\{[\w@./*-]+\}|[\w@./*-]+)$`)

// filters are the options that choose packages; false are those that leave out.
var filters = map[string]bool{
	"--filter": true, "-F": true, "--scope": true, "--projects": true, "-p": true, "--project": true, "--workspace": true, "-w": true, "--include": true,
	"--ignore": false, "--exclude": false,
}

// filtered are the patterns that an option's value names.
func filtered(option, value string) []string {
	choose, ok := filters[option]
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

// filtersOf are the patterns that some of the options among words name.
func filtersOf(words []shell.Word, options ...string) (out []string) {
	for i, w := range words {
		option, value, joined := strings.Cut(w.Text, "=")
		if !slices.Contains(options, option) {
			continue
		}
		if !joined && i+1 < len(words) {
			value = words[i+1].Text
		}
		out = append(out, filtered(option, value)...)
	}
	return out
}

// plainly reports whether all patterns are names, paths or globs.
func plainly(patterns []string) bool {
	for _, p := range patterns {
		if !plainFilter.MatchString(p) || strings.Contains(p, "...") {
			return false
		}
	}
	return true
}
