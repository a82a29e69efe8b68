package javascript

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/shell"
)

// checks marks the program that checks types beside the tests, where vitest is told to.
const checks = "checks types with "

var (
	typecheckSection = pattern.New(`\btypecheck['"]?\s*:`)
	imported         = pattern.New(`(?m)^\s*import\b.*$`)
	checkerGiven     = pattern.New(`\bchecker\b['"]?\s*[:,}]`)
	checkerNamed     = pattern.New(`\bchecker['"]?\s*:\s*['"]([\w@./-]+)['"]`)
)

// vitestTypes notes what checks types, by the script's arguments or the configuration.
// One that cannot be read off, or several, are left as they are: another program in their
// place might find nothing.
func vitestTypes(d *adapter.Detection, config []byte) {
	asked := slices.ContainsFunc(d.Args, func(a string) bool { return strings.HasPrefix(a, "--typecheck") })
	if !asked && !typecheckSection.Match(config) || !adapter.AtLeast(d.Version, 1, 0) {
		return
	}
	checker := shell.LastOption(d.Args, "-typecheck.checker")
	text := imported.ReplaceAllString(string(config), "")
	given, named := checkerGiven.FindAllString(text, -1), checkerNamed.FindAllStringSubmatch(text, -1)
	switch {
	case checker != "":
	case len(given) > 1 || len(given) != len(named):
		return
	case len(named) == 1:
		checker = named[0][1]
	}
	if checker == "" {
		checker = "tsc"
	}
	d.Plugins = append(d.Plugins, checks+checker)
}

// vitestChecker runs the checker of types. Vitest has it note what it worked out inside
// of vitest's own package, where nothing can be written: both trees share the packages,
// and what one leaves there must not reach the other. The notes lie beside this file.
const vitestChecker = `#!/usr/bin/env node
'use strict'
const { spawnSync } = require('node:child_process')
const { join } = require('node:path')
const args = process.argv.slice(2)
const notes = join(__dirname, 'qa_types.tsbuildinfo')
const at = args.indexOf('--tsBuildInfoFile')
if (at >= 0) args[at + 1] = notes
else args.push('--incremental', '--tsBuildInfoFile', notes)
const done = spawnSync(CHECKER, args, { stdio: 'inherit', shell: process.platform === 'win32' })
if (done.error) throw done.error
process.exitCode = done.status === null ? 1 : done.status
`

// vitestChecked has our file run the checker that the detection names.
func vitestChecked(argv []string, d adapter.Detection, outDir string, inv *qa.Invocation) []string {
	i := slices.IndexFunc(d.Plugins, func(p string) bool { return strings.HasPrefix(p, checks) })
	if i < 0 {
		return argv
	}
	checker := strconv.Quote(strings.TrimPrefix(d.Plugins[i], checks))
	inv.Files["trace/qa_types.cjs"] = strings.Replace(vitestChecker, "CHECKER", checker, 1)
	argv = shell.Without(argv, map[string]bool{"--typecheck.checker": true})
	for i, a := range argv { // as a whole, the option would take the place of its parts
		if whole, ok := strings.CutPrefix(a, "--typecheck"); ok && (whole == "" || whole[0] == '=') {
			argv[i] = "--typecheck.enabled" + whole
		}
	}
	return slices.Insert(argv, len(d.Program)+1, "--typecheck.checker="+path.Join(outDir, "trace", "qa_types.cjs"))
}
