// Package golang holds the adapter of go test.
package golang

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"golang.org/x/mod/modfile"

	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/shell"
	"github.com/org/qa-action/internal/wording"
)

// Gotest describes go test in modules and workspaces. Its report is the JSON
// stream on standard output (go doc test2json).
//
// Coverage: since Go 1.22 packages without tests are in the profile with zero
// counts, so that nothing is left out. -coverpkg is given only for modules that
// keep tests in packages of their own, whose coverage would otherwise count for
// nothing; elsewhere it would only make every test binary slower to build.
var Gotest = adapter.Adapter{
	Name:       "gotest",
	Language:   "go",
	Signs:      adapter.Signs{Programs: []string{"gotestsum", "go test"}},
	Habits:     adapter.Habits{Verb: "test", Parallel: true, SuiteProblems: true, Silent: true, Published: true, Races: true, Widen: widen},
	Invocation: GotestInvocation,
	IsTest:     func(file string) bool { return strings.HasSuffix(file, "_test.go") },
	TestPath: func(source string, _ []string) string {
		return strings.TrimSuffix(source, ".go") + "_test.go"
	},
	Forbidden: []language.Smell{{Rule: "build-tag", Line: pattern.New(`(?m)^//go:build\b|^// \+build\b`), Comment: true, Why: "it may keep the test from being built"}},
	Reproduce: func(d adapter.Detection, c qa.Case) string {
		line := append([]string{"go", "test", "-count=1"}, limited(d, adapter.Select([]qa.Case{c}))...)
		return shell.InDir(d.Dir, wording.Command(line))
	},
	Explain:  diagnosis.New(goCauses).Explain,
	Locate:   locateGo,
	Trace:    TraceGo,
	Parts:    &adapter.Parts{Can: func(adapter.Detection) bool { return true }, List: func(d adapter.Detection) []string { return listing(d) }, Built: listBuilt},
	Shuffles: func(adapter.Detection) bool { return true },
	Detect:   detectGotest,
}

func detectGotest(p *project.Project) *adapter.Detection {
	var d adapter.Detection
	hasTests := func(dir string) bool {
		return p.HoldsPath(dir, func(file string) bool {
			if !strings.HasSuffix(file, "_test.go") {
				return false
			}
			src, ok := p.Read(file)
			return !ok || Defines(file, src) // of benchmarks alone go test reports nothing
		})
	}
	version, apart := goPackages(p, &d)
	if len(d.Packages) == 0 {
		return nil
	}
	if l, ok := p.Call("go", "gotestsum"); ok {
		d.Scripted(l)
		if d.Args, d.Packages, ok = goArgs(l.Args); !ok {
			return nil
		}
	}
	if apart {
		d.Sources = d.Packages
	}
	if l, ok := p.Call("go", "gotestsum"); ok { // the script says what is measured
		given, count := "", ""
		if d.Env, given, count = goEnvironment(d.Env); count != "" && shell.LastOption(d.Args, "-count") == "" {
			d.Args = append([]string{"-count=" + count}, d.Args...)
		}
		if given = cmp.Or(shell.LastOption(l.Args, "-coverpkg"), given); given != "" {
			d.Sources = strings.Split(given, ",")
		}
	}
	// A nested module without tests (tools, generated clients) is no target.
	if len(p.Calls) == 0 && p.Dir != "." && !hasTests(p.Dir) {
		return nil
	}
	d.Version, d.Program, d.Coverage, d.CoverageTool = version, []string{"go"}, true, "go"
	if at, err := p.Machine.LookPath("go"); err == nil {
		d.Installed = true
		if v := goVersion(at); v != "" {
			d.Version = v
		}
	} else {
		d.Hint = diagnosis.Diagnosis{Kind: diagnosis.Missing, Cause: "go is not on PATH", Cure: "install Go " + version + " or later"}
	}
	return &d
}

