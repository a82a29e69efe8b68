package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/provision"
	"github.com/org/qa-action/internal/runtime/toolchain"
	"github.com/org/qa-action/internal/wording"
)

// lookTime bounds a question to a program of the workspace.
const lookTime = time.Minute

// LookPath finds a program on the PATH that commands of the workspace have. The
// path is one of the place where they run: with the drivers that use another
// container it names nothing on this machine.
func (r *runner) LookPath(ctx context.Context, program string) (string, error) {
	if r.box.Foreign {
		res, err := r.Run(ctx, Command{Argv: []string{"sh", "-c", `command -v "$1"`, "sh", program}, Timeout: lookTime})
		if err != nil {
			return "", fmt.Errorf("look for %s: %w", program, err)
		}
		if path := strings.TrimSpace(string(res.Stdout)); res.ExitCode == 0 && path != "" {
			return path, nil
		}
		return "", missing(program)
	}
	return r.find(program)
}

func missing(program string) error {
	return fmt.Errorf("look for %s: %w", program, process.ErrNotFound)
}

// find is LookPath on this machine.
func (r *runner) find(program string) (string, error) {
	for _, dir := range filepath.SplitList(environ.Lookup(r.env, "PATH")) {
		path := filepath.Join(dir, program)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0 {
			return path, nil
		}
	}
	return "", missing(program)
}

// Activated reports whether the Python on that PATH is of a virtual environment
// that was made for the workspace, with the dependencies in it.
func (r *runner) Activated() bool { return environ.Lookup(r.env, "VIRTUAL_ENV") == r.box.Place.Venv }

// Foreign reports whether commands see another container's files beside the
// tree: what is installed there can only be asked for.
func (r *runner) Foreign() bool { return r.box.Foreign }

// listPackages prints the distributions of an interpreter.
const listPackages = `import importlib.metadata as m, json; print(json.dumps({d.metadata["Name"]: d.version for d in m.distributions()}))`

// PythonPackages asks an interpreter of the workspace for its distributions and
// their versions; what it does not answer is an empty list.
func (r *runner) PythonPackages(ctx context.Context, interpreter string) map[string]string {
	res, err := r.Run(ctx, Command{Argv: []string{interpreter, "-I", "-c", listPackages}, Timeout: lookTime})
	var packages map[string]string
	if err != nil || res.ExitCode != 0 || json.Unmarshal(res.Stdout, &packages) != nil {
		return nil
	}
	return packages
}

// distributions are those of PythonPackages by the names that are compared.
func (r *runner) distributions(ctx context.Context, interpreter string) map[string]string {
	found := r.PythonPackages(ctx, interpreter)
	if found == nil {
		return nil // it did not say
	}
	out := map[string]string{}
	for name, version := range found {
		out[toolchain.PythonName(name)] = version
	}
	return out
}

// must runs a command of the preparation; its failure is an error.
func (r *runner) must(ctx context.Context, what string, c Command) error {
	_, _ = fmt.Fprintf(r.log, "%s: %s\n", what, strings.Join(c.Argv, " "))
	c.Live = r.log
	res, err := r.Run(ctx, c)
	switch {
	case errors.Is(err, process.ErrNotFound):
		return fmt.Errorf("%w: %s: %w", provision.ErrProvision, what, err)
	case err != nil && ctx.Err() == nil:
		return fmt.Errorf("%s: %w", what, err)
	case err != nil || res.TimedOut || res.ExitCode != 0 || res.Signal != "":
		return provision.Unready(what, wording.Command(c.Argv), res, context.Cause(ctx), r.finder())
	}
	return nil
}

// finder looks for programs where commands run, if that is here; else nil.
func (r *runner) finder() func(string) (string, error) {
	if r.box.Foreign {
		return nil
	}
	return r.find
}

// stated is what a program says its version is.
func (r *runner) stated(ctx context.Context, program string) string {
	res, err := r.Run(ctx, Command{Argv: []string{program, "--version"}, Timeout: provision.AskTime})
	if err != nil || res.ExitCode != 0 {
		return program + " does not say"
	}
	return program + " " + diagnosis.Line(res.Stdout)
}

// read opens a file as the code does.
func (r *runner) read(ctx context.Context, path string) error {
	res, err := r.Run(ctx, Command{Argv: []string{"cat", path}, Timeout: lookTime})
	if err == nil && res.ExitCode != 0 {
		err = errors.New("it cannot be read")
	}
	return err
}

// machinePython is the interpreter that commands get by its usual names.
func (r *runner) machinePython() string {
	for _, name := range []string{"python3", "python"} {
		if at, err := r.find(name); err == nil {
			return at
		}
	}
	return ""
}
