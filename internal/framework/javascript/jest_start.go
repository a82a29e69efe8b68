package javascript

import (
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/javascript/entered"
	"github.com/org/qa-action/internal/qa"
)

// jestStart starts jest and takes its options off the command line once it has read
// them. With one worker jest runs tests in its own process, and one that reads
// process.argv, as tests of command lines do, would fail for words of ours. What the
// repository's script says stays: there the test meets it in any run.
const jestStart = `'use strict'
const { resolve } = require('node:path')
const { runMain } = require('node:module')
process.argv.splice(1, 2, resolve(process.argv[2]))
`

const jestRuns = `runMain() // reads the options before it returns
process.argv.splice(2, process.argv.length, ...`

// jestStarted has our file start jest, where node is to.
func jestStarted(argv []string, d adapter.Detection, req adapter.Request, inv *qa.Invocation) []string {
	at := len(d.Program) - 1
	if !d.Installed || at < 1 || d.Program[0] != "node" || path.Base(d.Program[at]) != "jest.js" {
		return argv
	}
	watch := ""
	inv.Files = map[string]string{}
	if req.Executed > 0 && req.Coverage && len(req.Tests)+len(req.Related) == 0 && req.Part == nil {
		watch, inv.Files["trace/"+entered.File] = entered.Watch, entered.Script
		if !slices.ContainsFunc(argv, func(a string) bool { return strings.HasPrefix(a, "--cacheDirectory") }) { // where transforms read nothing again
			argv = slices.Insert(argv, at+1, "--cacheDirectory="+path.Join(req.OutDir, "cache"))
		}
	}
	inv.Files["trace/qa_jest.cjs"] = jestStart + watch + jestRuns + d.Said() + ")\n"
	return slices.Insert(argv, at, path.Join(req.OutDir, "trace", "qa_jest.cjs"))
}