// goPackages reads which packages a workspace or a module has, none where there is
// neither, with the version of Go that it asks for. apart says that some have a module
// of their own.
func goPackages(p *project.Project, d *adapter.Detection) (version string, apart bool) {
	if data, ok := p.Read(path.Join(p.Dir, "go.work")); ok {
		work, err := modfile.ParseWork("go.work", data, nil)
		if err != nil {
			return "", false
		}
		d.Prove(adapter.RankConfig, "go.work")
		for _, use := range work.Use {
			dir := path.Clean(use.Path)
			if !filepath.IsLocal(dir) {
				continue // outside of this folder, found there when it is in the repository
			}
			d.Packages = append(d.Packages, Pattern(dir))
			apart = apart || modulesApart(p, path.Join(p.Dir, dir))
		}
		d.Sweeps = len(p.Calls) == 0
		if work.Go != nil {
			version = work.Go.Version
		}
	} else if data, ok := p.Read(path.Join(p.Dir, "go.mod")); ok {
		// A go.mod that does not parse is evidence too: go test says what is
		// wrong with it.
		if mod, err := modfile.ParseLax("go.mod", data, nil); err == nil && mod.Go != nil {
			version = mod.Go.Version
		}
		d.Prove(adapter.RankConfig, "go.mod")
		d.Packages = []string{"./..."}
		apart = modulesApart(p, p.Dir)
		if outsideWorkspace(p) {
			d.Env = []string{"GOWORK=off"}
		}
	}
	return version, apart
}

func Pattern(dir string) string {
	if dir == "." {
		return "./..."
	}
	return "./" + dir + "/..."
}

// goVersion reads the version of an installed toolchain from its VERSION file.
func goVersion(program string) string {
	real, err := filepath.EvalSymlinks(program)
	if err != nil {
		return ""
	}
	data, err := os.ReadFile(filepath.Join(filepath.Dir(filepath.Dir(real)), "VERSION"))
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(string(data), "\n")
	return strings.TrimPrefix(strings.TrimSpace(first), "go")
}

// outsideWorkspace reports whether a go.work further up does not list this
// module: go would refuse to work on it.
func outsideWorkspace(p *project.Project) bool {
	at := p.Up(p.Dir, "go.work")
	if at == "" {
		return false
	}
	data, _ := p.Installed(p.Dir, at)
	work, err := modfile.ParseWork("go.work", data, nil)
	if err != nil {
		return false
	}
	for _, use := range work.Use {
		if path.Join(p.Dir, path.Dir(at), use.Path) == p.Dir {
			return false
		}
	}
	return true
}

// modulesApart reports whether a module has folders that hold nothing but tests of its
// other packages.
func modulesApart(p *project.Project, dir string) bool {
	data, _ := p.Read(path.Join(dir, "go.mod"))
	module := modfile.ModulePath(data)
	queue, seen := []string{dir}, 0
	for len(queue) > 0 && module != "" && seen < folder.MaxFolders {
		at := queue[0]
		queue = queue[1:]
		seen++
		var tests []string
		sources := false
		for _, e := range p.List(at) {
			name := e.Name()
			switch {
			case e.IsDir() && !folder.Skipped(name) && !strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "_"):
				if !p.Exists(path.Join(at, name, "go.mod")) {
					queue = append(queue, path.Join(at, name))
				}
			case strings.HasSuffix(name, "_test.go"):
				tests = append(tests, path.Join(at, name))
			case strings.HasSuffix(name, ".go"):
				sources = true
			}
		}
		if !sources && slices.ContainsFunc(tests, func(test string) bool { return imports(p, test, module) }) {
			return true
		}
	}
	return false
}

// imports reports whether a Go file with tests (not just benchmarks) imports a
// package of the module.
func imports(p *project.Project, file, module string) bool {
	data, _ := p.Read(file)
	if !bytes.Contains(data, []byte("\nfunc Test")) {
		return false
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), file, data, parser.ImportsOnly)
	return err == nil && slices.ContainsFunc(parsed.Imports, func(i *ast.ImportSpec) bool {
		at := strings.Trim(i.Path.Value, "`\"")
		return at == module || strings.HasPrefix(at, module+"/")
	})
}

