package toolchain

import (
	"maps"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/pelletier/go-toml/v2"

	"github.com/org/qa-action/internal/ini"
)

// tools reads the files of what runs tests in environments of its own: tox, nox,
// pipenv. What they would install is installed for the project's own Python.
func (r *pythonReader) tools() {
	for _, name := range []string{"tox.ini", "setup.cfg"} {
		data, ok := r.read(name)
		if !ok {
			continue
		}
		cfg := ini.Sections(data)
		for _, section := range []string{"testenv", "testenv:test", "testenv:tests", "testenv:py", "testenv:unit"} {
			r.tox(name, cfg[section])
		}
	}
	r.toxTables()
	if data, ok := r.read("noxfile.py"); ok && !r.knowsRunner() {
		for _, m := range noxSession.FindAllStringSubmatch(data, -1) {
			if strings.Contains(m[1], "test") {
				r.nox(m[2])
			}
		}
	}
	r.pipfile()
}

// tox takes the keys of one environment.
func (r *pythonReader) tox(file string, env map[string]string) {
	for _, line := range lines(env["deps"]) {
		if strings.Contains(line, "{") {
			line = strings.NewReplacer("{toxinidir}/", "", "{tox_root}/", "").Replace(line)
		}
		switch name, ok := strings.CutPrefix(line, "-r"); {
		case ok:
			r.file(strings.TrimSpace(name))
		case toxFactor.MatchString(line): // of one environment among many, see below
		case strings.Contains(line, "{"), strings.HasPrefix(line, "-"):
		default:
			r.plain(file, line)
		}
	}
	r.plain(file, optional(env["deps"])...)
	for _, key := range []string{"extras", "dependency_groups"} {
		names := optional(env[key])
		for _, line := range lines(env[key]) {
			if !toxFactor.MatchString(line) {
				names = append(names, strings.TrimSpace(line))
			}
		}
		for _, name := range names {
			if key == "extras" {
				r.extra(name)
			} else {
				r.groups([]string{name})
			}
		}
	}
}

var (
	// toxFactor is a line under a condition: "py39: tomli", "!lint: pytest".
	toxFactor = pattern.New(`^([!\w.{},-]+)\s*:\s+(.*)$`)
	// toxChoice is a condition that names one of several: a version, a system, or
	// what is no test.
	toxChoice = pattern.New(`(?i)[!{},]|\d|^(?:pypy|py|windows|win|linux|darwin|macos|cygwin|oldest|lowest|minimal|minimum|min|latest|dev|main|master|pre|nightly|lint|mypy|typing|types?|pyright|style|format|docs?|sphinx|check|build|dist|release|black|flake8|isort|pylint|coverage|report|bench|benchmark)$`)
)

// optional is what only some environments of tox install: a feature that is there in
// one and not in the other ("crypto: cryptography"). Tests of it are skipped where it
// is missing, so the widest of the environments is ours. What has a choice between
// versions of one thing, or between interpreters, is left out.
func optional(value string) []string {
	named := map[string]int{}
	var found []string
	for _, line := range lines(value) {
		m := toxFactor.FindStringSubmatch(line)
		if m == nil {
			named[requiredName(line)]++
			continue
		}
		named[requiredName(m[2])]++
		choice := func(factor string) bool { // "nose2: nose2" is no version of anything
			return toxChoice.MatchString(factor) && !(strings.ContainsAny(factor, "0123456789") && PythonName(factor) == requiredName(m[2]))
		}
		if !slices.ContainsFunc(strings.Split(m[1], "-"), choice) && !strings.ContainsAny(m[2], "{}") && !strings.HasPrefix(m[2], "-") {
			found = append(found, strings.TrimSpace(m[2]))
		}
	}
	return slices.DeleteFunc(found, func(line string) bool { return named[requiredName(line)] > 1 })
}

