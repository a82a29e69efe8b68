package framework

import (
	"path"
	"slices"
	"strings"
)

// runTox reads the commands of the named environments; none are the default
// ones, of which those that do the same are one. posargs are the arguments that
// were given, nil if there were none.
func (r *reader) runTox(envs []string, posargs *string, pl spot) bool {
	t, source := r.tox(pl.dir)
	key := pl.dir + "\x00tox"
	if source == "" || slices.Contains(pl.trail, key) {
		return false
	}
	asked := len(envs) > 0
	if !asked {
		envs = t.envs
	}
	if len(envs) == 0 {
		envs = []string{"py"}
	}
	seen, before := map[string]bool{}, len(r.out)
	for _, env := range envs {
		at := pl.enter("tox")
		at.trail = append(at.trail, key)
		if asked || t.section(env)["commands"] != "" {
			at = at.enter(env)
		}
		at.source = source
		if at.kind == service || at.kind == preparation {
			at.kind = check // an environment that releases or serves
		}
		if *r.steps += 20; r.tired() {
			r.out = r.out[:before]
			return false // tox itself runs them then
		}
		same := t.resolve(r, env, "ENV", posargs, pl.dir).text()
		*r.steps += len(same) / 100
		if seen[same] {
			continue
		}
		seen[same] = true
		r.toxEnvironment(t.resolve(r, env, env, posargs, pl.dir), env, at)
	}
	return true
}

// toxRun is what tox does in one environment.
type toxRun struct {
	dir             string   // from the folder of tox
	env             []string // what set_env sets
	pre, main, post []string
	scratch         string // the folder that must be there
}

func (x toxRun) text() string {
	return strings.Join(slices.Concat([]string{x.dir}, x.env, []string{"pre"}, x.pre, []string{"main"}, x.main, []string{"post"}, x.post), "\n")
}

// resolve works out what an environment does, with name in place of its name.
func (t toxFile) resolve(r *reader, env, name string, posargs *string, dir string) toxRun {
	n := &toxNames{file: t, env: env, name: name, dir: ".", posargs: posargs, set: map[string]string{}}
	x := toxRun{}
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
	x.dir = n.dir
	for _, line := range lines("set_env", "setenv") {
		var list []string
		if file, ok := strings.CutPrefix(line, "file|"); ok {
			data, _ := r.file(path.Join(dir, file))
			list = dotenvLines(data)
		} else {
			k, v, _ := strings.Cut(line, "=")
			v, _, _ = strings.Cut(v, " #")
			list = []string{strings.TrimSpace(k) + "=" + strings.TrimSpace(v)}
		}
		for _, kv := range list {
			k, v, _ := strings.Cut(kv, "=")
			n.set[k] = v
			x.env = append(x.env, kv)
		}
	}
	x.pre, x.main, x.post = lines("commands_pre"), lines("commands"), lines("commands_post")
	if n.scratch {
		x.scratch = climb(n.dir, n.tmp())
	}
	return x
}

// toxEnvironment reads the commands of one environment. When some of it is
// known to tox alone, the environment is one command.
func (r *reader) toxEnvironment(x toxRun, env string, pl spot) {
	at := pl
	at.dir = path.Join(pl.dir, x.dir)
	at.env = append(slices.Clip(pl.env), x.env...)
	sub := r.sub()
	if x.scratch != "" {
		sub.text("mkdir -p "+quote(x.scratch), at, nil)
	}
	unread := strings.Contains(strings.Join(x.env, " ")+x.dir, toxUnread) || path.IsAbs(x.dir) || at.dir == ".." || strings.HasPrefix(at.dir, "../")
	for i, part := range [][]string{x.pre, x.main, x.post} {
		in := at
		in.kind = []class{preparation, pl.kind, check}[i]
		if pl.kind == check {
			in.kind = check
		}
		for _, line := range part {
			unread = unread || strings.HasPrefix(line, "!")
			sub.environment(strings.TrimLeft(line, "-! "), in)
		}
	}
	suites := slices.ContainsFunc(sub.out, leaf.testing)
	for _, l := range sub.out {
		args := l.args
		if l.framework == pytest.Name {
			args = without(args, pytestDropped)
		}
		if l.class != check && strings.Contains(strings.Join(args, " ")+strings.Join(l.env, " ")+l.dir, toxUnread) {
			unread = true
		}
	}
	r.notes = append(r.notes, sub.notes...)
	if unread && (suites || pl.kind != check) {
		r.note(pl, "tox alone knows some of environment "+cut(env, maxShown)+": it is run by tox")
		l := r.leaf(pl)
		l.program, l.args, l.line = "tox", []string{"-e", env}, "tox -e "+quote(env)
		l.argv, l.plain, l.class = []string{"tox", "-e", env}, true, pl.kind
		if l.class == "" || l.class == check && suites {
			l.class = unknown
		}
		r.out = append(r.out, l)
		return
	}
	for _, l := range sub.out {
		l.line = strings.ReplaceAll(l.line, toxUnread, "…")
		r.out = append(r.out, l)
	}
}

// installers fill a Python environment.
var installers = set("pip pip3 uv poetry pdm")

// environment reads a command of a Python environment. What prepares that
// environment is left to the project's own installation.
func (r *reader) environment(line string, pl spot) {
	before := len(r.out)
	r.text(line, pl, nil)
	for i := before; i < len(r.out); i++ {
		if l := &r.out[i]; l.class == preparation && installers[l.program] {
			l.class = nothing
		}
	}
	r.out = slices.DeleteFunc(r.out, func(l leaf) bool { return l.class == nothing })
}

func followTox(k *commandReader, words []word) ([]word, bool) {
	var envs []string
	var posargs *string
	for _, kv := range k.pl.env {
		if list, ok := strings.CutPrefix(kv, "TOXENV="); ok {
			envs = variants(list)
		}
	}
	for rest := words[1:]; len(rest) > 0; rest = rest[1:] {
		w := rest[0].text
		option, value, joined := strings.Cut(w, "=")
		switch {
		case w == "--":
			given := quoted(texts(rest[1:]))
			posargs, rest = &given, rest[:1]
		case option == "-e" || option == "--env":
			if !joined && len(rest) > 1 {
				value, rest = rest[1].text, rest[1:]
			}
			envs = append(envs, variants(value)...)
		case slices.Contains([]string{"-m", "-f", "-c", "--conf", "--root", "-x", "--override", "--skip-env"}, option):
			return k.outcome(words, k.pl.kind) // by its labels, or from elsewhere
		case strings.HasPrefix(w, "-e"):
			envs = append(envs, variants(w[2:])...)
		}
	}
	sub := k.r.sub()
	if !sub.runTox(envs, posargs, k.pl) {
		return k.outcome(words, k.pl.kind)
	}
	return k.takeOver(sub, words)
}
