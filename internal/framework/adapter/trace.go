package adapter

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/org/qa-action/internal/qa"
)

// Trace is how a framework tells which files its tests were made of.
type Trace struct {
	// Argv is a command to ask after a run, in Dir; its standard output is the
	// answer. Nil, or a nil answer, is nothing to be asked: the run leaves the answer.
	Argv func(root string, d Detection) []string
	// Env is what a run needs to leave its traces.
	Env []string
	// Files is a glob, below the folder of the run's reports, of what it left.
	Files string
	// Read understands the answers. They are hostile text; root is the copy the
	// tests ran in, absolute.
	Read func(root string, d Detection, answers [][]byte) Loads
}

// Loads is what a run's tests were made of. Paths are relative to the root.
type Loads struct {
	// Loaded became part of a running program, Compiled was read by the build.
	Loaded, Compiled []string
	// Steers have a hand in what becomes of tests that know nothing of them.
	Steers    []string
	Elsewhere []Elsewhere
	// Artifacts are what a build made of the project and the tests loaded.
	Artifacts []Artifact
	// Executed is which functions each unit enters; nil where that is not known.
	Executed *qa.Execution
}

// Elsewhere is a package of the repository that the tests took from another
// place: what they say of it they do not say of the change.
type Elsewhere struct {
	Name string `json:"name"`
	At   string `json:"at"` // where it was taken from
	// Dir is where the repository has it, relative to the root.
	Dir string `json:"dir"`
	// Same says that what lies there has the same content.
	Same bool `json:"same,omitempty"`
	// Unused says that nothing shows from which place it was taken, only that the
	// repository's was not.
	Unused bool   `json:"unused,omitempty"`
	Mend   string `json:"mend"` // a command that makes the tests use the repository's
}

// below gives a file's path relative to root; false when it lies elsewhere.
func BelowRoot(root, file string) (string, bool) {
	for _, top := range []string{root, realPath(root)} {
		if rel, err := filepath.Rel(top, file); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel), true
		}
	}
	return "", false
}

func realPath(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

// InPackages reports whether a path of the tree belongs to an installation.
func InPackages(rel string) bool {
	return strings.Contains("/"+rel, "/node_modules/") || strings.Contains("/"+rel, "/site-packages/") || strings.Contains("/"+rel, "/dist-packages/")
}

// Bounds of comparing a package with its installed copy.
const (
	MaxCompared     = 2000
	maxComparedFile = 4 << 20
)

// SameSources reports whether every Python file of dir stands in other with the
// same content.
func SameSources(dir, other string) bool {
	seen, same := 0, true
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "__pycache__" || d.Name() == "node_modules"):
			return filepath.SkipDir
		case !d.Type().IsRegular() || filepath.Ext(path) != ".py":
			return nil
		}
		rel, err := filepath.Rel(dir, path)
		if seen++; err != nil || seen > MaxCompared || !SameContent(path, filepath.Join(other, rel)) {
			same = false
			return filepath.SkipAll
		}
		return nil
	})
	return err == nil && same && seen > 0
}

func SameContent(a, b string) bool {
	var content [2]string
	for i, name := range []string{a, b} {
		info, err := os.Stat(name)
		if err != nil || !info.Mode().IsRegular() || info.Size() > maxComparedFile {
			return false
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return false
		}
		content[i] = string(data)
	}
	return content[0] == content[1]
}
