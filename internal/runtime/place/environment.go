package place

import (
	"slices"
	"strings"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/runtime/cache"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/user"
)

// Environment is what every command of a workspace gets, out of ours: the built-in
// allow-list, and of PATH what the code can enter.
func (p Place) Environment(ours []string, homes []ToolHome, enterable func(dir string) bool) []string {
	env := []string{
		"CI=true", "HOME=" + p.user, "TMPDIR=" + p.Tmp, "USER=" + user.Name, "LOGNAME=" + user.Name,
		"PATH=" + environ.SearchPath(environ.Lookup(ours, "PATH"), enterable),
		"GIT_TERMINAL_PROMPT=0",
	}
	for _, l := range language.All() {
		env = append(env, l.Tools.Set...)
	}
	env = append(env, cache.Variables(p.Packages())...)
	for _, h := range homes {
		env = append(env, h.environment(p)...)
	}
	for _, kv := range ours {
		name, value, _ := strings.Cut(kv, "=")
		if environ.HandedOn(name) {
			env = append(env, name+"="+environ.WithoutPassword(value))
		}
	}
	slices.Sort(env)
	return env
}
