package sandbox

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/user"
)

// Exposed names a secret within reach of the code, where neither namespaces nor
// Landlock stand between them; empty when none is known. Commands among another
// container's files have layers of their own.
func (b *Sandbox) Exposed(secrets []string) string {
	if b.Foreign || b.confined() {
		return ""
	}
	hideMemory(b.User)
	return b.reachable(secrets)
}

// reachable names a secret that the code could read; empty when none is known.
func (b *Sandbox) reachable(secrets []string) string {
	if b.User == nil {
		if name := environ.Lookup(b.Machine.Env, "GITHUB_ENV"); name != "" {
			return "and write the files by which steps of the job set each other's environment"
		}
		if who := secretInParents(secrets); who != "" {
			return "the environment of " + who + ", which holds a secret of this run"
		}
	}
	// No repository, no credentials of one.
	if config := b.Machine.Repository.Config(); config == "" || !b.tokenIn(config) {
		return ""
	}
	return "the token that the checkout left in .git/config (persist-credentials: false)"
}

// tokenIn reports whether a configuration has a credential that the code's user can
// read, in itself or in a file of credentials that it includes.
func (b *Sandbox) tokenIn(config string) bool {
	data, ok := b.asTheCode(config)
	if !ok {
		return false
	}
	if gitCredential.Match(data) {
		return true
	}
	for _, m := range gitInclude.FindAllSubmatch(data, maxIncludes) {
		path := strings.Trim(string(m[1]), `"`)
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(config), path)
		}
		if text, ok := b.asTheCode(path); ok && gitCredential.Match(text) {
			return true
		}
	}
	return false
}

// asTheCode reads a file if the code's user could.
func (b *Sandbox) asTheCode(path string) ([]byte, bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || b.User != nil && (info.Mode().Perm()&0o004 == 0 || !user.Reachable(filepath.Dir(path), b.User)) {
		return nil, false
	}
	data, err := os.ReadFile(path)
	return data, err == nil
}

const maxIncludes = 100

// gitCredential tells a configuration that has a credential in it.
var (
	gitCredential = regexp.MustCompile(`(?im)^\s*extraheader\s*=\s*\S|://[^/@\s]+:[^/@\s]+@`)
	gitInclude    = regexp.MustCompile(`(?im)^\s*path\s*=\s*(\S.*?)\s*$`)
)
