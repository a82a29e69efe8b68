package toolchain

import (
	"io/fs"
	"path"
	"slices"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/ci"
)

// runsPython are programs that run tests in Python.
var runsPython = pattern.New(`^(?:pytest|py\.test|tox|nox|unittest|nosetests|trial|stestr)$`)

// workflowsIn are the workflow files of a tree, by their paths.
func workflowsIn(fsys fs.FS) map[string][]byte {
	out := map[string][]byte{}
	entries, _ := fs.ReadDir(fsys, ci.Folder)
	for _, e := range entries {
		name := path.Join(ci.Folder, e.Name())
		if data, ok := (Tree{fsys, nil}).read(ci.Folder, e.Name()); ok && ci.IsWorkflow(name) {
			out[name] = []byte(data)
		}
	}
	return out
}

// workflows reads what the jobs that run tests in Python install. It is the last
// place to be asked: a workflow often installs what tests do not need.
func (r *pythonReader) workflows() {
	facts := ci.Read(workflowsIn(r.t.fsys), func(string) string { return "" })
	for _, job := range facts.Jobs {
		tests := slices.ContainsFunc(job.Commands, func(c ci.Command) bool {
			return c.Kind == ci.Test && slices.ContainsFunc(c.Argv, func(word string) bool { return runsPython.MatchString(path.Base(word)) })
		})
		for _, c := range job.Commands {
			if at := slices.Index(c.Argv, "install"); tests && c.Kind == ci.Install && c.Certain && at > 0 && isPip(c.Argv[at-1]) {
				r.arguments(path.Join(ci.Folder, c.Source), c.Argv[at+1:])
			}
		}
	}
}

func isPip(word string) bool { return path.Base(word) == "pip" || path.Base(word) == "pip3" }
