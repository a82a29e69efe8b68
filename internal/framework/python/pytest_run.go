package python

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/shell"
)

// The command line of pytest.

// measured runs pytest under coverage.py where pytest-cov is missing, in one
// process: the arguments are the report, the sources joined by commas, then
// pytest's own.
const measured = `import sys, coverage, pytest
report, source = sys.argv[1], [s for s in sys.argv[2].split(",") if s]
c = coverage.Coverage(source=source or None)
c.start()
code = pytest.main(sys.argv[3:])
c.stop()
c.save()
try:
    c.json_report(outfile=report)
except coverage.exceptions.NoDataError:
    pass
sys.exit(code)
`

func pytestInvocation(d adapter.Detection, req adapter.Request) (qa.Invocation, error) {
	report := path.Join(req.OutDir, "pytest.xml")
	inv := qa.Invocation{Dir: d.Dir, Env: append([]string{"PYTHONDONTWRITEBYTECODE=1"}, d.Env...), Tests: []qa.ReportFile{{Path: report, Format: "junit"}}}
	argv := slices.Clone(d.Program)
	measure := ""
	module := slices.Index(argv, "-m") // a wrapper of the script's may start pytest otherwise
	if req.Coverage && d.Coverage && (module > 0 || d.CoverageTool != "coverage") {
		measure = path.Join(req.OutDir, "coverage.json")
		inv.Coverage = []qa.ReportFile{{Path: measure, Format: "coveragepy"}}
		inv.Env = append(inv.Env, "COVERAGE_FILE="+path.Join(req.OutDir, ".coverage"))
		if d.CoverageTool == "coverage" {
			argv = append(argv[:module], "-c", measured, measure, strings.Join(d.Sources, ","))
			measure = ""
		}
	}
	// The older family is the one that carries file and line of a test.
	argv = append(argv, "--junitxml="+report, "-o", "junit_family=xunit1", "--maxfail=0", "--continue-on-collection-errors")
	inv.Files = map[string]string{"trace/" + tracePlugin + ".py": tracePython + d.Said() + "\n" + byName(d)}
	inv.Env = withPath(inv.Env, "PYTHONPATH", path.Join(req.OutDir, "trace"))
	argv = append(argv, "-p", tracePlugin)
	if req.Executed > 0 && len(req.Tests) == 0 && req.Part == nil {
		inv.Files["trace/"+executedPlugin+".py"], inv.Files["trace/"+sharedPlugin+".py"] = executedPython, sharedPython
		inv.Env = append(inv.Env, fmt.Sprintf("QA_EXECUTED_SECONDS=%.0f", req.Executed.Seconds()))
		argv = append(argv, "-p", executedPlugin)
	}
	if len(req.Without) > 0 {
		inv.Files["trace/"+withoutPlugin+".py"], inv.Files["trace/without.json"] = withoutPython, withoutFile(req.Without, d.Dir)
		argv = append(argv, "-p", withoutPlugin)
	}
	if req.Part != nil && len(req.Tests) == 0 {
		inv.Files["trace/"+partPlugin+".py"], inv.Files["trace/part.json"] = partPython, partFile(*req.Part, d.Dir)
		argv = append(argv, "-p", partPlugin)
	}
	if !d.Has("no-cache") {
		argv = append(argv, "-o", "cache_dir="+path.Join(req.OutDir, "cache"))
	}
	switch {
	case measure != "":
		argv = append(argv, pytestMeasure(d, measure)...)
	case d.Has("cov-in-addopts"):
		argv = append(argv, "--no-cov")
	}
	if req.Parallel > 0 && d.Has("pytest-xdist") {
		argv = append(argv, "-n", strconv.Itoa(req.Parallel))
	}
	argv = append(argv, spread(d, req)...)
	argv = append(argv, pytestOrder(d, req)...)
	argv = append(append(argv, d.Args...), skips(d)...)
	if len(req.Tests) == 0 {
		argv = append(argv, d.Paths...)
	}
	tests := req.Tests
	if req.Shuffle && !shufflesItself(d) {
		tests = shuffled(tests, req.Seed)
	}
	ids := nodes(d, tests)
	if len(tests) > 0 && len(ids) == 0 {
		return qa.Invocation{}, fmt.Errorf("describe pytest run: none of the %d selected tests has a file below %q", len(tests), d.Dir)
	}
	inv.Argv = append(argv, ids...)
	return inv, nil
}

// spread are the options by which the script spreads its suite over processes: tests that
// stand in each other's way there fail for everybody. A few that are selected need none,
// and coverage.py without pytest-cov sees one process alone.
func spread(d adapter.Detection, req adapter.Request) []string {
	var said, out []string
	if len(req.Tests) > 0 || req.Parallel > 0 || !d.Has("pytest-xdist") || req.Coverage && d.CoverageTool == "coverage" ||
		json.Unmarshal([]byte(d.Said()), &said) != nil {
		return nil
	}
	for i, a := range said {
		name, _, joined := strings.Cut(a, "=")
		if name != "-n" && name != "--numprocesses" && name != "--dist" {
			continue
		}
		if out = append(out, a); !joined && i+1 < len(said) {
			out = append(out, said[i+1])
		}
	}
	return out
}

// withPath puts a folder first on a search path of the environment.
func withPath(env []string, name, dir string) []string {
	for i, kv := range env {
		if old, ok := strings.CutPrefix(kv, name+"="); ok {
			env[i] = name + "=" + dir + ":" + old
			return env
		}
	}
	return append(env, name+"="+dir)
}

