package adapter

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/framework/script"
	"github.com/org/qa-action/internal/pattern"
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
	// Hint is what is missing and what installs it, or what would let tests be counted.
	Hint diagnosis.Diagnosis `json:"hint,omitzero"`
	// Coverage says that coverage can be measured; the hint says what to
	// install when it cannot.
	Coverage     bool   `json:"coverage"`
	CoverageHint string `json:"coverage_hint,omitempty"`

	Tools
	Extent
	Reports
	Origin
	Built
	Traits
	Standing `json:"-"`
}

// Tools are the programs that run and measure.
type Tools struct {
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
}

// Extent is what they are told to look at.
type Extent struct {
	// Plugins are installed extensions that change the command line.
	Plugins []string `json:"plugins,omitempty"`
	// Packages are the package patterns of a Go module or workspace.
	Packages []string `json:"packages,omitempty"`
	// Skip lists folders below Dir that are run on their own.
	Skip []string `json:"skip,omitempty"`
}

// Reports are those that a custom command writes.
type Reports struct {
	// Tests and CoverageFiles are the declared reports of a custom command.
	Tests         []Declared `json:"tests,omitempty"`
	CoverageFiles []Declared `json:"coverage_files,omitempty"`
}

// Declared is a report that a custom command writes.
type Declared struct {
	Path   string `json:"path"`             // relative to the command's directory; may be a glob
	Format string `json:"format,omitempty"` // empty is detection by content
}

// Origin is the part of a test script that a detection comes from.
type Origin struct {
	// Leaf names the part of the test script that this is: the script or the
	// program, unique in Dir. Line is that part as the script has it, with what
	// the scripts around it set. Both are empty without a script.
	Leaf string `json:"leaf,omitempty"`
	Line string `json:"line,omitempty"`
	// Called is the script of a package.json for which a package manager would run it.
	Called script.Called `json:"called,omitzero"`
	// Before are the builds that the script runs ahead of the tests, one argv
	// each. They are run in Dir, in order, with no shell of ours, and with the
	// node_modules/.bin of Dir and of every folder above it ahead of PATH (npm
	// does the same); one that fails here leaves the tests unjudged. Several
	// detections of a directory may share lines: to run each once is enough.
	Before [][]string `json:"before,omitempty"`
}

// Built is what has to be made before tests run.
type Built struct {
	// Build makes what the tests may load in the place of the sources; it is not
	// part of the test script. Outputs are folders of the repository, tracked by
	// git, that it writes.
	Build   [][]string `json:"build,omitempty"`
	Outputs []string   `json:"outputs,omitempty"`
}

// Traits are what tells a detection from others of its framework.
type Traits struct {
	// Browser marks tests that need one: where they start neither here nor on
	// base, that is said and blocks nothing.
	Browser bool `json:"browser,omitempty"`
	// ExitOnly says that the command writes no report: its exit code is all
	// there is, and no count of tests.
	ExitOnly bool `json:"exit_only,omitempty"`
	// Main says that Args are a program of the repository which starts the runner by
	// itself, with its own arguments.
	Main bool `json:"main,omitempty"`
	// ByName says that the script starts pytest by its own name, so that it does not look
	// for modules in Dir; Distributions are the names under which the project may be
	// installed, for without that nothing would be found.
	ByName        bool     `json:"by_name,omitempty"`
	Distributions []string `json:"distributions,omitempty"`
	// Language is what tests are written in, with the version of its interpreter.
	Language string `json:"language,omitempty"`
	// Measures says that the project's own command measures coverage.
	Measures bool `json:"measures,omitempty"`
	// Paths are files and folders that a script limits a pytest run to.
	Paths []string `json:"paths,omitempty"`
}

// Standing is what detection alone has to know: how well a detection is proven,
// and what it covers.
type Standing struct {
	Rank int
	// Sweeps says that a run in Dir also runs the tests of the folders below.
	Sweeps bool
	// Roots are the folders that such a run is limited to, relative to Dir;
	// empty is all of them.
	Roots []string
	// Weak evidence counts only when nothing better is found in or below Dir.
	Weak bool
	// Label is the name of what a script runs, to tell its leaves apart; Python
	// says that it is for a Python project.
	Label  string
	Python bool
}

// Ranks of evidence; a test script outranks by its position in the script.
const (
	RankScript     = 1000
	RankConfig     = 100
	RankDependency = 10
)

// Prove adds evidence.
func (d *Detection) Prove(rank int, format string, args ...any) {
	d.Rank = max(d.Rank, rank)
	d.Evidence = append(d.Evidence, fmt.Sprintf(format, args...))
}

func (d *Detection) Has(plugin string) bool { return slices.Contains(d.Plugins, plugin) }

// Scripted adds the evidence of a test script and takes over its environment.
func (d *Detection) Scripted(l script.Leaf) {
	if l.Source == "package.json" {
		d.Prove(RankScript, "package.json: script %q runs %s", l.Script, l.Program)
	} else {
		d.Prove(RankScript, "%s: %q runs %s", l.From(), l.Script, l.Program)
	}
	d.Env = append(d.Env, l.Env...)
	d.Measures = d.Measures || len(l.Wrapper) > 0 || slices.ContainsFunc(l.Args, func(a string) bool {
		return measures.MatchString(a) && !strings.HasSuffix(a, "=false")
	})
}

// measures are the options of runners that measure coverage.
var measures = pattern.New(`^(?:--(?:coverage(?:\.enabled)?|collectCoverage|cov|experimental-test-coverage)(?:=.*)?|-cover(?:profile|mode|pkg)?(?:=.*)?)$`)
