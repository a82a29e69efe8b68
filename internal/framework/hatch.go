package framework

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

var (
	hatchArgs = regexp.MustCompile(`\{args(?::([^{}]*))?\}`)
	hatchAny  = regexp.MustCompile(`\{(\w+)((?::[^{}]*)?)\}`)
)

// hatchEnv is an environment of hatch.
type hatchEnv struct {
	Scripts   map[string]any    `toml:"scripts"`
	Extra     map[string]any    `toml:"extra-scripts"`
	Vars      map[string]string `toml:"env-vars"`
	Template  *string           `toml:"template"`
	Detached  bool              `toml:"detached"`
	Matrix    []map[string]any  `toml:"matrix"`
	Overrides map[string]any    `toml:"overrides"`
	Arguments []string          `toml:"default-args"`
	More      []string          `toml:"extra-args"`
}

// hatchEnvs are the environments of a folder, each with what it has from its
// template: scripts one by one, the rest as a whole.
func (r *reader) hatchEnvs(dir string) map[string]hatchEnv {
	type table struct {
		Envs map[string]hatchEnv `toml:"envs"`
	}
	raw := map[string]hatchEnv{}
	take := func(t table) {
		for name, e := range t.Envs {
			if _, ok := raw[name]; !ok {
				raw[name] = e
			}
		}
	}
	if data, ok := r.file(path.Join(dir, "hatch.toml")); ok {
		var t table
		_ = toml.Unmarshal(data, &t) // what was read before an error counts
		take(t)
	}
	if data, ok := r.file(path.Join(dir, "pyproject.toml")); ok {
		var py struct {
			Tool struct {
				Hatch table `toml:"hatch"`
			} `toml:"tool"`
		}
		_ = toml.Unmarshal(data, &py) // likewise
		take(py.Tool.Hatch)
	}
	out := map[string]hatchEnv{}
	for name := range raw {
		out[name] = templated(raw, name, 0)
	}
	return out
}

func templated(raw map[string]hatchEnv, name string, depth int) hatchEnv {
	e := raw[name]
	scripts := map[string]any{}
	for _, from := range []map[string]any{e.Scripts, e.Extra} {
		for n, s := range from {
			scripts[n] = s
		}
	}
	template := "default"
	if e.Template != nil {
		template = *e.Template
	}
	if _, ok := raw[template]; ok && template != name && !e.Detached && !strings.HasPrefix(name, "hatch-") && depth < maxTrail {
		from := templated(raw, template, depth+1)
		for n, s := range from.Scripts {
			if _, own := scripts[n]; !own {
				scripts[n] = s
			}
		}
		if e.Vars == nil {
			e.Vars = from.Vars
		}
		if e.Overrides == nil {
			e.Overrides = from.Overrides
		}
	}
	e.Scripts = scripts
	return e
}

// hatchRun is one call of a script of an environment.
type hatchRun struct {
	env, script, args string
	// unread says that hatch alone knows a part of what runs.
	unread bool
}

// runHatch follows one script of an environment. When some of it is known to
// hatch alone, the script is one command.
func (r *reader) runHatch(env, script, args string, pl spot) bool {
	envs := r.hatchEnvs(pl.dir)
	e, ok := envs[env]
	if env == "hatch-test" && e.Scripts["run"] == nil {
		e.Scripts, ok = map[string]any{"run": "pytest {args}"}, true
	}
	key := pl.dir + "\x00hatch " + env + ":" + script
	if *r.steps++; !ok || e.Scripts[script] == nil || slices.Contains(pl.trail, key) || r.tired() {
		return false
	}
	in := pl.enter(script)
	in.trail, in.source = append(in.trail, key), "pyproject.toml"
	run := &hatchRun{env: env, script: script, args: args}
	in.env = slices.Clip(in.env)
	for _, name := range slices.Sorted(maps.Keys(e.Vars)) {
		in.env = append(in.env, name+"="+run.filled(e.Vars[name], in.env))
	}
	for _, table := range e.Overrides { // by the matrix, the platform, the machine
		keys, _ := table.(map[string]any)
		for name, settings := range keys {
			s, nested := settings.(map[string]any)
			run.unread = run.unread || !nested || s["env-vars"] != nil || s["scripts"] != nil || name == "env-vars" || name == "scripts"
		}
	}
	sub := r.sub()
	sub.hatchScript(run, e, script, args, in, 0)
	r.notes = append(r.notes, sub.notes...)
	if !run.unread {
		r.out = append(r.out, sub.out...)
		return true
	}
	r.note(in, "hatch alone knows what it runs, and with what: it is run by hatch")
	l := r.leaf(pl.enter(script))
	l.source = "pyproject.toml"
	l.program, l.class = "hatch", named(script, pl.kind)
	l.args = []string{"run", env + ":" + script}
	if env == "hatch-test" {
		l.args = []string{"test"}
	}
	l.line = strings.TrimSpace("hatch " + quoted(l.args) + " " + args)
	if l.class == "" || slices.ContainsFunc(sub.out, leaf.testing) {
		l.class = unknown
	}
	r.out = append(r.out, l)
	return true
}

// hatchScript reads the lines of a script, which may be scripts themselves.
func (r *reader) hatchScript(run *hatchRun, e hatchEnv, script, args string, in spot, depth int) {
	var list []string
	switch v := e.Scripts[script].(type) {
	case string:
		list = []string{v}
	case []any:
		list = stringsOf(v)
	}
	if *r.steps++; depth > maxTrail || r.tired() {
		run.unread = true // it runs itself, which hatch refuses
		return
	}
	for _, line := range list {
		line = strings.TrimLeft(line, "- ")
		line = hatchArgs.ReplaceAllStringFunc(line, func(m string) string {
			if args != "" {
				return args
			}
			return hatchArgs.FindStringSubmatch(m)[1]
		})
		name, rest, _ := strings.Cut(line, " ")
		if e.Scripts[name] != nil && name != script {
			at := in.enter(name)
			at.source = in.source
			r.hatchScript(run, e, name, strings.TrimSpace(rest), at, depth+1)
			continue
		}
		r.environment(run.filled(line, in.env), in)
	}
}

