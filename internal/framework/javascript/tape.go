package javascript

import (
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/qa"
)

// Tape describes tape (https://github.com/tape-testing/tape), by its own program or
// by node with a file that loads it. A recorder of ours is loaded before the tests;
// coverage comes from c8 or nyc when the repository has one.
var Tape = adapter.Adapter{
	Name:       "tape",
	Language:   "javascript",
	Signs:      adapter.Signs{Programs: []string{"tape"}, Loads: []string{"tape"}},
	Habits:     adapter.Habits{OwnPackages: true, Unnamed: true, Aside: aside},
	Invocation: invocation("tape", tapeRun),
	IsTest:     isNodeTest,
	TestPath:   mochaTestPath,
	Forbidden:  forbiddenJS,
	Reproduce:  reproduced(tapeSelect),
	Explain: diagnosis.New([]diagnosis.Cause{
		{Pattern: `No test files found!|No test files found by`, Kind: diagnosis.NoTests, Says: "tape found no tests", Cure: "look at the files that the test script names"},
	}, nodeCauses).Explain,
	Detect: detectTape,
}

// tapeDropped are options of a script that never end.
var tapeDropped = map[string]bool{"--watch": false}

// tapeValues are options that are followed by a value.
var tapeValues = map[string]bool{"--require": true, "-r": true, "--import": true, "--ignore": true, "-i": true, "--ignore-pattern": true}

func detectTape(p *project.Project) *adapter.Detection {
	var d adapter.Detection
	l, asked := scripted(p, &d, tapeDropped, "tape", "node")
	if !declared(p, &d, "tape") {
		return nil
	}
	startNode(p, &d, "tape", "tape", l.Node)
	if asked && l.Program == "node" { // the file itself is the program
		d.Program = append([]string{"node"}, l.Node...)
	} else if !asked {
		d.Args = []string{"test/**/*.js"}
	}
	limits(&d, l, tapeValues)
	mochaCoverage(p, &d, l.Wrapper)
	return &d
}

func tapeRun(d adapter.Detection, req adapter.Request, inv *qa.Invocation) []string {
	inv.Tests = []qa.ReportFile{{Path: path.Join(req.OutDir, tapeReportFile), Format: "jest"}}
	inv.Files = map[string]string{"trace/" + tapeRecorderFile: tapeRecorder}
	if len(req.Tests) > 0 {
		inv.Files["trace/"+tapeSelectedFile] = nodeChosen(d, req.Tests)
	}
	argv := append(mochaMeasure(d, req, inv), recorded(d.Program, path.Join(req.OutDir, "trace", tapeRecorderFile))...)
	return selecting(tapeSelect).or(argv, d, req.Tests)
}

// recorded has node load a file before everything else.
func recorded(program []string, file string) []string {
	i := slices.Index(program, "node")
	if i < 0 { // started through yarn
		return append([]string{"env", "NODE_OPTIONS=--require=" + file}, program...)
	}
	return slices.Insert(slices.Clone(program), i+1, "--require="+file)
}

// tapeSelect adds the arguments for a selection; which of their tests run, the
// recorder decides. A file that the script itself names may load the others.
func tapeSelect(argv []string, d adapter.Detection, tests []adapter.Selected) []string {
	options, specs := splitArgs(d.Args, tapeValues)
	if paths, ok := adapter.Files(tests, d.Dir); ok && slices.Contains(d.Program, "tape") || ok && strings.Contains(strings.Join(d.Program, " "), "/tape/") {
		specs = paths
	}
	return append(append(argv, options...), specs...)
}

// LoadedBy finds which of some packages a file loads, itself or by a file beside it
// that it names.
func LoadedBy(p *project.Project, file string, packages []string) string {
	seen := map[string]bool{}
	queue := []string{path.Join(p.Dir, file)}
	for steps := 0; len(queue) > 0 && steps < 40; steps++ {
		at := queue[0]
		queue = queue[1:]
		data, ok := readModule(p, &at)
		if !ok || seen[at] {
			continue
		}
		seen[at] = true
		for _, m := range loads.FindAllSubmatch(data, -1) {
			name := string(m[1])
			if slices.Contains(packages, name) {
				return name
			}
			if strings.HasPrefix(name, ".") {
				queue = append(queue, path.Join(path.Dir(at), name))
			}
		}
	}
	return ""
}

// loads is a module that a file names.
var loads = pattern.New(`(?:\bfrom\s*|\bimport\s*|\b(?:require|import)\s*\(\s*)["']([\w@./:-]{1,200})["']`)

// readModule reads a file as require would find it, and says which.
func readModule(p *project.Project, at *string) ([]byte, bool) {
	if strings.HasPrefix(*at, "..") || strings.Contains("/"+*at, "/node_modules/") {
		return nil, false
	}
	for _, name := range []string{*at, *at + ".js", *at + ".cjs", *at + ".mjs", path.Join(*at, "index.js")} {
		if path.Ext(name) == "" {
			continue
		}
		if data, ok := p.Read(name); ok {
			*at = name
			return data, true
		}
	}
	return nil, false
}
