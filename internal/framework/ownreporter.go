package framework

import (
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework/javascript"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/framework/script"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/shell"
)

// A reporter of the project's own can fail its runner where no test fails, and ours takes
// its place.

var (
	reporterOption = pattern.New(`^(?:--reporters?|-R|--test-reporter|--testResultsProcessor)$`)
	// reporterKey is what a configuration says of reporters, up to where the value ends.
	reporterKey = pattern.New(`\b(?:reporters?|testResultsProcessor)["']?\s*[:=]\s*(\[(?:[^\[\]]|\[[^\[\]]*\])*\]|[^,\n}]+)`)
	ownPath     = pattern.New(`["'\s\[]\.{1,2}/|^\.{1,2}/|<rootDir>`)
	// plainValue is what of such a value names nothing of the project's: texts, keys of
	// options, words of the language, and what asks for the environment.
	plainValue = pattern.New(`"[^"]*"|'[^']*'|\b[\w$]+\s*:|\bprocess\.(?:env\.\w+|stdout\.isTTY)|\b(?:true|false|undefined|null|as|const|is[A-Z]+\w*)\b|//[^\n]*|\b\d[\w.]*`)
	keyed      = pattern.New(`\b[\w$]+["']?\s*:\s*(?:"[^"]*"|'[^']*')`)
	identifier = pattern.New(`[A-Za-z_$]\w*`)
)

// ownReporter reports whether a suite's command, or the configuration of its runner, names
// a reporter of the project's own that does not run here.
func ownReporter(p *project.Project, l script.Leaf) bool {
	for i, a := range l.Args {
		option, value, joined := strings.Cut(a, "=")
		if !reporterOption.MatchString(option) {
			continue
		}
		if !joined && i+1 < len(l.Args) {
			value = l.Args[i+1]
		}
		if strings.HasPrefix(value, ".") || strings.HasPrefix(value, "/") {
			return true
		}
		for _, ending := range []string{"", ".js", ".mjs", ".cjs", ".ts"} {
			if _, ok := p.Read(path.Join(p.Dir, value+ending)); ok && value != "" {
				return true
			}
		}
	}
	if l.Framework == javascript.Jest.Name { // those of its configuration run here as well
		return false
	}
	for _, e := range p.List(p.Dir) {
		name := path.Join(p.Dir, e.Name())
		if e.IsDir() || !slices.Contains(reporting[l.Framework], e.Name()) {
			continue
		}
		ending := path.Ext(name)
		if e.Name() == tapRC {
			ending = ".yaml"
		}
		if text, _ := p.Read(name); ownReporterIn(string(text), ending) {
			return true
		}
	}
	return l.Framework == javascript.Mocha.Name && p.Pkg != nil && ownReporterIn(string(p.Pkg.Mocha), ".json")
}

const tapRC = ".taprc"

// reporting are the files in which runners are told of reporters.
var reporting = map[string][]string{
	javascript.Mocha.Name:  {".mocharc.js", ".mocharc.cjs", ".mocharc.mjs", ".mocharc.yaml", ".mocharc.yml", ".mocharc.json", ".mocharc.jsonc"},
	javascript.Tap.Name:    {tapRC, manifest},
	javascript.Vitest.Name: slices.Concat(javascript.VitestConfigs, javascript.ViteConfigs),
}

func ownReporterIn(text, ending string) bool {
	for _, m := range reporterKey.FindAllStringSubmatch(text, -1) {
		value := keyed.ReplaceAllString(strings.TrimSpace(m[1]), "")
		program := ending != ".json" && !strings.HasPrefix(ending, ".y") && ending != ""
		if ownPath.MatchString(value) || program && identifier.MatchString(plainValue.ReplaceAllString(value, "")) {
			return true
		}
	}
	return false
}

// ownPipe reports whether a suite's command hands what it prints on to a program of the
// project's own, whose exit code is then that of the command.
func ownPipe(p *project.Project, l script.Leaf) bool {
	at := strings.LastIndexByte(l.Line, '|')
	if at < 0 {
		return false
	}
	words, _ := shell.Split(l.Line[at+1:]) // as far as it goes
	files, _ := startedBy(words)
	return slices.ContainsFunc(files, func(w string) bool { _, ok := p.Read(path.Join(p.Dir, w)); return ok })
}

// reported notes the command of a suite as a check where a reporter of the project's own
// has a say.
func reported(f *finder, l script.Leaf, beside bool) {
	a, err := For(l.Framework)
	p := f.project(l.Dir)
	if err == nil && l.Class == script.Suite && (a.Language == scripting && ownReporter(p, l) || ownPipe(p, l)) {
		l.Class = script.Check
		f.check(l, beside)
	}
}
