package language

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/org/qa-action/internal/each"
)

// Tools is what the language's toolchain needs of the machine.
type Tools struct {
	// Pass are variables of the environment that are handed on to the code of a
	// change: where the network is, and what was chosen. None may hold a secret.
	Pass []string
	// Set are variables that every command gets, "K=V".
	Set []string
	// Lint are variables that say where the toolchain is, for linters.
	Lint   []string
	Caches []Cache
	Homes  []Home
	// Absent says that the action's image has no toolchain of it and none is fetched:
	// where there is one, it is the runner's.
	Absent bool
	// Types looks at types that running the code does not; nil is no such program.
	Types *TypeChecker
}

// Cache is where a compiler or package manager keeps what it made or fetched.
type Cache struct {
	Variable string
	Folder   string // the name of it below the caches of a private copy
	// Download says that a package manager writes to it while it installs.
	Download bool
	// Machine are the paths at which it may be outside of any copy, with variables and
	// spaces between ("$npm_config_cache $HOME/.npm"): the first that are set.
	Machine string
}

// At is where the cache is on the machine, by the environment; empty is nowhere.
func (c Cache) At(getenv func(string) string) string {
	for _, at := range strings.Fields(c.Machine) {
		set := true
		path := os.Expand(at, func(name string) string {
			value := getenv(name)
			set = set && value != ""
			return value
		})
		if set && filepath.IsAbs(path) {
			return filepath.Clean(path)
		}
	}
	return ""
}

// Home is a folder of the user in which a toolchain keeps itself and what it has
// fetched, and often credentials: only what is named here is seen.
type Home struct {
	// Variable names the folder, where there is one; Default is where it is else,
	// below the user's home.
	Variable, Default string
	// Own is the name of a folder that takes the place of this one for a private
	// copy, and Lay are the entries that appear in it. Depth says how deep folders
	// are folders of the copy's own, to which more can be written: those further
	// below are links. Of 0, only files are.
	Own   string
	Lay   []string
	Depth int
	// Copied are ends of names: files that the toolchain writes to where it only reads.
	Copied []string
	// Set are more variables; {own} is the folder that takes the place.
	Set []string
}

// Caches are those of all languages.
func Caches() []Cache {
	var out []Cache
	for _, l := range table {
		out = each.Added(out, l.Tools.Caches...)
	}
	return out
}

// In is where the folder of the user is, by the environment; empty is nowhere.
func (h Home) In(getenv func(string) string) string {
	if h.Variable != "" {
		if at := getenv(h.Variable); filepath.IsAbs(at) {
			return at
		}
	}
	if home := getenv("HOME"); h.Default != "" && filepath.IsAbs(home) {
		return filepath.Join(home, h.Default)
	}
	return ""
}
