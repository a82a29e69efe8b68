package script

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/framework/settings"
	"github.com/org/qa-action/internal/shell"
	"github.com/org/qa-action/internal/wording"
)

var (
	hatchArgs = pattern.New(`\{args(?::([^{}]*))?\}`)
	hatchAny  = pattern.New(`\{(\w+)((?::[^{}]*)?)\}`)
)

// hatchRun is one call of a script of an environment.
type hatchRun struct {
	env, script, args string
	// unread says that hatch alone knows a part of what runs.
	unread bool
}

// runHatch follows one script of an environment. When some of it is known to
// hatch alone, the script is one command.
func (r *Reader) runHatch(env, script, args string, pl Spot) bool {
	envs := hatchEnvs(r, pl.Dir)
	e, ok := envs[env]
	if env == "hatch-test" && e.Scripts["run"] == nil {
		e.Scripts, ok = map[string]any{"run": "pytest {args}"}, true
	}
	key := pl.Dir + "\x00hatch " + env + ":" + script
	if *r.steps++; !ok || e.Scripts[script] == nil || slices.Contains(pl.trail, key) || r.tired() {
		return false
	}
	in := pl.enter(script)
	in.trail, in.Source = append(in.trail, key), "pyproject.toml"
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
	sub.hatchScript(run, e, hatchCall{script, args, 0}, in)
	r.Notes = append(r.Notes, sub.Notes...)
	if !run.unread {
		r.Out = append(r.Out, sub.Out...)
		return true
	}
	r.note(in, "hatch alone knows what it runs, and with what: it is run by hatch")
	l := pl.enter(script).leaf()
	l.Source = "pyproject.toml"
	l.Program, l.Class = "hatch", named(script, pl.Kind)
	l.Args = []string{"run", env + ":" + script}
	if env == "hatch-test" {
		l.Args = []string{"test"}
	}
	l.Line = strings.TrimSpace("hatch " + wording.Command(l.Args) + " " + args)
	if l.Class == "" || slices.ContainsFunc(sub.Out, Leaf.Testing) {
		l.Class = Unknown
	}
	r.Out = append(r.Out, l)
	return true
}

// hatchCall is a script with what it is given, so many scripts deep.
type hatchCall struct {
	script, args string
	depth        int
}

// hatchScript reads the lines of a script, which may be scripts themselves.
func (r *Reader) hatchScript(run *hatchRun, e hatchEnv, call hatchCall, in Spot) {
	var list []string
	switch v := e.Scripts[call.script].(type) {
	case string:
		list = []string{v}
	case []any:
		list = settings.Strings(v)
	}
	if *r.steps++; call.depth > maxTrail || r.tired() {
		run.unread = true // it runs itself, which hatch refuses
		return
	}
	for _, line := range list {
		line = strings.TrimLeft(line, "- ")
		line = hatchArgs.ReplaceAllStringFunc(line, func(m string) string {
			if call.args != "" {
				return call.args
			}
			return hatchArgs.FindStringSubmatch(m)[1]
		})
		name, rest, _ := strings.Cut(line, " ")
		if e.Scripts[name] != nil && name != call.script {
			at := in.enter(name)
			at.Source = in.Source
			r.hatchScript(run, e, hatchCall{name, strings.TrimSpace(rest), call.depth + 1}, at)
			continue
		}
		r.environment(run.filled(line, in.env), in)
	}
}

// filled replaces what stands in braces; what is not known makes the script one
// that hatch runs.
func (h *hatchRun) filled(text string, env []string) string {
	for range 5 {
		next := shell.Bounded(hatchAny, text, func(m []string) string {
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
				h.unread = h.unread || shell.Ambient[name]
				return missing
			case m[1] == "env_name":
				return h.env
			}
			h.unread = true
			return m[1]
		})
		if next == text || len(next) > shell.MaxExpanded {
			break
		}
		text = next
	}
	return text
}

// FirstHatch follows the script by which a project of hatch usually runs its
// tests.
func (r *Reader) FirstHatch(pl Spot) {
	envs := hatchEnvs(r, pl.Dir)
	for _, env := range []string{"hatch-test", "default", "test", "tests", "dev"} {
		for _, script := range []string{"test", "tests", "run", "cov", "test-cov"} {
			if envs[env].Scripts[script] != nil && (script != "run" || env != "default" && env != "dev") {
				r.runHatch(env, script, "", pl)
				if slices.ContainsFunc(r.Out, Leaf.Testing) {
					return
				}
			}
		}
	}
}