// toxTables reads tox's own TOML.
func (r *pythonReader) toxTables() {
	type env struct {
		Deps   []any `toml:"deps"`
		Extras []any `toml:"extras"`
		Groups []any `toml:"dependency_groups"`
	}
	type tables struct {
		Base env            `toml:"env_run_base"`
		Env  map[string]env `toml:"env"`
		INI  string         `toml:"legacy_tox_ini"`
	}
	var own tables
	if data, ok := r.read("tox.toml"); ok {
		_ = toml.Unmarshal([]byte(data), &own)
	}
	var project struct {
		Tool struct {
			Tox tables `toml:"tox"`
		} `toml:"tool"`
	}
	if data, ok := r.read("pyproject.toml"); ok {
		_ = toml.Unmarshal([]byte(data), &project)
	}
	if text := project.Tool.Tox.INI; text != "" {
		r.tox("pyproject.toml tool.tox", ini.Sections(text)["testenv"])
	}
	for _, in := range []struct {
		file string
		tables
	}{{"tox.toml", own}, {"pyproject.toml tool.tox", project.Tool.Tox}} {
		for _, e := range []env{in.Base, in.Env["test"], in.Env["tests"]} {
			r.tox(in.file, map[string]string{"deps": strings.Join(texts(e.Deps), "\n"),
				"extras": strings.Join(texts(e.Extras), "\n"), "dependency_groups": strings.Join(texts(e.Groups), "\n")})
		}
	}
}

var (
	// noxSession is a function with its body, up to what stands at the margin again.
	noxSession = pattern.New(`(?m)^(?:async )?def (\w+)\([^\n]*\n((?:[ \t]+[^\n]*\n|\n)+)`)
	noxInstall = pattern.New(`\.install\(([^)]*)\)`)
)

// nox takes what the sessions of a noxfile install by plain text.
func (r *pythonReader) nox(body string) {
	for _, m := range noxInstall.FindAllStringSubmatch(body, -1) {
		r.arguments("noxfile.py", quotedIn(m[1]))
	}
}

// arguments takes those of a call of pip.
func (r *pythonReader) arguments(file string, args []string) {
	for i := 0; i < len(args); i++ {
		arg := args[i]
		next := ""
		if i+1 < len(args) {
			next = args[i+1]
		}
		switch {
		case arg == "-r" || arg == "--requirement":
			r.file(next)
			i++
		case arg == "--group":
			r.groups([]string{next})
			r.source(file)
			i++
		case arg == "-e" || arg == "-c" || arg == "-i" || arg == "--index-url" || arg == "--constraint":
			if arg == "-e" {
				r.own(next)
			}
			i++
		case strings.HasPrefix(arg, "-"):
		case strings.HasPrefix(arg, "."):
			r.own(arg)
		default:
			r.plain(file, arg)
		}
	}
}

var ownExtras = pattern.New(`^\.?/?\[([\w, -]+)\]$`)

// own takes the extras of "-e .[test,dev]".
func (r *pythonReader) own(arg string) {
	if m := ownExtras.FindStringSubmatch(strings.TrimPrefix(arg, ".")); m != nil {
		for name := range strings.SplitSeq(m[1], ",") {
			r.extra(strings.TrimSpace(name))
		}
	}
}

// pipfile reads what pipenv would install where it has not locked it.
func (r *pythonReader) pipfile() {
	data, ok := r.read("Pipfile")
	if !ok {
		return
	}
	var p struct {
		Packages map[string]any `toml:"packages"`
		Dev      map[string]any `toml:"dev-packages"`
	}
	_ = toml.Unmarshal([]byte(data), &p)
	for _, table := range []map[string]any{p.Packages, p.Dev} {
		for _, name := range slices.Sorted(maps.Keys(table)) {
			r.plain("Pipfile", poetryLine(name, table[name]))
		}
	}
}

// lines are the non-empty lines of a value, without comments.
func lines(value string) []string {
	var out []string
	for line := range strings.SplitSeq(value, "\n") {
		if line = strings.TrimSpace(comment.ReplaceAllString(line, "")); line != "" {
			out = append(out, line)
		}
	}
	return out
}
