package tox

import (
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/framework/settings"
	"github.com/org/qa-action/internal/pattern"
)

// Run is what tox does in one environment.
type Run struct {
	Dir             string   // from the folder of tox
	Env             []string // what set_env sets
	Pre, Main, Post []string
	Scratch         string // the folder that must be there
	Ignored         bool   // tox calls it good whatever its commands say
}

func (x Run) Text() string {
	return strings.Join(slices.Concat([]string{x.Dir}, x.Env, []string{"pre"}, x.Pre, []string{"main"}, x.Main, []string{"post"}, x.Post), "\n")
}

// Asked is an environment that somebody asks for.
type Asked struct {
	Env, Name string  // Name stands in place of its name
	Posargs   *string // what it is given, nil for nothing
	Dir       string  // of the file
}

// yes is what tox takes for true, in INI and in TOML.
var yes = pattern.New(`(?i)^(?:true|1|yes|t|y|on|enable|enabled)$`)

// Resolve works out what an environment does.
func Resolve(t File, file func(string) ([]byte, bool), a Asked) Run {
	env := a.Env
	n := &names{file: t, env: env, name: a.Name, dir: ".", posargs: a.Posargs, set: map[string]string{}, has: func(name string) bool {
		_, ok := file(path.Join(a.Dir, name))
		return ok
	}}
	x := Run{}
	lines := func(keys ...string) []string {
		var out []string
		for _, line := range strings.Split(t.applying(n.filled(t.value(env, keys...)), env), "\n") {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				out = append(out, line)
			}
		}
		return out
	}
	n.dir = path.Clean(strings.Join(lines("change_dir", "changedir"), " "))
	if !n.scratch && (n.dir == ".tox" || strings.HasPrefix(n.dir, ".tox/")) {
		n.dir = "." // away from the sources, so that the installed copy is tested; ours are the sources
	}
	x.Dir = n.dir
	for _, line := range lines("set_env", "setenv") {
		var list []string
		if named, ok := strings.CutPrefix(line, "file|"); ok {
			data, _ := file(path.Join(a.Dir, named))
			list = settings.Dotenv(data)
		} else {
			k, v, _ := strings.Cut(line, "=")
			v, _, _ = strings.Cut(v, " #")
			list = []string{strings.TrimSpace(k) + "=" + strings.TrimSpace(v)}
		}
		for _, kv := range list {
			k, v, _ := strings.Cut(kv, "=")
			n.set[k] = v
			x.Env = append(x.Env, kv)
		}
	}
	x.Pre, x.Main, x.Post = lines("commands_pre"), lines("commands"), lines("commands_post")
	x.Ignored = yes.MatchString(strings.Join(lines("ignore_outcome"), " "))
	if n.scratch {
		x.Scratch = folder.Climb(n.dir, n.tmp())
	}
	return x
}

// Seeded is the environment of a command that tox gives one order of sets to, by a variable
// that it sets to a number by chance: the processes over which pytest-xdist spreads a suite
// have to collect the same tests.
func Seeded(env, args []string) []string {
	const seed = "PYTHONHASHSEED="
	spread := func(arg string) bool {
		return arg == "-n" || strings.HasPrefix(arg, "--numprocesses") || strings.HasPrefix(arg, "--dist")
	}
	if !slices.ContainsFunc(args, spread) || slices.ContainsFunc(env, func(kv string) bool { return strings.HasPrefix(kv, seed) }) {
		return env
	}
	return append(slices.Clip(env), seed+"1")
}