func pytestMeasure(d adapter.Detection, report string) []string {
	var out []string
	switch {
	case d.Has("cov-in-addopts"):
	case len(d.Sources) == 0:
		// Without a value the repository's configuration counts. It must not
		// stand last: a test named after it would be taken for its value.
		out = append(out, "--cov")
	default:
		for _, s := range d.Sources {
			out = append(out, "--cov="+s)
		}
	}
	if strings.Contains(d.Said(), `"--cov-branch"`) { // else the configuration says it
		out = append(out, "--cov-branch")
	}
	return append(out, "--cov-report=json:"+report, "--cov-fail-under=0")
}

// pytestDropped are options of a script that hide results, choose reports or
// are ours to give.
var pytestDropped = map[string]bool{
	"--cov": true, "--cov-report": true, "--cov-config": true, "--cov-append": false, "--cov-branch": false, "--cov-fail-under": true, "--no-cov": false, "--cov-context": true,
	"--junitxml": true, "--junit-xml": true, "--html": true, "--self-contained-html": false, "--basetemp": true, "-x": false, "--exitfirst": false, "--maxfail": true,
	"-n": true, "--numprocesses": true, "--dist": true, "-v": false, "-vv": false, "-vvv": false, "--verbose": false, "-q": false, "-qq": false, "--quiet": false, "-s": false,
	"--durations": true, "--durations-min": true, "--color": true, "--tb": true, "-l": false, "--showlocals": false, "-ra": false, "-rA": false, "-rs": false, "-rsx": false, "-rxs": false, "-rfE": false,
	"--lf": false, "--last-failed": false, "--ff": false, "--nf": false, "--sw": false, "--stepwise": false, "--pdb": false, "--no-header": false, "--no-summary": false,
	"-rxXs": false, "-rsxX": false, "-rfEsX": false, "-rP": false, "--benchmark-disable": false, "--force-sugar": false, "--code-highlight": true,
}

// pytestValues are options that are followed by a value.
var pytestValues = map[string]bool{
	"-m": true, "-k": true, "-p": true, "-o": true, "-c": true, "-W": true, "--rootdir": true, "--ignore": true, "--ignore-glob": true, "--deselect": true,
	"--confcutdir": true, "--import-mode": true, "--doctest-glob": true, "--timeout": true, "--override-ini": true, "--config-file": true, "--pythonwarnings": true,
}

// pytestArgs splits what a script gives pytest into options and the files and
// folders that it limits the run to.
func pytestArgs(p *project.Project, args []string) (options, paths []string) {
	args = shell.Without(args, pytestDropped)
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--" || a == "":
		case !strings.HasPrefix(a, "-"):
			paths = append(paths, a)
		case strings.Contains(a, "=") || i+1 >= len(args) || strings.HasPrefix(args[i+1], "-"):
			options = append(options, a)
		case pytestValues[a] || strings.HasPrefix(a, "--") && a != "--pyargs" && !strings.HasPrefix(a, "--doctest") && !p.Exists(path.Join(p.Dir, args[i+1])):
			options = append(options, a, args[i+1])
			i++
		default:
			options = append(options, a)
		}
	}
	return options, paths
}

// skips leaves out packages below that are run on their own.
func skips(d adapter.Detection) []string {
	var out []string
	for _, dir := range d.Skip {
		out = append(out, "--ignore="+dir)
	}
	return out
}

func shufflesItself(d adapter.Detection) bool {
	return d.Has("pytest-randomly") || d.Has("pytest-random-order")
}

// pytestOrder controls the plugins that shuffle. pytest itself runs tests in
// the order they are named, which is how a selection is shuffled without one.
func pytestOrder(d adapter.Detection, req adapter.Request) []string {
	switch {
	case !req.Shuffle && d.Has("pytest-randomly"):
		return []string{"-p", "no:randomly"}
	case req.Shuffle && d.Has("pytest-randomly"):
		return []string{fmt.Sprintf("--randomly-seed=%d", req.Seed)}
	case req.Shuffle && d.Has("pytest-random-order"):
		return []string{"--random-order", fmt.Sprintf("--random-order-seed=%d", req.Seed)}
	}
	return nil
}

func shuffled(tests []adapter.Selected, seed int64) []adapter.Selected {
	out := slices.Clone(tests)
	r := rand.New(rand.NewPCG(uint64(seed), 0)) //nolint:gosec // an order of tests, repeatable by its seed
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// nodes are the node ids of the selected tests: file::Class::name.
func nodes(d adapter.Detection, tests []adapter.Selected) []string {
	var out []string
	for _, t := range tests {
		file, ok := folder.Below(t.File, d.Dir)
		if t.File == "" || !ok {
			continue
		}
		id := file
		if t.Name != "" {
			id = strings.Join(append(collected(file, t.Suite), t.Name), "::")
		}
		if !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// collected are the file and the classes of a test's node id. The suite is the
// dotted classes; a report without files has the module before them, and that
// may be another file than the one that the test stands in.
func collected(file, suite string) []string {
	module := strings.ReplaceAll(strings.TrimSuffix(file, ".py"), "/", ".")
	if suite == "" || suite == module {
		return []string{file}
	}
	if rest, ok := strings.CutPrefix(suite, module+"."); ok {
		return append([]string{file}, strings.Split(rest, ".")...)
	}
	parts := strings.Split(suite, ".")
	for i := len(parts); i > 0; i-- {
		if at := path.Join(parts[:i]...) + ".py"; TestFile.MatchString(at) {
			return append([]string{at}, parts[i:]...)
		}
	}
	if !strings.HasSuffix(file, ".py") || strings.ContainsAny(suite, " /:()[]") {
		return []string{file}
	}
	return append([]string{file}, parts...)
}
