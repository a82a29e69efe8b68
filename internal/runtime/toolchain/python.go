package toolchain

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"
)

// PythonTests is what the tests of a Python project need installed, and where that
// stands. Several places are read, because projects write it where their own tool
// looks: extras, groups, requirement files, tox, nox, hatch, a workflow.
type PythonTests struct {
	// Project is the distribution that the folder builds; empty where it builds none.
	Project string `json:"project,omitempty"`
	// Builds says that the folder can be installed.
	Builds bool `json:"builds,omitempty"`
	// Extras, Groups and Files are names of extras and dependency groups, and
	// requirement files relative to the folder.
	Extras []string `json:"extras,omitempty"`
	Groups []string `json:"groups,omitempty"`
	Files  []string `json:"files,omitempty"`
	// Plain are requirements that stand somewhere an installer does not look.
	Plain []string `json:"plain,omitempty"`
	// Sources are the files that were followed.
	Sources []string `json:"sources,omitempty"`
	// Names are the distributions that an environment must have, in the form of
	// PythonName; requirements under a condition are not among them.
	Names []string `json:"names,omitempty"`
}

// runners are distributions that run tests: whoever names one says what tests need.
var runners = []string{"pytest", "tox-pytest", "nose2", "nose", "ward", "trial", "twisted", "green", "testtools", "stestr", "unittest2"}

// testsOf reads what the tests of a folder need.
func testsOf(fsys fs.FS, dir string) PythonTests {
	r := pythonReader{t: Tree{fsys, nil}, dir: path.Clean(dir), named: map[string]bool{}, seen: lists{}}
	r.project()
	hatchFile(&r)
	r.setuptools()
	r.requirementFiles()
	r.tools()
	if !r.knowsRunner() {
		r.widen()
	}
	if !r.knowsRunner() {
		r.workflows()
	}
	if !r.knowsRunner() && usesPytest(fsys, r.dir) {
		r.plain("test files that import or look like pytest", "pytest")
	}
	r.apart()
	r.out.Names = slices.Sorted(maps.Keys(r.named))
	return r.out
}

// A pythonReader collects what testsOf says.
type pythonReader struct {
	t     Tree
	dir   string
	out   PythonTests
	named map[string]bool
	// seen are the values of lists and the files that were followed, by list.
	seen lists
	// spare are extras and groups that are not named like tests.
	spare []spare
}

// A spare is a list of requirements that is installed only where nothing else names
// a test runner.
type spare struct {
	name, file string
	group      bool
	lines      []string
}

func (r *pythonReader) read(name string) (string, bool) { return r.t.read(r.dir, name) }

// knowsRunner reports whether something that runs tests is among the requirements.
func (r *pythonReader) knowsRunner() bool {
	return slices.ContainsFunc(runners, func(name string) bool { return r.named[name] })
}

// lists has what stands in some lists, by list.
type lists map[string]bool

// first reports whether a value comes to a list for the first time.
func (l lists) first(list, value string) bool {
	key := list + "\x00" + value
	first := !l[key]
	l[key] = true
	return first
}

// source notes a file that was followed.
func (r *pythonReader) source(file string) {
	if r.seen.first("source", file) {
		r.out.Sources = append(r.out.Sources, file)
	}
}

// needs notes the distributions that lines of requirements name.
func (r *pythonReader) needs(lines []string) {
	for _, line := range lines {
		requirement, condition, _ := strings.Cut(line, ";")
		if name := requiredName(requirement); name != "" && (strings.TrimSpace(condition) == "" || everyPython.MatchString(condition)) {
			r.named[name] = true
		}
	}
}

// everyPython is a condition that every Python meets that tests run with today.
var everyPython = pattern.New(`^\s*python(?:_full)?_version\s*>=?\s*["'](?:2\.\d|3\.[0-8])(?:\.\d+)?["']\s*$`)

// plain adds requirements to those that are installed by themselves.
func (r *pythonReader) plain(file string, lines ...string) {
	for _, line := range lines {
		line = strings.TrimSpace(comment.ReplaceAllString(line, ""))
		if requiredName(line) == "" || !r.seen.first("plain", line) {
			continue
		}
		r.out.Plain = append(r.out.Plain, line)
		r.needs([]string{line})
		r.source(file)
	}
}

// listName is how extras and groups are named; anything else would be something else
// on a command line.
var listName = pattern.New(`^[A-Za-z0-9][\w.-]*$`)

func (r *pythonReader) extra(name string) {
	if listName.MatchString(name) && r.seen.first("extra", name) {
		r.out.Extras = append(r.out.Extras, name)
	}
}

// file adds a requirement file of the folder, with what it names.
func (r *pythonReader) file(name string) {
	name = path.Clean(name)
	data, ok := r.read(name)
	if !ok || !fs.ValidPath(name) || !listName.MatchString(path.Base(name)) || name[0] == '-' || !r.seen.first("file", name) {
		return
	}
	r.out.Files = append(r.out.Files, name)
	r.source(name)
	r.names(name, data, 0)
}

// names notes what a requirement file names, and those that it includes; each is
// followed once, by whatever way it is reached.
func (r *pythonReader) names(name, data string, depth int) {
	if depth > 8 || !r.seen.first("included", name) {
		return
	}
	for line := range strings.Lines(data) {
		line = strings.TrimSpace(comment.ReplaceAllString(strings.TrimRight(line, "\r\n"), ""))
		if file, ok := strings.CutPrefix(line, "-r"); ok {
			if file = path.Join(path.Dir(name), strings.TrimSpace(file)); fs.ValidPath(file) && !r.seen["included\x00"+file] {
				text, _ := r.read(file)
				r.names(file, text, depth+1)
			}
			continue
		}
		r.needs([]string{line})
	}
}

// requiredLine is a requirement as PEP 508 writes it: a name, extras, versions or an
// address, a condition. What begins like an option of pip is none.
var requiredLine = pattern.New(`^([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*(?:[(=<>!~;@,].*)?$`)

// requiredName is the distribution that a requirement names, empty where the text is
// no requirement.
func requiredName(line string) string {
	m := requiredLine.FindStringSubmatch(strings.TrimSpace(line))
	if m == nil {
		return ""
	}
	return PythonName(m[1])
}

// pytestLine is what only a file for pytest has: a test that is a plain function, or
// pytest itself.
var pytestLine = pattern.New(`(?m)^(?:import pytest\b|from pytest import\b|(?:async )?def test_)`)

// maxTestFiles bounds how many test files are looked into.
const maxTestFiles = 300

// usesPytest reports whether test files of a folder are written for pytest.
func usesPytest(fsys fs.FS, dir string) bool {
	found, seen := false, 0
	_ = fs.WalkDir(fsys, dir, func(name string, d fs.DirEntry, err error) error {
		base := path.Base(name)
		switch {
		case err != nil:
			return nil //nolint:nilerr // what cannot be read says nothing
		case found || seen >= maxTestFiles:
			return fs.SkipAll
		case d.IsDir() && name != dir && (base == "node_modules" || strings.HasPrefix(base, ".") || base == "venv"):
			return fs.SkipDir
		case base == "conftest.py":
			found = true
		case strings.HasSuffix(base, ".py") && (strings.HasPrefix(base, "test") || strings.HasSuffix(base, "_test.py")):
			seen++
			data, _ := Tree{fsys, nil}.read(path.Dir(name), base)
			found = pytestLine.MatchString(data)
		}
		return nil
	})
	return found
}