// filled replaces what stands in braces; what is not known makes the script one
// that hatch runs.
func (h *hatchRun) filled(text string, env []string) string {
	for range 5 {
		next := bounded(hatchAny, text, func(m []string) string {
			switch {
			case m[1] == "root" && m[2] == "":
				return "."
			case m[1] == "env":
				name, missing, _ := strings.Cut(strings.TrimPrefix(m[2], ":"), ":")
				for _, kv := range slices.Backward(env) {
					if v, ok := strings.CutPrefix(kv, name+"="); ok {
						return v
					}
				}
				h.unread = h.unread || ambient[name]
				return missing
			case m[1] == "env_name":
				return h.env
			}
			h.unread = true
			return m[1]
		})
		if next == text || len(next) > maxExpanded {
			break
		}
		text = next
	}
	return text
}

// firstHatch follows the script by which a project of hatch usually runs its
// tests.
func (r *reader) firstHatch(pl spot) {
	envs := r.hatchEnvs(pl.dir)
	for _, env := range []string{"hatch-test", "default", "test", "tests", "dev"} {
		for _, script := range []string{"test", "tests", "run", "cov", "test-cov"} {
			if envs[env].Scripts[script] != nil && (script != "run" || env != "default" && env != "dev") {
				r.runHatch(env, script, "", pl)
				if slices.ContainsFunc(r.out, leaf.testing) {
					return
				}
			}
		}
	}
}

func followHatch(k *commandReader, words []word) ([]word, bool) {
	env := "default"
	for _, kv := range k.pl.env {
		if name, ok := strings.CutPrefix(kv, "HATCH_ENV="); ok {
			env = name
		}
	}
	rest := words[1:]
	for ; len(rest) > 0 && strings.HasPrefix(rest[0].text, "-"); rest = rest[1:] {
		option, value, joined := strings.Cut(rest[0].text, "=")
		takes := slices.Contains([]string{"-e", "--env", "-p", "--project", "--data-dir", "--cache-dir", "--config"}, option)
		if takes && !joined && len(rest) > 1 {
			value, rest = rest[1].text, rest[1:]
		}
		switch option {
		case "-e", "--env":
			env = value
		case "-p", "--project":
			return k.outcome(words, k.pl.kind)
		}
	}
	if len(rest) == 0 {
		return k.outcome(words, nothing)
	}
	switch verb := rest[0].text; verb {
	case "test": // pytest, unless the environment says otherwise
		return k.hatchTest(words, rest[1:])
	case "run":
		rest = rest[1:]
		if len(rest) == 0 {
			return k.outcome(words, nothing)
		}
		if w := rest[0].text; strings.HasPrefix(w, "-") || strings.HasPrefix(w, "+") {
			return k.outcome(words, k.pl.kind) // a part of the matrix
		}
		name, script, ok := strings.Cut(rest[0].text, ":")
		if !ok {
			name, script = env, rest[0].text
		}
		if k.r.runHatch(name, script, quoted(texts(rest[1:])), k.pl) {
			return nil, true
		}
		return k.inHatch(name, script, words, rest)
	}
	if kind, _ := classOf("hatch", texts(rest)); kind != "" {
		return k.outcome(words, kind)
	}
	return k.outcome(words, k.pl.kind)
}

// inHatch looks at a program that is started in an environment, which may set
// variables.
func (k *commandReader) inHatch(name, program string, words, rest []word) ([]word, bool) {
	e, ok := k.r.hatchEnvs(k.pl.dir)[name]
	if !ok && name != "default" {
		return k.outcome(words, k.pl.kind)
	}
	run := &hatchRun{env: name}
	for _, n := range slices.Sorted(maps.Keys(e.Vars)) {
		k.pl.env = append(k.pl.env, n+"="+run.filled(e.Vars[n], k.pl.env))
	}
	if run.unread || e.Overrides != nil {
		return k.outcome(words, k.pl.kind)
	}
	rest = slices.Clone(rest)
	rest[0].text = program
	return rest, false
}

// hatchTest follows hatch's own command for tests, which runs those in the
// folder tests unless it is told otherwise.
func (k *commandReader) hatchTest(words, rest []word) ([]word, bool) {
	e := k.r.hatchEnvs(k.pl.dir)["hatch-test"]
	var args []string
	for len(rest) > 0 {
		w := rest[0].text
		switch {
		case w == "--":
			args, rest = append(args, texts(rest[1:])...), rest[:1]
		case slices.Contains([]string{"-a", "--all", "-c", "--cover", "-r", "--randomize", "-p", "--parallel", "--cover-quiet", "-cp", "-acp", "-rp"}, w):
		case strings.HasPrefix(w, "-"):
			return k.outcome(words, k.pl.kind)
		default:
			args = append(args, w)
		}
		rest = rest[1:]
	}
	if len(args) == 0 {
		if args = e.Arguments; args == nil && k.r.has(path.Join(k.pl.dir, "tests", "__init__.py")) {
			args = []string{"tests"}
		}
	}
	if !k.r.runHatch("hatch-test", "run", quoted(slices.Concat(e.More, args)), k.pl) {
		return k.outcome(words, k.pl.kind)
	}
	return nil, true
}
