package javascript

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/shell"
)

// Ava describes AVA 3 and later (https://github.com/avajs/ava); its report is TAP
// on standard output, coverage comes from c8 or nyc when the repository has one.
var Ava = adapter.Adapter{
	Name:       "ava",
	Language:   "javascript",
	Signs:      adapter.Signs{Programs: []string{"ava"}},
	Habits:     adapter.Habits{Parallel: true, OwnPackages: true, Unnamed: true, Aside: aside},
	Invocation: invocation("ava", avaRun),
	IsTest:     isAvaTest,
	TestPath:   mochaTestPath,
	Forbidden:  forbiddenJS,
	Reproduce:  reproduced(avaSelect),
	Explain: diagnosis.New([]diagnosis.Cause{
		{Pattern: `Couldn.t find any (?:files to test|matching tests)`, Kind: diagnosis.NoTests, Says: "ava found no tests", Cure: "look at \"files\" of its configuration and at working-directory"},
		{Pattern: `lib/reporters/tap\.js[\s\S]*Cannot set properties of undefined`, Kind: diagnosis.Config, Says: "ava could not report", Cure: "a test ends the process (process.exit)"},
	}, nodeCauses).Explain,
	Locate: locateAva,
	Detect: detectAva,
}

var avaConfigs = []string{"ava.config.js", "ava.config.mjs", "ava.config.cjs"}

// avaDropped are options of a script that choose what is shown, stop early or
// never end.
var avaDropped = map[string]bool{
	"--tap": false, "-t": false, "--verbose": false, "-v": false, "--watch": false, "-w": false, "--fail-fast": false, "--update-snapshots": false, "-u": false,
	"--color": false, "--no-color": false,
}

// avaValues are options that are followed by a value.
var avaValues = map[string]bool{
	"--config": true, "--concurrency": true, "-c": true, "--match": true, "-m": true, "--node-arguments": true, "--timeout": true, "-T": true,
}

var avaFolder = pattern.New(`(?:^|/)(?:tests?|__tests__)/(?:[^/]+/)*[^/]+\.[cm]?[jt]sx?$`)

// isAvaTest: files and folders that begin with an underscore are helpers.
func isAvaTest(file string) bool {
	for _, part := range strings.Split(file, "/") {
		if strings.HasPrefix(part, "_") && !strings.HasPrefix(part, "__") {
			return false
		}
	}
	return (IsTest(file) || avaFolder.MatchString(file) || nodeSuffix.MatchString(file)) && !jsAside.MatchString(file)
}

func detectAva(p *project.Project) *adapter.Detection {
	var d adapter.Detection
	l, _ := scripted(p, &d, avaDropped, "ava")
	configured(p, &d, avaConfigs...)
	if !declared(p, &d, "ava") {
		return nil
	}
	startNode(p, &d, "ava", "ava", l.Node)
	mochaCoverage(p, &d, l.Wrapper)
	return &d
}

func avaRun(d adapter.Detection, req adapter.Request, inv *qa.Invocation) []string {
	inv.Tests = []qa.ReportFile{{Path: "stdout", Format: "tap", Stdout: true}}
	argv := append(append(mochaMeasure(d, req, inv), d.Program...), "--tap")
	// AVA ends a run in which nothing ends for ten seconds; ours have company.
	if !slices.ContainsFunc(d.Args, func(a string) bool { return a == "-T" || strings.HasPrefix(a, "--timeout") }) {
		argv = append(argv, "--timeout=10m")
	}
	if req.Parallel > 0 {
		argv = append(argv, fmt.Sprintf("--concurrency=%d", req.Parallel))
	}
	return selecting(avaSelect).or(argv, d, req.Tests)
}

// avaSelect adds the files and titles of a selection.
func avaSelect(argv []string, d adapter.Detection, tests []adapter.Selected) []string {
	options, specs := splitArgs(d.Args, avaValues)
	argv = append(argv, shell.Without(options, map[string]bool{"--match": true, "-m": true})...)
	if !adapter.Whole(tests) {
		for _, t := range tests {
			title := t.Name // a "*" stands for anything, itself as well
			if rest, ok := strings.CutPrefix(title, "!"); ok {
				title = "*" + rest // and no exclusion
			}
			argv = append(argv, "--match="+title)
		}
	}
	if paths, ok := adapter.Files(tests, d.Dir); ok {
		specs = paths
	}
	return append(argv, specs...)
}

// Bounds of looking for the files of tests.
const (
	maxAvaFiles = 5000
	maxAvaBytes = 64 << 20
)

var avaImport = pattern.New(`(?:\bfrom\s*|\bimport\s*|\b(?:require|import)\s*\(\s*)["']ava["']`)