func GotestInvocation(d adapter.Detection, req adapter.Request) (qa.Invocation, error) {
	argv := append(slices.Clone(d.Program), "test", "-json", "-count=1")
	inv := qa.Invocation{Dir: d.Dir, Env: slices.Clone(d.Env), Tests: []qa.ReportFile{{Path: "stdout", Format: "gotest", Stdout: true}}}
	if req.Coverage {
		profile := path.Join(req.OutDir, "cover.out")
		argv = append(argv, "-coverprofile="+profile)
		inv.Coverage = []qa.ReportFile{{Path: profile, Format: "gocover"}}
		if len(d.Sources) > 0 {
			argv = append(argv, "-coverpkg="+strings.Join(d.Sources, ","))
		}
	}
	if req.Shuffle {
		order := "on"
		if req.Seed != 0 {
			order = strconv.FormatInt(req.Seed, 10)
		}
		argv = append(argv, "-shuffle="+order)
	}
	if req.Parallel > 0 {
		argv = append(argv, "-parallel="+strconv.Itoa(req.Parallel))
		d.Args = shell.Without(d.Args, map[string]bool{"-parallel": true})
	}
	if req.Within > 0 {
		argv = append(argv, "-timeout="+req.Within.String())
		d.Args = shell.Without(d.Args, map[string]bool{"-timeout": true})
	}
	if req.Races && !slices.Contains(d.Args, "-race") {
		argv = append(argv, "-race")
	}
	inv.Argv = append(argv, limited(d, req.Tests)...)
	return inv, nil
}

// built is the template by which go list names each package that is not of the standard
// library: with its tests, what it is a test of, where it lies, its own files, those of its
// tests, what it is built of, and whether the suite does not name it, apart by tabs.
const built = "{{if not .Standard}}{{.ImportPath}}\t{{.ForTest}}\t{{.Dir}}\t{{join .GoFiles \" \"}}\t{{join .TestGoFiles \" \"}} {{join .XTestGoFiles \" \"}}\t{{join .Deps \" \"}}\t{{.DepOnly}}{{end}}"

func listBuilt(d adapter.Detection) []string { return listing(d, "-deps", "-test", "-f", built) }

// listing lists the packages of a suite, also those that do not build.
func listing(d adapter.Detection, more ...string) []string {
	argv := append(append(slices.Clone(d.Program), "list", "-e"), more...)
	for _, flag := range []string{"-tags", "-mod", "-modfile"} {
		if value := shell.LastOption(d.Args, flag); value != "" {
			argv = append(argv, flag+"="+value)
		}
	}
	return append(argv, d.Packages...)
}

// packages are the package patterns of a selection: import paths from the
// suites, folders from the files, all packages without a selection.
func packages(d adapter.Detection, tests []adapter.Selected) []string {
	var out []string
	for _, t := range tests {
		at := t.Suite
		if at == "" {
			file, ok := folder.Below(t.File, d.Dir)
			if t.File == "" || !ok {
				return d.Packages
			}
			at = "./" + path.Dir(file)
		}
		if !slices.Contains(out, at) {
			out = append(out, at)
		}
	}
	if len(out) == 0 {
		return d.Packages
	}
	return out
}

var goCauses = []diagnosis.Cause{
	{Pattern: `go\.mod requires go >= ([\d.]+)|module requires Go ([\d.]+)|toolchain not available`, Kind: diagnosis.Version, Says: "the Go toolchain is too old", Cure: "install Go $1 or later"},
	{Pattern: `no required module provides package ([^\s;]+)|missing go\.sum entry|cannot find module providing package ([^\s;]+)|updates to go\.mod needed`, Kind: diagnosis.Missing, Says: "go.mod or go.sum is incomplete", Cure: "run go mod tidy"},
	{Pattern: `inconsistent vendoring`, Kind: diagnosis.Missing, Says: "vendor and go.mod disagree", Cure: "run go mod vendor"},
	{Pattern: `dial tcp|i/o timeout|module lookup disabled|GOFLAGS=-mod=vendor|proxy.*(?:404|410|403)`, Kind: diagnosis.Missing, Says: "modules cannot be downloaded here", Cure: "run go mod download before (setup-command)"},
	{Pattern: `errors parsing go\.(?:mod|work)|cannot load module .* listed in go\.work|go\.mod file not found`, Kind: diagnosis.Config, Says: "go.mod or go.work is not valid"},
	{Pattern: `matched no packages|no packages to test|\[no test files\]`, Kind: diagnosis.NoTests, Says: "no package has tests"},
	{Pattern: `cgo: C compiler|gcc.*not found`, Kind: diagnosis.Missing, Says: "cgo needs a C compiler, or CGO_ENABLED=0"},
	{Pattern: `\[build failed\]|\[setup failed\]|syntax error|undefined: `, Kind: diagnosis.Build, Says: "a package does not build"},
}
