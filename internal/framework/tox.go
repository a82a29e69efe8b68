package framework

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// tox, nox and hatch: what runs the tests of a Python project. Their
// environments are not built here: the tests run with the Python of the
// project, so that what they install is not taken over.

var (
	toxFactor = regexp.MustCompile(`^[\w!,.{}-]+:\s+`)
	toxName   = regexp.MustCompile(`\{\[([^\]]+)\](\w+)\}`)
	toxArgs   = regexp.MustCompile(`\{posargs(?::([^{}]*(?:\{[^{}]*\}[^{}]*)*))?\}`)
	toxEnv    = regexp.MustCompile(`\{env:\w+(?::([^{}]*))?\}`)
	toxOther  = regexp.MustCompile(`\S*\{[^{}]*\}\S*`)
)

// toxFile is what tox would run: sections by name, with their keys.
type toxFile struct {
	sections map[string]map[string]string
	envs     []string // the default environments
}

func (r *reader) tox(dir string) (toxFile, string) {
	for _, f := range []string{"tox.ini", "setup.cfg", "pyproject.toml", "tox.toml"} {
		data, ok := r.file(path.Join(dir, f))
		if !ok {
			continue
		}
		if strings.HasSuffix(f, ".toml") {
			var py struct {
				toxTable
				Tool struct {
					Tox struct {
						toxTable
						Legacy string `toml:"legacy_tox_ini"`
					} `toml:"tox"`
				} `toml:"tool"`
			}
			_ = toml.Unmarshal(data, &py) // what was read before an error counts
			switch {
			case py.Tool.Tox.Legacy != "":
				return toxINI([]byte(py.Tool.Tox.Legacy)), f
			case py.Tool.Tox.Base.Commands != nil || py.Tool.Tox.Env != nil:
				return py.Tool.Tox.file(), f
			case f == "tox.toml":
				return py.file(), f
			}
			continue
		}
		if t := toxINI(data); t.sections["testenv"] != nil || len(t.envs) > 0 {
			return t, f
		}
	}
	return toxFile{}, ""
}

// toxTable is tox's own TOML.
type toxTable struct {
	EnvList []string `toml:"env_list"`
	Base    struct {
		Commands any `toml:"commands"`
	} `toml:"env_run_base"`
	Env map[string]struct {
		Commands any `toml:"commands"`
	} `toml:"env"`
}

func (t toxTable) file() toxFile {
	out := toxFile{sections: map[string]map[string]string{"testenv": {"commands": tomlCommands(t.Base.Commands)}}, envs: t.EnvList}
	for name, e := range t.Env {
		if e.Commands != nil {
			out.sections["testenv:"+name] = map[string]string{"commands": tomlCommands(e.Commands)}
		}
	}
	return out
}

// tomlCommands makes lines of [["pytest", "-q"], …]; a table in a command is a
// reference, of which the default counts.
func tomlCommands(v any) string {
	list, _ := v.([]any)
	var lines []string
	for _, c := range list {
		words, _ := c.([]any)
		var argv []string
		for _, w := range words {
			if s, ok := w.(string); ok {
				argv = append(argv, s)
				continue
			}
			if table, ok := w.(map[string]any); ok {
				if d, ok := table["default"].([]any); ok {
					argv = append(argv, stringsOf(d)...)
				}
			}
		}
		lines = append(lines, quoted(argv))
	}
	return strings.Join(lines, "\n")
}

// toxINI reads an INI file with the lines of its values kept.
func toxINI(data []byte) toxFile {
	out := toxFile{sections: map[string]map[string]string{}}
	section, key := "", ""
	for _, line := range strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "" || strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, ";"):
		case strings.HasPrefix(line, "[") && strings.HasSuffix(trimmed, "]"):
			section, key = strings.Trim(trimmed, "[]"), ""
			section = strings.TrimPrefix(section, "tox:")
			if out.sections[section] == nil {
				out.sections[section] = map[string]string{}
			}
		case section == "":
		case (line[0] == ' ' || line[0] == '\t') && key != "":
			out.sections[section][key] = strings.TrimPrefix(out.sections[section][key]+"\n"+trimmed, "\n")
		default:
			if name, value, ok := strings.Cut(trimmed, "="); ok {
				key = strings.TrimSpace(name)
				out.sections[section][key] = strings.TrimSpace(value)
			}
		}
	}
	core := out.sections["tox"]
	for _, e := range regexp.MustCompile(`[\s,]+`).Split(strings.TrimSpace(core["envlist"]+" "+core["env_list"]), -1) {
		if e != "" {
			out.envs = append(out.envs, e)
		}
	}
	return out
}

// commands of one environment, by its own section or the common one.
func (t toxFile) commands(env string) string {
	own, ok := t.sections["testenv:"+env]["commands"]
	if !ok {
		own = t.sections["testenv"]["commands"]
	}
	for range 5 {
		next := bounded(toxName, own, func(m []string) string { return t.sections[m[1]][m[2]] })
		if next == own || len(next) > maxExpanded {
			break
		}
		own = next
	}
	return own
}

// runTox reads the commands of the named environments; none are the default
// ones, of which those without a section of their own are one.
func (r *reader) runTox(envs []string, pl spot) bool {
	t, source := r.tox(pl.dir)
	key := pl.dir + "\x00tox"
	if source == "" || slices.Contains(pl.trail, key) {
		return false
	}
	if len(envs) == 0 {
		if t.sections["testenv"]["commands"] != "" {
			envs = []string{""}
		}
		for _, e := range t.envs {
			if t.sections["testenv:"+e]["commands"] != "" {
				envs = append(envs, e)
			}
		}
	}
	for _, env := range envs {
		at := pl.enter("tox")
		at.trail = append(at.trail, key)
		if env != "" {
			at = at.enter(env)
		}
		at.source = source
		if at.kind == service || at.kind == preparation {
			at.kind = check // an environment that releases or serves
		}
		seen := map[string]bool{}
		for _, line := range strings.Split(strings.ReplaceAll(t.commands(env), "\\\n", " "), "\n") {
			line = toxLine(line)
			if !seen[line] {
				seen[line] = true
				r.environment(line, at)
			}
		}
	}
	return true
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

// toxLine takes out what tox replaces; what depends on its environment goes.
func toxLine(line string) string {
	line = strings.TrimSpace(line)
	line = toxFactor.ReplaceAllString(line, "")
	line = strings.TrimLeft(line, "-! ")
	line = toxArgs.ReplaceAllString(line, "$1")
	line = toxEnv.ReplaceAllString(line, "$1")
	line = strings.NewReplacer("{toxinidir}/", "", "{tox_root}/", "", "{toxinidir}", ".", "{tox_root}", ".", "{envpython}", "python", "{envbindir}/", "", "{/}", "/", "{env_python}", "python").Replace(line)
	return toxOther.ReplaceAllString(line, "")
}

func followTox(k *commandReader, words []word) ([]word, bool) {
	var envs []string
	for rest := words[1:]; len(rest) > 0; rest = rest[1:] {
		w := rest[0].text
		if w == "--" {
			break
		}
		if w == "-e" && len(rest) > 1 {
			envs = append(envs, strings.Split(rest[1].text, ",")...)
			rest = rest[1:]
		} else if strings.HasPrefix(w, "-e") {
			envs = append(envs, strings.Split(w[2:], ",")...)
		}
	}
	sub := k.r.sub()
	if !sub.runTox(envs, k.pl) {
		return k.outcome(words, k.pl.kind)
	}
	return k.takeOver(sub, words)
}
