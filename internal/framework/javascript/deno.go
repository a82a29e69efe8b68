package javascript

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/framework/script"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/shell"
)

// Deno describes deno test (https://docs.deno.com). Permissions and the other options
// of the task stay as they are. Its tests are in JUnit; what fails outside of a test
// is read off the console.
var Deno = adapter.Adapter{
	Name:       "deno",
	Language:   "typescript",
	Signs:      adapter.Signs{Programs: []string{"deno test"}, Markers: script.DenoConfigs, Dropped: denoDropped},
	Habits:     adapter.Habits{OwnPackages: true, Aside: aside},
	Invocation: invocation("deno test", denoRun),
	IsTest:     denoTest.MatchString,
	TestPath:   jsTestPath("", "_test"),
	Forbidden:  forbiddenJS,
	Reproduce:  reproduced(denoSelect),
	Explain: diagnosis.New([]diagnosis.Cause{
		{Pattern: `No test modules found`, Kind: diagnosis.NoTests, Says: "deno found no tests", Cure: "look at \"test\" of deno.json and at the files that the task names"},
		{Pattern: `(?m)^error: .*(?:error sending request|Import '(\S+)' failed|JSR package manifest|Specifier not found in cache|Could not find a matching package for '([^']+)')`, Kind: diagnosis.Missing, Says: "a remote module is not there ($1)", Cure: "run deno install before (setup-command), where the network is"},
		{Pattern: `Failed reading config|Unable to parse config|Unsupported lockfile|(?:error: unexpected argument|tip: to pass)`, Kind: diagnosis.Config, Says: "deno.json or an option is not valid for this version"},
		{Pattern: `Requires (\S+) access to`, Kind: diagnosis.Config, Says: "a test asks for a permission that the task does not give ($1)", Cure: "add it to the task"},
	}, nodeCauses).Explain,
	Shuffles: func(adapter.Detection) bool { return true },
	Detect:   detectDeno,
}

// denoTest are the files that deno test runs.
var denoTest = pattern.New(`(?:^|/|[._])test\.[cm]?[jt]sx?$|(?:^|/)__tests__/[^/]+\.[cm]?[jt]sx?$`)

// denoDropped are options of a task that choose what is shown, stop early, run a part
// or nothing, write or never end.
var denoDropped = map[string]bool{
	"--reporter": true, "--junit-path": true, "--coverage": false, "--clean": false, "--coverage-threshold": true, "--coverage-raw-data-only": false, "--fail-fast": false, "--failfast": false, "--watch": false,
	"--no-run": false, "-u": false, "--update-snapshots": false, "--shard": true, "--changed": false, "--related": true, "--permit-no-files": false, "--hide-stacktraces": false, "--quiet": false, "-q": false, "--repeats": true,
}

// denoValues are options that are followed by a value.
var denoValues = map[string]bool{
	"--filter": true, "--retry": true, "--ext": true, "--import-map": true, "-c": true, "--config": true, "--cert": true, "--location": true, "--seed": true, "--preload": true, "--require": true, "--conditions": true,
	"--node-modules-linker": true, "--min-dep-age": true,
}

// denoScript puts both streams into one, under a line that says whose they are, and
// makes LCOV of what was measured.
const denoScript = `echo "# deno test"
lcov=$1 raw=$2
shift 2
if [ -z "$raw" ]; then
	exec "$@" 2>&1
fi
"$@" 2>&1
code=$?
"$1" coverage --lcov --output="$lcov" "$raw" >"$lcov.log" 2>&1
exit $code
`

func detectDeno(p *project.Project) *adapter.Detection {
	var d adapter.Detection
	l, scripted := p.Call("deno")
	if scripted = scripted && l.Framework == "deno"; scripted {
		d.Scripted(l)
		d.Args = shell.Without(verbless(l.Args), denoDropped)
	}
	if config := p.First(p.Dir, script.DenoConfigs...); config != "" && !scripted {
		if at := importing(p, denoCall, denoTest.MatchString); at != "" {
			d.Prove(adapter.RankConfig, "%s, and %s calls Deno.test", config, at)
		}
	}
	if len(d.Evidence) == 0 {
		return nil
	}
	denoStart(p, &d)
	_, specs := splitArgs(d.Args, denoValues)
	d.Sweeps = len(specs) == 0
	d.Coverage, d.CoverageTool = true, "deno" // comes with it
	return &d
}

