package python

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/framework/script"
	"github.com/org/qa-action/internal/rooted"
)

// whereElse prints where an interpreter finds modules by name, without importing
// them and without the current directory, which many ways to start a suite leave
// out. A program that names an interpreter in its first line is asked through
// that one. Modules that come with the interpreter are nobody's release.
const whereElse = `
import importlib.util, json, os, shutil, sys, sysconfig
program, names = sys.argv[2], json.loads(sys.argv[3])
if len(sys.argv) == 4:
    at = shutil.which(program)
    try:
        with open(at or os.devnull, "rb") as f:
            first = f.readline(300)
    except OSError:
        first = b""
    words = first[2:].decode("utf-8", "replace").split() if first[:2] == b"#!" else []
    if words and os.path.basename(words[0]).startswith("python") and os.access(words[0], os.X_OK):
        os.execv(words[0], [words[0], "-c", "import sys; exec(sys.argv[1])"] + sys.argv[1:] + ["asked"])
sys.path = [p for p in sys.path if p]
library = [os.path.realpath(sysconfig.get_path(k)) + os.sep for k in ("stdlib", "platstdlib")]
found = {}
for name in names:
    try:
        spec = importlib.util.find_spec(name)
    except Exception:
        continue
    at = spec.origin if spec else None
    if not at or not os.path.isabs(at):
        continue
    real = os.path.realpath(at)
    if any(real.startswith(l) for l in library) and "-packages" + os.sep not in real:
        continue
    found[name] = at
print(json.dumps({"python": sys.executable, "found": found}))
`

// TraceCommand tells of a command that nobody knows from inside which copy of
// the project's Python packages it had. Python leaves byte code beside what it
// imports, and what an earlier command left is gone: a package without any was
// not imported. Where an installed one answers to the same name, the tests had
// that or none.
var TraceCommand = &adapter.Trace{
	Env: []string{"PYTHONDONTWRITEBYTECODE="},
	Argv: func(root string, d adapter.Detection) []string {
		own := ownPython(root, d.Dir)
		if len(own) == 0 || len(d.Program) == 0 {
			return nil
		}
		names, _ := json.Marshal(slices.Sorted(maps.Keys(own))) // strings
		argv := project.BareProgram(d.Program)
		before := d.Program[:len(d.Program)-len(argv)]
		return append(slices.Clone(before), interpreterOf(argv), "-c", "import sys; exec(sys.argv[1])", whereElse, argv[0], string(names))
	},
	Read: func(root string, d adapter.Detection, answers [][]byte) adapter.Loads {
		var out adapter.Loads
		own := ownPython(root, d.Dir)
		for _, data := range answers {
			var answer struct {
				Python string            `json:"python"`
				Found  map[string]string `json:"found"`
			}
			data = bytes.TrimSpace(data) // what starts with the interpreter may speak first
			if json.Unmarshal(data[bytes.LastIndexByte(data, '\n')+1:], &answer) != nil {
				continue
			}
			for _, name := range slices.Sorted(maps.Keys(answer.Found)) {
				at, dir := answer.Found[name], own[name]
				rel, in := adapter.BelowRoot(root, at)
				if dir == "" || in && !adapter.InPackages(rel) || imported(root, dir) {
					continue
				}
				e := elsewherePython(root, d, name, dir, at)
				e.Unused, e.Mend = true, Mend(root, d, answer.Python, at)
				out.Artifacts = append(out.Artifacts, machineIn(root, at)...)
				if in { // the copy is gone when this is read
					e.At = rel
				}
				out.Elsewhere = append(out.Elsewhere, e)
			}
		}
		return out
	},
}

// interpreterOf is the Python that a command line is likely to run in.
func interpreterOf(argv []string) string {
	if script.IsPython(path.Base(argv[0])) {
		return argv[0]
	}
	return "python3"
}

// Mend installs a project by reference into the interpreter that was
// asked, as the checkout has it or as the command called it.
func Mend(root string, d adapter.Detection, python, at string) string {
	name := interpreterOf(project.BareProgram(d.Program))
	if rel, in := adapter.BelowRoot(root, filepath.Dir(python)); in {
		name = path.Join(folder.Climb(path.Clean(cmp.Or(d.Dir, ".")), rel), filepath.Base(python))
	}
	return mendCopy(root, d, name, at)
}

// imported reports whether Python left byte code of a package or module.
func imported(root, dir string) bool {
	tree, err := os.OpenRoot(root)
	if err != nil {
		return false
	}
	defer func() { _ = tree.Close() }()
	prefix := ""
	if stem, isModule := strings.CutSuffix(path.Base(dir), ".py"); isModule {
		dir, prefix = path.Dir(dir), stem+"."
	}
	return slices.ContainsFunc(rooted.List(tree, path.Join(dir, "__pycache__"), folder.MaxFolders), func(e os.DirEntry) bool {
		return strings.HasPrefix(e.Name(), prefix) && path.Ext(e.Name()) == ".pyc"
	})
}

// machineIn are the files with machine code of an installed module, as many as
// one looks at.
func machineIn(root, at string) []adapter.Artifact {
	if adapter.MachineCode(at) {
		return []adapter.Artifact{adapter.ArtifactAt(root, at)}
	}
	if !strings.HasPrefix(filepath.Base(at), "__init__.") {
		return nil
	}
	var out []adapter.Artifact
	seen := 0
	_ = filepath.WalkDir(filepath.Dir(at), func(name string, e os.DirEntry, err error) error {
		switch seen++; {
		case seen > adapter.MaxCompared:
			return filepath.SkipAll
		case err == nil && e.Type().IsRegular() && adapter.MachineCode(name):
			out = append(out, adapter.ArtifactAt(root, name))
		}
		return nil
	})
	return out
}
