package adapter

import (
	"encoding/json"
	"slices"
	"strings"
)

// said marks the arguments of a script as it has them.
const said = "said "

// Say notes the arguments of the repository's script as it has them, where those that
// are given on lack some.
func (d *Detection) Say(args []string) {
	if !slices.Equal(d.Args, args) {
		text, _ := json.Marshal(args) // strings
		d.Plugins = append(d.Plugins, said+string(text))
	}
}

// Said are these arguments in JSON, which is a list of JavaScript and of Python, too:
// what a test finds on its command line, where the runner is in the same process.
func (d Detection) Said() string {
	for _, p := range d.Plugins {
		if text, ok := strings.CutPrefix(p, said); ok {
			return text
		}
	}
	text, _ := json.Marshal(append([]string{}, d.Args...)) // strings
	return string(text)
}

// Kinds are the plugins, and what else of a script makes it another run, without those
// arguments.
func (d Detection) Kinds() []string {
	return slices.DeleteFunc(slices.Clone(d.Plugins), func(p string) bool { return strings.HasPrefix(p, said) })
}
