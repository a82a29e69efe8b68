package toolchain

import (
	"bytes"
	"encoding/json"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"
)

// HookFiles are the files that have hooks of an installation.
var HookFiles = []string{"package.json", ".pnpmfile.cjs", "binding.gyp", ".yarnrc.yml", ".yarnrc", ".npmrc", "pnpm-workspace.yaml", "setup.py", "setup.cfg", "pyproject.toml"}

// Hooks is the part of a file that runs, or names what runs, while packages are
// installed; nil when there is none. It runs before any test, and packages are its
// to change then, the test runner among them.
func Hooks(name string, data []byte) []byte {
	switch base := path.Base(name); base {
	case "package.json":
		return append(scriptHooks(data), replacedPackages(data)...)
	case ".pnpmfile.cjs", "binding.gyp":
		return data
	case ".yarnrc.yml", ".yarnrc", ".npmrc":
		return hookLines(data, managerSettings[base])
	case "setup.py":
		return hookLines(data, setupReach)
	case "pyproject.toml":
		return append(buildHooks(data), hookLines(data, pyReplace)...)
	case "setup.cfg":
		return append(hookLines(data, cfgReach), hookLines(data, pyReplace)...)
	case "pnpm-workspace.yaml":
		return hookLines(data, pnpmReplace)
	default:
		if pyRequirements.MatchString(base) {
			return hookLines(data, pyReplace)
		}
	}
	return nil
}

var pyRequirements = pattern.New(`(?i)^(?:.*requirements?.*\.(?:txt|in)|Pipfile|uv\.toml)$`)

// scriptHooks are the hooks of a package.json with the scripts that they name.
func scriptHooks(data []byte) []byte {
	var p struct {
		Scripts map[string]string `json:"scripts"`
	}
	if json.Unmarshal(data, &p) != nil {
		return nil // who reads it says so
	}
	var out []byte
	todo, seen := slices.Clone(hooks), map[string]bool{}
	names := slices.Sorted(maps.Keys(p.Scripts))
	for len(todo) > 0 {
		name := todo[0]
		todo = todo[1:]
		if seen[name] || p.Scripts[name] == "" {
			continue
		}
		seen[name] = true
		out = append(append(append(append(out, name...), ' '), p.Scripts[name]...), '\n')
		words := strings.FieldsFunc(p.Scripts[name], func(r rune) bool { return strings.ContainsRune(" \t;&|()'\"", r) })
		for _, other := range names {
			if slices.Contains(words, other) {
				todo = append(todo, other, "pre"+other, "post"+other)
			}
		}
	}
	return out
}

var (
	// setupReach is what of a setup.py does more than name what it installs. Whoever
	// wants can write this in other words.
	setupReach = pattern.New(`^\s*(?:import|from)\s|\b(?:cmdclass|ext_modules|open|exec|eval|compile|getattr|__import__|subprocess|os|sys|site|shutil|pathlib|Path|importlib|runpy|ctypes|urllib|socket|atexit)\b`)
	buildTable = pattern.New(`^\[+\s*["']?tool\b.*(?:build|hooks?|cmdclass|ext-modules)`)
	buildKey   = pattern.New(`^\s*(?:backend-path|build-backend|cmdclass|ext-modules|custom|script)\b|\battr\s*=\s*["']`)
	cfgReach   = pattern.New(`\battr:|\b(?:cmdclass|command_packages|ext_modules)\b`)
)

// buildHooks are the tables and keys of a pyproject.toml that name programs of the
// project: a build system in the repository, hooks of one.
func buildHooks(data []byte) []byte {
	var out []byte
	in := false
	for line := range bytes.Lines(data) {
		if bytes.HasPrefix(line, []byte("[")) {
			in = buildTable.Match(line)
		}
		if in || buildKey.Match(line) {
			out = append(out, line...)
		}
	}
	return out
}

func hookLines(data []byte, those *pattern.Pattern) []byte {
	var out []byte
	for line := range bytes.Lines(data) {
		if those.Match(line) {
			out = append(out, line...)
		}
	}
	return out
}

// programs are the endings of what an installation can run as it stands. What it
// compiles, such as the sources of an extension, and what it reads is another matter.
var programs = []string{"", ".js", ".cjs", ".mjs", ".ts", ".cts", ".mts", ".py", ".sh", ".bash", ".pl", ".rb", ".ps1", ".bat", ".cmd", ".gyp", ".mk"}

// RunsFile reports whether hooks name a file, relative to the folder they run in, as
// something to run.
func RunsFile(hooks []byte, file string) bool {
	ext := path.Ext(file)
	if !slices.Contains(programs, ext) {
		return false
	}
	bare := strings.TrimSuffix(file, ext)
	if ext == ".py" { // what is imported is named with dots
		bare = strings.ReplaceAll(regexp.QuoteMeta(bare), "/", "[./]")
	} else {
		bare = regexp.QuoteMeta(bare)
	}
	found, err := regexp.Match(`(?m)(?:^|[\s"'=(/])`+bare+`(?:`+regexp.QuoteMeta(ext)+`)?(?:$|[\s"';&|),])`, hooks)
	return err == nil && found
}
