package javascript

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework/adapter"
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
runMain() // reads the options before it returns
process.argv.splice(2, process.argv.length, ...`

// said marks the arguments of a script as it has them, where some were dropped.
const said = "said "

// keepSaid notes them.
func keepSaid(d *adapter.Detection, args []string) {
	if !slices.Equal(d.Args, args) {
		text, _ := json.Marshal(args) // strings
		d.Plugins = append(d.Plugins, said+string(text))
	}
}

// jestStarted has our file start jest, where node is to.
func jestStarted(argv []string, d adapter.Detection, outDir string, inv *qa.Invocation) []string {
	at := len(d.Program) - 1
	if !d.Installed || at < 1 || d.Program[0] != "node" || path.Base(d.Program[at]) != "jest.js" {
		return argv
	}
	words, _ := json.Marshal(append([]string{}, d.Args...)) // strings
	if i := slices.IndexFunc(d.Plugins, func(p string) bool { return strings.HasPrefix(p, said) }); i >= 0 {
		words = []byte(strings.TrimPrefix(d.Plugins[i], said))
	}
	inv.Files = map[string]string{"trace/qa_jest.cjs": jestStart + string(words) + ")\n"}
	return slices.Insert(argv, at, path.Join(outDir, "trace", "qa_jest.cjs"))
}
