package shell

import (
	"slices"
	"strings"
)

// Without filters options out of args. dropped maps an option's name to whether
// it is followed by a value; "--x." as a key drops all options of that prefix. What
// stays behind would be taken for a file to run, so a plain "true" or "false" goes with
// any of them.
func Without(args []string, dropped map[string]bool) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		name, _, joined := strings.Cut(args[i], "=")
		value, drop := dropped[name]
		if dot := strings.IndexByte(name, '.'); !drop && dot > 0 && strings.HasPrefix(name, "--") {
			value, drop = dropped[name[:dot+1]]
		}
		if !drop {
			out = append(out, args[i])
			continue
		}
		if !joined && i+1 < len(args) && (value && !strings.HasPrefix(args[i+1], "-") || args[i+1] == "true" || args[i+1] == "false") {
			i++
		}
	}
	return out
}

// WithoutLists filters out options that take every word up to the next option.
func WithoutLists(args []string, names ...string) []string {
	var out []string
	list := false
	for _, a := range args {
		if strings.HasPrefix(a, "-") {
			name, _, _ := strings.Cut(a, "=")
			list = slices.Contains(names, name)
		}
		if !list {
			out = append(out, a)
		}
	}
	return out
}

// LastOption is the value of an option, the last one where there are several.
func LastOption(args []string, name string) (value string) {
	for i, a := range args {
		a = strings.Replace(a, "--", "-", 1)
		if v, ok := strings.CutPrefix(a, name+"="); ok {
			value = v
		} else if a == name && i+1 < len(args) {
			value = args[i+1]
		}
	}
	return value
}

// Unsets reports whether env takes something out of the environment, which only
// env itself can do.
func Unsets(words []Word) bool {
	for _, w := range words {
		switch {
		case !strings.HasPrefix(w.Text, "-"):
			return false
		case w.Text != "--":
			return true
		}
	}
	return false
}
