package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/rooted"
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
	config := b.Machine.Repository.Config()
	if config == "" {
		return ""
	}
	data, found := b.credentials(config)
	includes := gitInclude.FindAllSubmatch(data, maxIncludes+1)
	for _, m := range includes {
		if found != "" {
			break
		}
		path := strings.Trim(string(m[1]), `"`)
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(config), path)
		}
		_, found = b.credentials(path)
	}
	if found == "" && len(includes) > maxIncludes {
		return fmt.Sprintf("more than %d files that .git/config includes, any of which may hold a token", maxIncludes)
	}
	return found
}

// credentials reads a git configuration if the code's user could, and names what of
// it that user must not see. One that is too large to look through may hold anything.
func (b *Sandbox) credentials(path string) (data []byte, found string) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || b.User != nil && (info.Mode().Perm()&0o004 == 0 || !user.Reachable(filepath.Dir(path), b.User)) {
		return nil, ""
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, ""
	}
	defer func() { _ = f.Close() }() // only read
	data, err = rooted.All(f, info, path, maxConfig)
	switch {
	case err != nil:
		return nil, fmt.Sprintf("a file of .git/config that may hold a token and cannot be looked through (%v)", err)
	case gitCredential.Match(data):
		return data, "the token that the checkout left in .git/config (persist-credentials: false)"
	}
	return data, ""
}

const (
	maxIncludes = 100
	maxConfig   = 4 << 20
)

// gitCredential tells a configuration that has a credential in it.
var (
	gitCredential = pattern.New(`(?im)^\s*extraheader\s*=\s*\S|://[^/@\s]+:[^/@\s]+@`)
	gitInclude    = pattern.New(`(?im)^\s*path\s*=\s*(\S.*?)\s*$`)
)
