package framework

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

var (
	noxSession = regexp.MustCompile(`(?m)^(?:async\s+)?def\s+(\w+)\s*\(\s*session\b`)
	noxName    = regexp.MustCompile(`\bname\s*=\s*["']([\w.-]+)["']`)
	noxRun     = regexp.MustCompile(`\bsession\.run(?:_always|_install)?\s*\(`)
	noxDefault = regexp.MustCompile(`(?m)^nox\.options\.(?:sessions|keywords)\s*=\s*([\[(][^\])]*[\])])`)
	pyString   = regexp.MustCompile(`["']([^"'\n]*)["']`)
)

// runNox reads the session.run calls of noxfile.py: those of the named
// sessions, else of the default ones, else of all.
func (r *reader) runNox(sessions []string, pl spot) bool {
	data, ok := r.file(path.Join(pl.dir, "noxfile.py"))
	key := pl.dir + "\x00nox"
	if !ok || slices.Contains(pl.trail, key) {
		return false
	}
	text := string(data)
	if m := noxDefault.FindStringSubmatch(text); len(sessions) == 0 && m != nil {
		for _, s := range pyString.FindAllStringSubmatch(m[1], -1) {
			sessions = append(sessions, s[1])
		}
	}
	found := noxSession.FindAllStringSubmatchIndex(text, maxLeaves)
	before := 0
	for i, at := range found {
		end := len(text)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		names := []string{text[at[2]:at[3]]}
		if m := noxName.FindStringSubmatch(text[before:at[0]]); m != nil {
			names = append(names, m[1])
		}
		before = at[1]
		if len(sessions) > 0 && !slices.ContainsFunc(names, func(n string) bool { return slices.Contains(sessions, n) }) {
			continue
		}
		in := pl.enter(names[len(names)-1])
		in.trail, in.source = append(in.trail, key), "noxfile.py"
		if in.kind != unknown {
			in.kind = check // documentation, releases
		}
		for _, line := range noxLines(text[at[1]:end]) {
			r.environment(line, in)
		}
	}
	return true
}

// noxLines are the command lines of the session.run calls in a function. What
// is no plain text in a call is left out.
func noxLines(body string) []string {
	var out []string
	for _, at := range noxRun.FindAllStringIndex(body, maxLeaves) {
		end := closing(body[at[1]-1:])
		if end < 0 {
			continue
		}
		var argv []string
		for _, arg := range strings.Split(body[at[1]:at[1]-1+end], ",") {
			arg = strings.TrimSpace(arg)
			if m := pyString.FindStringSubmatch(arg); m != nil && m[0] == arg {
				argv = append(argv, m[1])
			}
		}
		if len(argv) > 0 {
			out = append(out, quoted(argv))
		}
	}
	return out
}

func followNox(k *commandReader, words []word) ([]word, bool) {
	var sessions []string
	for rest := words[1:]; len(rest) > 0 && rest[0].text != "--"; rest = rest[1:] {
		if w := rest[0].text; (w == "-s" || w == "-e" || w == "--session" || w == "--sessions") && len(rest) > 1 {
			for len(rest) > 1 && !strings.HasPrefix(rest[1].text, "-") {
				sessions, rest = append(sessions, rest[1].text), rest[1:]
			}
		}
	}
	sub := k.r.sub()
	if !sub.runNox(sessions, k.pl) {
		return k.outcome(words, k.pl.kind)
	}
	return k.takeOver(sub, words)
}

// hatchScripts are the scripts of hatch's environments; a script is a line or a
// list of lines.
func (r *reader) hatchScripts(dir string) map[string]map[string]any {
	type table struct {
		Envs map[string]struct {
			Scripts map[string]any `toml:"scripts"`
		} `toml:"envs"`
	}
	out := map[string]map[string]any{}
	take := func(t table) {
		for name, e := range t.Envs {
			if out[name] == nil && e.Scripts != nil {
				out[name] = e.Scripts
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
	return out
}

// runHatch follows one script of an environment.
func (r *reader) runHatch(env, script string, pl spot) bool {
	envs := r.hatchScripts(pl.dir)
	lines, ok := envs[env][script]
	key := pl.dir + "\x00hatch " + env + ":" + script
	if *r.steps++; !ok || slices.Contains(pl.trail, key) || r.tired() {
		return false
	}
	in := pl.enter(script)
	in.trail, in.source = append(in.trail, key), "pyproject.toml"
	var list []string
	switch v := lines.(type) {
	case string:
		list = []string{v}
	case []any:
		list = stringsOf(v)
	}
	for _, line := range list {
		line = regexp.MustCompile(`\{args(?::([^{}]*))?\}`).ReplaceAllString(strings.TrimLeft(line, "- "), "$1")
		name, _, _ := strings.Cut(line, " ")
		if envs[env][name] != nil && name != script {
			if !r.runHatch(env, name, in) {
				r.note(in, "cannot be followed: "+cut(line, maxShown))
			}
			continue
		}
		r.environment(toxOther.ReplaceAllString(strings.ReplaceAll(line, "{root}", "."), ""), in)
	}
	return true
}

func followHatch(k *commandReader, words []word) ([]word, bool) {
	rest := skipOptions(words[1:], map[string]bool{"-e": true, "--env": true, "-p": true})
	if len(rest) == 0 {
		return k.outcome(words, nothing)
	}
	switch verb := rest[0].text; verb {
	case "test": // pytest, unless the environment says otherwise
		if k.r.runHatch("hatch-test", "run", k.pl) {
			return nil, true
		}
		return []word{{text: "pytest", at: -1}}, false
	case "run":
		rest = skipOptions(rest[1:], nil)
		if len(rest) == 0 {
			return k.outcome(words, nothing)
		}
		env, script, ok := strings.Cut(rest[0].text, ":")
		if !ok {
			env, script = "default", rest[0].text
		}
		if k.r.runHatch(env, script, k.pl) {
			return nil, true
		}
		if ok {
			rest = slices.Clone(rest)
			rest[0].text = script
		}
		return rest, false
	}
	if kind, _ := classOf("hatch", texts(rest)); kind != "" {
		return k.outcome(words, kind)
	}
	return k.outcome(words, k.pl.kind)
}
