package runtime

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/user"
)

// ErrExposed is wrapped when the code could read a secret and nothing here keeps it
// from that: it is not run.
var ErrExposed = errors.New("isolation is too weak")

// exposed is an error when neither namespaces nor Landlock stand between the code
// and a secret that is known to lie within its reach. Whoever accepts that says so
// in Options.AcceptWeak. Drivers that run commands among another container's files
// have walls of their own.
func (w *Workspace) exposed() error {
	if w.foreign || w.opts.AcceptWeak || w.confined() {
		return nil
	}
	hideMemory(w.user)
	found := w.reachable()
	if found == "" {
		return nil
	}
	// What helps stands first: places with little room cut the rest.
	return fmt.Errorf("%w: the tests could read %s; take it away, or set accept-weak-isolation: true; the image on Linux 5.13 or later has walls that are not to be had here (%s)",
		ErrExposed, found, strings.Join(w.off(), "; "))
}

// off are the layers that would have kept the code from reading.
func (w *Workspace) off() []string {
	var out []string
	for _, level := range w.levels {
		if strings.HasPrefix(level, "namespaces: ") || strings.HasPrefix(level, "landlock: ") {
			out = append(out, level)
		}
	}
	return out
}

// reachable names a secret that the code could read; empty when none is known.
func (w *Workspace) reachable() string {
	if w.user == nil {
		if name := environ.Lookup(w.opts.Env, "GITHUB_ENV"); name != "" {
			return "and write the files by which steps of the job set each other's environment"
		}
		if who := secretInParents(w.opts.Secrets); who != "" {
			return "the environment of " + who + ", which holds a secret of this run"
		}
	}
	// No repository, no credentials of one.
	if config := w.repo.Config(); config == "" || !w.tokenIn(config) {
		return ""
	}
	return "the token that the checkout left in .git/config (persist-credentials: false)"
}

// tokenIn reports whether a configuration has a credential that the code's user can
// read, in itself or in a file of credentials that it includes.
func (w *Workspace) tokenIn(config string) bool {
	data, ok := w.asTheCode(config)
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
		if text, ok := w.asTheCode(path); ok && gitCredential.Match(text) {
			return true
		}
	}
	return false
}

// asTheCode reads a file if the code's user could.
func (w *Workspace) asTheCode(path string) ([]byte, bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || w.user != nil && (info.Mode().Perm()&0o004 == 0 || !user.Reachable(filepath.Dir(path), w.user)) {
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
