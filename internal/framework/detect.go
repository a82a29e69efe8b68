package framework

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/process"
)

// Detection is one framework found in one directory, with everything that its
// adapter needs to describe a run. It holds no absolute path, so that it is
// good for every copy of the repository.
type Detection struct {
	Framework string `json:"framework"`
	// Version is the installed one, else the declared range; empty is unknown.
	Version string `json:"version,omitempty"`
	// Dir is where tests are run, relative to the root; empty is the root.
	Dir string `json:"dir"`
	// Evidence lists why the framework is believed to be in use, best first.
	Evidence  []string `json:"evidence"`
	Installed bool     `json:"installed"`
	Hint      string   `json:"hint,omitempty"` // what to run when not installed
	// Coverage says that coverage can be measured; the hint says what to
	// install when it cannot.
	Coverage     bool   `json:"coverage"`
	CoverageHint string `json:"coverage_hint,omitempty"`

	// Program starts the runner: words of a command line, relative to Dir.
	Program []string `json:"program,omitempty"`
	// Args and Env are what the repository's own test script gives the runner.
	Args []string `json:"args,omitempty"`
	Env  []string `json:"env,omitempty"`
	// CoverageTool is the coverage program or provider in use: c8, nyc, v8,
	// istanbul, pytest-cov, coverage; CoverageProgram starts it when it is one.
	CoverageTool    string   `json:"coverage_tool,omitempty"`
	CoverageProgram []string `json:"coverage_program,omitempty"`
	// Sources are globs or folders that the coverage tool must be told about,
	// so that files without any test count as uncovered; empty when the
	// repository's configuration does it.
	Sources []string `json:"sources,omitempty"`
	// Plugins are installed extensions that change the command line.
	Plugins []string `json:"plugins,omitempty"`
	// Packages are the package patterns of a Go module or workspace.
	Packages []string `json:"packages,omitempty"`
	// Skip lists folders below Dir that are run on their own.
	Skip []string `json:"skip,omitempty"`
	// Leaf names the part of a test script that this is, where the script has
	// several; empty where it is the whole.
	Leaf string `json:"leaf,omitempty"`
	// Before are the command lines that the test script runs before this part,
	// such as a build: in Dir, one after the other, each with the folders
	// node_modules/.bin of Dir and its parents first on PATH.
	Before [][]string `json:"before,omitempty"`
	// ExitOnly says that the command tells no more than an exit code.
	ExitOnly bool `json:"exit_only,omitempty"`
	// Browser says that the tests run in a browser, which need not be there.
	Browser bool `json:"browser,omitempty"`
	// Tests and CoverageFiles are the declared reports of a custom command.
	Tests         []Declared `json:"tests,omitempty"`
	CoverageFiles []Declared `json:"coverage_files,omitempty"`
	// Modules says that the code is ECMAScript modules, TypeScript that there
	// is a tsconfig.json.
	Modules    bool `json:"modules,omitempty"`
	TypeScript bool `json:"typescript,omitempty"`

	rank int
	// sweeps says that a run in Dir also runs the tests of the folders below.
	sweeps bool
	// roots are the folders that such a run is limited to, relative to Dir;
	// empty is all of them.
	roots []string
	// weak evidence counts only when nothing better is found in or below Dir.
	weak bool
}

// Ranks of evidence; a test script outranks by its position in the script.
const (
	rankScript     = 1000
	rankConfig     = 100
	rankDependency = 10
)

// prove adds evidence.
func (d *Detection) prove(rank int, format string, args ...any) {
	d.rank = max(d.rank, rank)
	d.Evidence = append(d.Evidence, fmt.Sprintf(format, args...))
}

func (d *Detection) has(plugin string) bool { return slices.Contains(d.Plugins, plugin) }

