package runtime

import (
	"net/url"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/runtime/cache"
	"github.com/org/qa-action/internal/runtime/environ"
)

// baseEnv makes the environment that every command of a workspace gets.
func baseEnv(o Options, p place, enterable func(dir string) bool) []string {
	env := []string{
		"CI=true", "HOME=" + p.user, "TMPDIR=" + p.tmp, "USER=qa", "LOGNAME=qa",
		"PATH=" + environ.SearchPath(environ.Lookup(o.Env, "PATH"), enterable),
		"GIT_TERMINAL_PROMPT=0",
	}
	for _, l := range language.All() {
		env = append(env, l.Tools.Set...)
	}
	env = append(env, cache.Variables(p.packages())...)
	for _, h := range homes(o) {
		env = append(env, h.environment(p)...)
	}
	for _, kv := range o.Env {
		name, value, _ := strings.Cut(kv, "=")
		if environ.HandedOn(name, o.Pass) {
			env = append(env, name+"="+environ.WithoutPassword(value))
		}
	}
	slices.Sort(env)
	return env
}

// secretsOf lists what must not be printed: the secrets that were named, and
// passwords inside addresses of the environment.
func secretsOf(o Options) []string {
	secrets := slices.Clone(o.Secrets)
	for _, kv := range o.Env {
		_, value, _ := strings.Cut(kv, "=")
		if u, err := url.Parse(value); err == nil && u.User != nil {
			if password, ok := u.User.Password(); ok {
				secrets = append(secrets, password)
			}
		}
	}
	return secrets
}