func followHatch(k *commandReader, words []shell.Word) ([]shell.Word, bool) {
	env := "default"
	for _, kv := range k.pl.env {
		if name, ok := strings.CutPrefix(kv, "HATCH_ENV="); ok {
			env = name
		}
	}
	rest := words[1:]
	for ; len(rest) > 0 && strings.HasPrefix(rest[0].Text, "-"); rest = rest[1:] {
		option, value, joined := strings.Cut(rest[0].Text, "=")
		takes := slices.Contains([]string{"-e", "--env", "-p", "--project", "--data-dir", "--cache-dir", "--config"}, option)
		if takes && !joined && len(rest) > 1 {
			value, rest = rest[1].Text, rest[1:]
		}
		switch option {
		case "-e", "--env":
			env = value
		case "-p", "--project":
			return k.outcome(words, k.pl.Kind)
		}
	}
	if len(rest) == 0 {
		return k.outcome(words, Nothing)
	}
	switch verb := rest[0].Text; verb {
	case "test": // pytest, unless the environment says otherwise
		return k.hatchTest(words, rest[1:])
	case "run":
		rest = rest[1:]
		if len(rest) == 0 {
			return k.outcome(words, Nothing)
		}
		if w := rest[0].Text; strings.HasPrefix(w, "-") || strings.HasPrefix(w, "+") {
			return k.outcome(words, k.pl.Kind) // a part of the matrix
		}
		name, script, ok := strings.Cut(rest[0].Text, ":")
		if !ok {
			name, script = env, rest[0].Text
		}
		if k.r.runHatch(name, script, wording.Command(shell.Texts(rest[1:])), k.pl) {
			return nil, true
		}
		return k.inHatch(name, script, words, rest)
	}
	if kind, _ := k.r.runners.classOf("hatch", shell.Texts(rest)); kind != "" {
		return k.outcome(words, kind)
	}
	return k.outcome(words, k.pl.Kind)
}

// inHatch looks at a program that is started in an environment, which may set
// variables.
func (k *commandReader) inHatch(name, program string, words, rest []shell.Word) ([]shell.Word, bool) {
	e, ok := hatchEnvs(k.r, k.pl.Dir)[name]
	if !ok && name != "default" {
		return k.outcome(words, k.pl.Kind)
	}
	run := &hatchRun{env: name}
	for _, n := range slices.Sorted(maps.Keys(e.Vars)) {
		k.pl.env = append(k.pl.env, n+"="+run.filled(e.Vars[n], k.pl.env))
	}
	if run.unread || e.Overrides != nil {
		return k.outcome(words, k.pl.Kind)
	}
	rest = slices.Clone(rest)
	rest[0].Text = program
	return rest, false
}

// hatchTest follows hatch's own command for tests, which runs those in the
// folder tests unless it is told otherwise.
func (k *commandReader) hatchTest(words, rest []shell.Word) ([]shell.Word, bool) {
	e := hatchEnvs(k.r, k.pl.Dir)["hatch-test"]
	var args []string
	for len(rest) > 0 {
		w := rest[0].Text
		switch {
		case w == "--":
			args, rest = append(args, shell.Texts(rest[1:])...), rest[:1]
		case slices.Contains([]string{"-a", "--all", "-c", "--cover", "-r", "--randomize", "-p", "--parallel", "--cover-quiet", "-cp", "-acp", "-rp"}, w):
		case strings.HasPrefix(w, "-"):
			return k.outcome(words, k.pl.Kind)
		default:
			args = append(args, w)
		}
		rest = rest[1:]
	}
	if len(args) == 0 {
		if args = e.Arguments; args == nil && k.r.has(path.Join(k.pl.Dir, "tests", "__init__.py")) {
			args = []string{"tests"}
		}
	}
	if !k.r.runHatch("hatch-test", "run", wording.Command(slices.Concat(e.More, args)), k.pl) {
		return k.outcome(words, k.pl.Kind)
	}
	return nil, true
}