// avaFile is a test file of the tree.
type avaFile struct {
	path  string // from the root
	text  string
	title string // what ava puts before titles, with what lies above the file
}

// locateAva fills in the files and lines. AVA puts a short form of the file's path
// before each title, as seen from the folder that all test files share, and
// nothing where there is one file: that one counts where it was selected, as others
// may have its titles. What fits more than one file stays without.
func locateAva(tree *os.Root, d adapter.Detection, selected []adapter.Selected, cases []qa.Case) {
	found := avaFiles(tree, d.Dir)
	only := ""
	if paths, ok := adapter.Files(selected, d.Dir); ok && len(paths) == 1 {
		only = path.Join(d.Dir, paths[0])
	}
	for i := range cases {
		c := &cases[i]
		c.Suite = "" // of what ava says between tests
		if c.File != "" && !slices.ContainsFunc(found, func(f avaFile) bool { return f.path == c.File }) {
			c.File, c.Line = "", 0 // where an assertion lies in a helper
		}
		if only != "" {
			c.File = only
		}
		f, title := avaOf(found, *c)
		if f == nil {
			continue
		}
		if c.File != f.path {
			c.File, c.Line = f.path, 0
		}
		c.Name = title
		if at := avaTitle(f.text, title); at > 0 {
			c.Line = 1 + strings.Count(f.text[:at], "\n")
		}
	}
}

// avaOf is the only file that a case can be of, with its title there: the one with
// the longest part of its path before the title, else the one that has the title.
func avaOf(found []avaFile, c qa.Case) (of *avaFile, title string) {
	best, twice := 0, false
	for i := range found {
		f := &found[i]
		for _, prefix := range f.prefixes() {
			rest, ok := strings.CutPrefix(c.Name, prefix+" › ")
			if !ok || len(prefix) < best || len(prefix) == best && of == f {
				continue
			}
			twice = len(prefix) == best && of != f
			of, title, best = f, rest, len(prefix)
		}
	}
	if of != nil && !twice {
		return of, title
	}
	if of = nil; best > 0 {
		for i := range found { // of twins, the one that has the title
			f := &found[i]
			if slices.ContainsFunc(f.prefixes(), func(p string) bool { return c.Name == p+" › "+title }) && avaTitle(f.text, title) > 0 {
				if of != nil {
					return nil, ""
				}
				of = f
			}
		}
		return of, title
	}
	for i := range found {
		if f := &found[i]; f.path == c.File || avaTitle(f.text, c.Name) > 0 {
			if of != nil && of.path != c.File && f.path != c.File {
				return nil, ""
			}
			if of == nil || f.path == c.File {
				of = f
			}
		}
	}
	return of, c.Name
}

// avaTitle is where a text has a title in quotes; 0 for nowhere.
func avaTitle(text, title string) int {
	for _, q := range []string{"'", `"`, "`"} {
		if at := strings.Index(text, q+strings.ReplaceAll(title, q, `\`+q)+q); at > 0 {
			return at
		}
	}
	return 0
}

var (
	avaMarks = strings.NewReplacer(".spec.", ".", ".test.", ".")
	avaEnd   = pattern.New(`\.[cm]?[jt]sx?$`)
)

// prefixes are the forms that the file's path may have before a title, from the
// shortest.
func (f avaFile) prefixes() []string {
	parts := strings.Split(f.title, " › ")
	var out []string
	for i := len(parts) - 1; i >= 0; i-- {
		out = append(out, strings.Join(parts[i:], " › "))
	}
	return out
}

// avaFiles are the files below a folder that load ava.
func avaFiles(tree *os.Root, dir string) []avaFile {
	var out []avaFile
	seen, left := 0, int64(maxAvaBytes)
	_ = fs.WalkDir(tree.FS(), path.Clean(cmp.Or(dir, ".")), func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil //nolint:nilerr // what cannot be looked at has no tests that we know of
		case e.IsDir():
			if name != "." && e.Name() == "node_modules" || strings.HasPrefix(e.Name(), ".") && name != "." {
				return fs.SkipDir
			}
			return nil
		case !e.Type().IsRegular() || !avaEnd.MatchString(name):
			return nil
		}
		if seen++; seen > maxAvaFiles || left <= 0 {
			return fs.SkipAll
		}
		data, ok := folder.RegularFile(tree, name)
		if left -= int64(len(data)); !ok || !avaImport.Match(data) {
			return nil
		}
		parts := slices.DeleteFunc(strings.Split(name, "/"), func(p string) bool { return p == "__tests__" })
		last := len(parts) - 1
		parts[last] = avaEnd.ReplaceAllString(strings.Replace(avaMarks.Replace(parts[last]), "test-", "", 1), "")
		out = append(out, avaFile{name, string(data), strings.Join(parts, " › ")})
		return nil
	})
	return out
}
