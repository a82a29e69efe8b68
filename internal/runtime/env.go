package runtime

import (
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/runtime/cache"
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

// baseEnv makes the environment that every command of a workspace gets.
func baseEnv(o Options, p place, enterable func(dir string) bool) []string {
	env := []string{
		"CI=true", "HOME=" + p.user, "TMPDIR=" + p.tmp, "USER=qa", "LOGNAME=qa",
		"PATH=" + searchPath(lookup(o.Env, "PATH"), enterable),
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
		if matches(refused, name) || !matches(passed, name) && !slices.Contains(o.Pass, name) {
			continue
		}
		env = append(env, name+"="+withoutPassword(value))
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

// withoutPassword drops the user part of an address.
func withoutPassword(value string) string {
	u, err := url.Parse(value)
	if err != nil || u.User == nil || u.Host == "" {
		return value
	}
	u.User = nil
	return u.String()
}

// searchPath drops the directories that the code cannot enter: a program found
// there first could not be started.
func searchPath(path string, enterable func(dir string) bool) string {
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

func matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		prefix, isPrefix := strings.CutSuffix(p, "*")
		return name == p || isPrefix && strings.HasPrefix(name, prefix)
	})
}

// lookup gives the last value of a variable in env.
func lookup(env []string, name string) string {
	for _, kv := range slices.Backward(env) {
		if k, v, ok := strings.Cut(kv, "="); ok && k == name {
			return v
		}
	}
	return ""
}

// merge lets later variables win.
func merge(env ...[]string) []string {
	byName := map[string]string{}
	for _, list := range env {
		for _, kv := range list {
			if name, _, ok := strings.Cut(kv, "="); ok {
				byName[name] = kv
			}
		}
	}
	out := make([]string, 0, len(byName))
	for _, kv := range byName {
		out = append(out, kv)
	}
	slices.Sort(out)
	return out
}
