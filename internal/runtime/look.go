package runtime

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/runtime/environ"
)

// lookTime bounds a question to a program of the workspace.
const lookTime = time.Minute

// LookPath finds a program on the PATH that commands of the workspace have. The
// path is one of the place where they run: with the drivers that use another
// container it names nothing on this machine.
func (w *Workspace) LookPath(ctx context.Context, program string) (string, error) {
	if w.box.Foreign {
		res, err := w.Run(ctx, Command{Argv: []string{"sh", "-c", `command -v "$1"`, "sh", program}, Timeout: lookTime})
		if err != nil {
			return "", fmt.Errorf("look for %s: %w", program, err)
		}
		if path := strings.TrimSpace(string(res.Stdout)); res.ExitCode == 0 && path != "" {
			return path, nil
		}
		return "", fmt.Errorf("look for %s: %w", program, process.ErrNotFound)
	}
	return w.find(program)
}

// find is LookPath on this machine.
func (w *Workspace) find(program string) (string, error) {
	for _, dir := range filepath.SplitList(environ.Lookup(w.env, "PATH")) {
		path := filepath.Join(dir, program)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0 {
			return path, nil
		}
	}
	return "", fmt.Errorf("look for %s: %w", program, process.ErrNotFound)
}

// Activated reports whether the Python on that PATH is of a virtual environment
// that was made for the workspace, with the dependencies in it.
func (w *Workspace) Activated() bool { return environ.Lookup(w.env, "VIRTUAL_ENV") == w.box.Place.Venv }

// Foreign reports whether commands see another container's files beside the
// tree: what is installed there can only be asked for.
func (w *Workspace) Foreign() bool { return w.box.Foreign }

// listPackages prints the distributions of an interpreter.
const listPackages = `import importlib.metadata as m, json; print(json.dumps({d.metadata["Name"]: d.version for d in m.distributions()}))`

// PythonPackages asks an interpreter of the workspace for its distributions and
// their versions; what it does not answer is an empty list.
func (w *Workspace) PythonPackages(ctx context.Context, interpreter string) map[string]string {
	res, err := w.Run(ctx, Command{Argv: []string{interpreter, "-I", "-c", listPackages}, Timeout: lookTime})
	var packages map[string]string
	if err != nil || res.ExitCode != 0 || json.Unmarshal(res.Stdout, &packages) != nil {
		return nil
	}
	return packages
}

// findOf looks for programs where the commands of a workspace run, if that is here.
func findOf(w *Workspace) func(string) (string, error) {
	if w.box.Foreign {
		return nil
	}
	return w.find
}