// Detect looks for test frameworks in dir (relative to absRoot, empty for the
// root) and, a bounded way, in the packages below it. Two frameworks in one
// directory are both returned, the better proven one first; the first line of
// Evidence says why. A package whose tests a run further up covers is not
// returned. Nothing found is an empty list: there is no default framework.
func Detect(absRoot, dir string) ([]Detection, error) {
	return Here().Detect(absRoot, dir)
}

// Machine is where the tests will run, as far as detection depends on it.
type Machine struct {
	// LookPath finds a program on the PATH that the tests will have.
	LookPath func(program string) (path string, err error)
	// Packages lists the distributions of a Python interpreter with their
	// versions; nil looks into the folders that belong to the interpreter,
	// which must lie on this machine then.
	Packages func(path string) map[string]string
	// Activated says that the Python on that PATH has the project's
	// dependencies, whatever environments lie in the repository.
	Activated bool
}

// Here is this program's own machine.
func Here() Machine { return Machine{LookPath: process.LookPath} }

// Detect is [Detect] for tests that run elsewhere than with this program's own
// PATH.
func (m Machine) Detect(absRoot, dir string) ([]Detection, error) {
	root, err := os.OpenRoot(absRoot)
	if err != nil {
		return nil, fmt.Errorf("detect test frameworks: %w", err)
	}
	defer root.Close()
	dir = path.Clean(filepath.ToSlash(dir))
	if dir != "." && !filepath.IsLocal(dir) {
		return nil, fmt.Errorf("detect test frameworks: directory %q is outside the repository", dir)
	}
	t := &tree{root: root, abs: absRoot, machine: m}
	if info, err := root.Stat(dir); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("detect test frameworks: %q is not a directory of the repository", dir)
	}
	var found []Detection
	for _, at := range t.packages(dir) {
		found = append(found, detectIn(t, at)...)
	}
	return prune(found), nil
}

func detectIn(t *tree, dir string) []Detection {
	p := newProject(t, dir)
	var out []Detection
	for _, name := range Names() {
		if d := table[name].detect(p); d != nil {
			d.Framework, d.Dir = name, fromDot(dir)
			out = append(out, *d)
		}
	}
	slices.SortStableFunc(out, func(a, b Detection) int { return cmp.Compare(b.rank, a.rank) })
	return out
}

// prune drops weak detections where better ones exist, and packages whose tests
// are run from further up; found is in walk order, parents first.
func prune(found []Detection) []Detection {
	strong := func(in string) bool {
		return slices.ContainsFunc(found, func(d Detection) bool { return !d.weak && within(d.Dir, in) })
	}
	var out []Detection
	for _, d := range found {
		if d.weak && strong(d.Dir) {
			continue
		}
		if i := slices.IndexFunc(out, func(up Detection) bool {
			return up.Framework == d.Framework && up.Dir != d.Dir && within(d.Dir, up.Dir) && up.runs(beneath(d.Dir, up.Dir))
		}); i >= 0 {
			continue
		}
		for i := range out {
			up := &out[i]
			if up.Framework == d.Framework && up.Dir != d.Dir && within(d.Dir, up.Dir) {
				up.Skip = append(up.Skip, beneath(d.Dir, up.Dir))
			}
		}
		out = append(out, d)
	}
	return out
}

// runs reports whether a run in Dir also runs the tests of a folder below that
// is a project of its own.
func (d *Detection) runs(folder string) bool {
	root := func(root string) bool { return within(folder, fromDot(path.Clean(root))) }
	return d.sweeps && (len(d.Packages) == 0 || slices.Contains(d.Packages, pattern(folder))) &&
		(len(d.roots) == 0 || slices.ContainsFunc(d.roots, root))
}

// beneath is dir relative to up.
func beneath(dir, up string) string { return strings.TrimPrefix(strings.TrimPrefix(dir, up), "/") }

// within reports whether dir is up or lies below it.
func within(dir, up string) bool {
	return up == "" || dir == up || strings.HasPrefix(dir, up+"/")
}

func fromDot(dir string) string {
	if dir == "." {
		return ""
	}
	return dir
}
