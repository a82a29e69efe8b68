// Package environ works on environments, lists of "K=V": what of ours is handed on
// to the code, and how two become one.
package environ

import (
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/language"
)

// passed are the variables handed on to the code: language, time zone, where
// the network is, whom to trust, and what toolchains need beside that. A trailing *
// is a prefix.
var passed = func() []string {
	names := []string{
		"LANG", "LANGUAGE", "LC_*", "TZ", "NO_COLOR",
		"http_proxy", "https_proxy", "no_proxy", "all_proxy",
		"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY",
		"SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE",
	}
	for _, l := range language.All() {
		names = append(names, l.Tools.Pass...)
	}
	return names
}()

// refused are never handed on, not even on request: the workflow runner's
// tokens, files and inputs. A trailing * is a prefix.
var refused = []string{
	"INPUT_*", "ACTIONS_*", "GITHUB_*", "RUNNER_*", "STATE_*",
	"DOCKER_HOST", "SSH_AUTH_SOCK", "LD_PRELOAD",
}

// WithoutPassword drops the user part of an address.
func WithoutPassword(value string) string {
	u, err := url.Parse(value)
	if err != nil || u.User == nil || u.Host == "" {
		return value
	}
	u.User = nil
	return u.String()
}

// SearchPath drops the directories that the code cannot enter: a program found
// there first could not be started.
func SearchPath(path string, enterable func(dir string) bool) string {
	var keep []string
	for _, dir := range filepath.SplitList(path) {
		if filepath.IsAbs(dir) && !slices.Contains(keep, dir) && enterable(dir) {
			keep = append(keep, dir)
		}
	}
	if len(keep) == 0 {
		keep = []string{"/usr/local/bin", "/usr/bin", "/bin"}
	}
	return strings.Join(keep, string(os.PathListSeparator))
}

// HandedOn reports whether a variable is handed on to the code: one of the built-in
// allow-list, and never one of the runner's.
func HandedOn(name string) bool { return !matches(refused, name) && matches(passed, name) }

func matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		prefix, isPrefix := strings.CutSuffix(p, "*")
		return name == p || isPrefix && strings.HasPrefix(name, prefix)
	})
}

// Lookup gives the last value of a variable in env.
func Lookup(env []string, name string) string {
	for _, kv := range slices.Backward(env) {
		if k, v, ok := strings.Cut(kv, "="); ok && k == name {
			return v
		}
	}
	return ""
}

// Merge lets later variables win.
func Merge(env ...[]string) []string {
	byName := map[string]string{}
	for _, list := range env {
		for _, kv := range list {
			if name, _, ok := strings.Cut(kv, "="); ok {
				byName[name] = kv
			}
		}
	}
	return slices.Sorted(maps.Values(byName))
}

// those keeps the variables that are asked for by their name.
func those(env []string, kept func(name string) bool) []string {
	return each.Where(env, func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return kept(name)
	})
}

func WithoutVariable(env []string, name string) []string {
	return those(env, func(other string) bool { return other != name })
}

// JoinPython lets a command add to where Python looks for modules, instead of
// replacing what the workspace says of it.
func JoinPython(base, env []string) []string {
	const name = "PYTHONPATH"
	ours, theirs := Lookup(base, name), Lookup(env, name)
	if ours == "" || theirs == "" {
		return env
	}
	return append(slices.Clone(env), name+"="+theirs+string(os.PathListSeparator)+ours)
}

func WithoutRefused(env []string) []string {
	return those(env, func(name string) bool { return !matches(refused, name) })
}

// NetworkEnv is the part of an environment that says how to reach registries,
// with passwords: for our own tools only.
func NetworkEnv(env []string) []string {
	return those(env, func(name string) bool { return matches(passed, name) })
}

// Secrets lists what must not be printed: the secrets that were named, and
// passwords inside addresses of an environment.
func Secrets(env, named []string) []string {
	secrets := slices.Clone(named)
	for _, kv := range env {
		_, value, _ := strings.Cut(kv, "=")
		if u, err := url.Parse(value); err == nil && u.User != nil {
			if password, ok := u.User.Password(); ok {
				secrets = append(secrets, password)
			}
		}
	}
	return secrets
}
