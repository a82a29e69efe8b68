package language

import (
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/pattern"
)

// The lists below hold what all languages say together: a repository is not of
// one language, and neither are its folders.
var (
	locks     = join(func(p Project) []string { return p.Locks })
	installed = join(func(p Project) []string { return p.Installed })
	vendored  = join(func(p Project) []string { return p.Vendored })
	built     = join(func(p Project) []string { return p.Built })
	steers    = join(func(p Project) []string {
		return slices.Concat(p.Manifests, p.Requirements, p.Locks, p.Settings, p.Versions)
	})
)

func join(list func(Project) []string) map[string]bool {
	out := map[string]bool{}
	for _, l := range table {
		for _, name := range list(l.Project) {
			out[strings.ToLower(name)] = true
		}
	}
	return out
}

// Manifests are the names of the files that make a folder a package.
func Manifests() []string {
	var out []string
	for _, l := range table {
		out = each.Added(out, l.Project.Manifests...)
	}
	return out
}

// IsLock reports whether a package manager writes a file of that name.
func IsLock(file string) bool { return locks[strings.ToLower(path.Base(file))] }

// IsConfiguration reports whether a file of that name says what a project is made
// of or configures a tool, in whatever language it is written.
func IsConfiguration(file string) bool {
	name := strings.ToLower(path.Base(file))
	return steers[name] || matches(name, func(p Project) *pattern.Pattern { return p.Scripts })
}

// Steers reports whether installers or managers of toolchains read a file of that
// name.
func Steers(file string) bool { return steers[strings.ToLower(path.Base(file))] }

// IsGenerated reports whether generators give a file such a name.
func IsGenerated(file string) bool {
	return matches(strings.ToLower(path.Base(file)), func(p Project) *pattern.Pattern { return p.Generated })
}

// IsInstalled reports whether package managers put other people's code into a
// folder of that name.
func IsInstalled(folder string) bool { return installed[strings.ToLower(folder)] }

// IsVendored reports whether a folder of that name keeps a copy of other people's
// code in the repository.
func IsVendored(folder string) bool { return vendored[strings.ToLower(folder)] }

// IsBuilt reports whether builds make a folder of that name.
func IsBuilt(folder string) bool { return built[folder] }

// IsCache reports whether test tools note in a folder or file of that name what
// they have seen.
func IsCache(name string) bool {
	return matches(name, func(p Project) *pattern.Pattern { return p.Caches })
}

// IsTrace reports whether tools leave a folder or file of that name behind.
func IsTrace(name string) bool {
	return IsCache(name) || matches(name, func(p Project) *pattern.Pattern { return p.Traces })
}

func matches(name string, of func(Project) *pattern.Pattern) bool {
	return slices.ContainsFunc(table, func(l *Language) bool {
		re := of(l.Project)
		return re != nil && re.MatchString(name)
	})
}