// denoCall is a test of deno's own.
var denoCall = pattern.New(`\bDeno\.test\b|["'](?:jsr:)?@std/testing`)

// denoStart finds the program: that of the npm package for this system, or one on PATH.
func denoStart(p *project.Project, d *adapter.Detection) {
	d.Version = p.Declared("deno")
	if m, ok := p.Module("deno", ""); ok {
		d.Version = m.Version
	}
	if own := ownBinary(p, "@deno", "", "deno"); own != "" {
		d.Program, d.Installed = []string{own, "test"}, true
		return
	}
	d.Program = []string{"deno", "test"}
	_, err := p.Machine.LookPath("deno")
	switch d.Installed = err == nil; {
	case d.Installed:
	case d.Version != "":
		d.Hint = p.Install()
	default:
		d.Hint = diagnosis.Diagnosis{Kind: diagnosis.Missing, Cause: "deno is not on PATH", Cure: "install it (https://deno.com)"}
	}
}

func denoRun(d adapter.Detection, req adapter.Request, inv *qa.Invocation) []string {
	report := path.Join(req.OutDir, "junit.xml")
	inv.Env = append([]string{"NO_COLOR=1", "DENO_NO_UPDATE_CHECK=1", "DENO_NO_PROMPT=1"}, inv.Env...)
	inv.Files = map[string]string{"deno.sh": denoScript}
	inv.Tests = []qa.ReportFile{{Path: report, Format: "junit"}, {Path: "stdout", Format: "deno", Stdout: true}}
	argv := []string{"sh", path.Join(req.OutDir, "deno.sh"), "", ""}
	options := []string{"--junit-path=" + report}
	if req.Coverage {
		lcov, raw := path.Join(req.OutDir, "lcov.info"), path.Join(req.OutDir, "coverage")
		argv[2], argv[3] = lcov, raw
		options = append(options, "--coverage="+raw, "--coverage-raw-data-only")
		if !adapter.AtLeast(d.Version, 2, 3) {
			options = options[:2]
		}
		inv.Coverage = []qa.ReportFile{{Path: lcov, Format: "lcov"}}
	}
	if req.Shuffle {
		if options = append(options, "--shuffle"); req.Seed != 0 {
			options[len(options)-1] += "=" + strconv.FormatInt(req.Seed%(1<<31), 10)
		}
	}
	return selecting(denoSelect).or(slices.Concat(argv, d.Program, options), d, req.Tests)
}

// denoSelect adds the files of a selection and the names of its tests. A step is run
// by the test around it, with all of its steps.
func denoSelect(argv []string, d adapter.Detection, tests []adapter.Selected) []string {
	options, specs := splitArgs(d.Args, denoValues)
	argv = append(argv, shell.Without(options, map[string]bool{"--filter": true})...)
	if !adapter.Whole(tests) {
		var names []string
		for _, t := range tests {
			full := strings.TrimPrefix(t.Suite+" > "+t.Name, " > ")
			top, _, _ := strings.Cut(full, " > ")
			for _, name := range []string{top, full} { // a title may have the sign itself
				if m := numbered.FindStringSubmatch(name); m != nil { // by the report's reader
					name = m[1]
				}
				if quoted := strings.ReplaceAll(regexp.QuoteMeta(name), "/", `\/`); !slices.Contains(names, quoted) {
					names = append(names, quoted)
				}
			}
		}
		argv = append(argv, "--filter=/^(?:"+strings.Join(names, "|")+")( \\(\\d+\\))?$/")
	}
	if paths, ok := adapter.Files(tests, d.Dir); ok && len(paths) > 0 {
		specs = paths
	}
	return append(argv, specs...)
}
