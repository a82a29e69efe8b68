package runtime

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
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
	return fmt.Errorf("%w: the tests could read %s, and neither namespaces nor Landlock are to be had here (%s); run the action from its image on Linux 5.13 or later, take the secret away, or accept it with accept-weak-isolation: true",
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
		if name := lookup(w.opts.Env, "GITHUB_ENV"); name != "" {
			return "and write the files by which steps of the job set each other's environment"
		}
		if who := secretInParents(w.opts.Secrets); who != "" {
			return "the environment of " + who + ", which holds a secret of this run"
		}
	}
	_, common, err := gitDirs(filepath.Join(w.opts.Root, ".git"))
	if err != nil {
		return "" // no repository, no credentials of one
	}
	config := filepath.Join(common, "config")
	info, err := os.Stat(config)
	if err != nil || w.user != nil && info.Mode().Perm()&0o004 == 0 {
		return ""
	}
	data, err := os.ReadFile(config)
	if err != nil || !gitCredential.Match(data) {
		return ""
	}
	return "the token that the checkout left in .git/config (persist-credentials: false leaves none)"
}

// gitCredential tells a configuration that has a credential in it.
var gitCredential = regexp.MustCompile(`(?im)^\s*extraheader\s*=\s*\S|://[^/@\s]+:[^/@\s]+@`)
