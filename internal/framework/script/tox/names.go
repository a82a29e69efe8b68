package tox

import (
	"maps"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/shell"
)

var (
	toxFactor = pattern.New(`^([\w!,.{} -]+):(?:\s+(.*)|)$`)
	toxBraces = pattern.New(`^([^{}]*)\{([^{}]*)\}(.*)$`)
	toxInner  = pattern.New(`\{([^{}]*)\}`)
	toxRef    = pattern.New(`^\[([^\]]+)\]([\w-]+)$`)
	toxRange  = pattern.New(`^(\d+)-(\d+)$`)
	// installed is a module of the environment: its mark, then its name.
	installed = pattern.New("\x05/([A-Za-z0-9_]+)")
)

// Bounds of what a name stands for.
const (
	maxVariants = 640
	maxRange    = 64
)

// Variants spells out "a,py{38,39}-{x,y}".
func Variants(text string) []string {
	var out []string
	depth, from := 0, 0
	for i := 0; i <= len(text); i++ {
		switch {
		case i < len(text) && text[i] == '{':
			depth++
		case i < len(text) && text[i] == '}':
			depth--
		case i == len(text) || depth == 0 && strings.IndexByte(", \t", text[i]) >= 0:
			if part := strings.TrimSpace(text[from:i]); part != "" && len(out) < maxVariants {
				out = append(out, spelled(part)...)
			}
			from = i + 1
		}
	}
	return out
}

// spelled is one name with each of the alternatives in its braces.
func spelled(name string) []string {
	m := toxBraces.FindStringSubmatch(name)
	if m == nil {
		return []string{name}
	}
	var out []string
	for _, rest := range spelled(m[3]) {
		for _, a := range strings.Split(m[2], ",") {
			for _, one := range counted(strings.TrimSpace(a)) {
				if len(out) < maxVariants {
					out = append(out, m[1]+one+rest)
				}
			}
		}
	}
	return out
}

// counted spells out "10-13".
func counted(text string) []string {
	m := toxRange.FindStringSubmatch(text)
	if m == nil {
		return []string{text}
	}
	from, errFrom := strconv.Atoi(m[1])
	to, errTo := strconv.Atoi(m[2])
	if errFrom != nil || errTo != nil || from > to || to-from > maxRange {
		return []string{text}
	}
	var out []string
	for n := from; n <= to; n++ {
		out = append(out, strconv.Itoa(n))
	}
	return out
}

// Section are the own settings of an environment; its name may be one of
// several in the section's.
func (t File) Section(env string) map[string]string {
	if s := t.sections["testenv:"+env]; s != nil {
		return s
	}
	for _, name := range slices.Sorted(maps.Keys(t.sections)) {
		if names, ok := strings.CutPrefix(name, "testenv:"); ok && strings.ContainsAny(names, "{,") && slices.Contains(Variants(names), env) {
			return t.sections[name]
		}
	}
	return nil
}

// At is the line of the section that has the commands of an environment; 0 is unknown.
func (t File) At(env string) int {
	if t.Section(env)["commands"] == "" {
		return t.lines["testenv"]
	}
	return t.lines["testenv:"+env]
}

// value is what an environment has for a setting, by any of its names: its own,
// else that of the environments which it is based on.
func (t File) value(env string, keys ...string) string {
	sections := []map[string]string{t.Section(env)}
	if base, ok := sections[0]["base"]; ok {
		for _, b := range Variants(strings.ReplaceAll(base, "\n", ",")) {
			sections = append(sections, t.sections[b], t.Section(strings.TrimPrefix(b, "testenv:")))
		}
	}
	sections = append(sections, t.sections["testenv"])
	for _, s := range sections {
		for _, key := range keys {
			if v, ok := s[key]; ok {
				return t.applying(v, env)
			}
		}
	}
	return ""
}

// applying are the lines of a value that hold for an environment: those
// without a condition, and those whose condition its name meets.
func (t File) applying(value, env string) string {
	factors := append(strings.Split(env, "-"), runtime.GOOS)
	var out []string
	for _, line := range strings.Split(strings.ReplaceAll(value, "\\\n", " "), "\n") {
		m := toxFactor.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil || strings.Contains(m[1], " ") && !strings.ContainsAny(m[1], ",{") {
			out = append(out, line)
			continue
		}
		holds := func(group string) bool {
			for _, f := range strings.Split(group, "-") {
				name, not := strings.CutPrefix(f, "!")
				if slices.Contains(factors, name) == not {
					return false
				}
			}
			return true
		}
		if slices.ContainsFunc(Variants(m[1]), holds) {
			out = append(out, m[2])
		}
	}
	return strings.Join(out, "\n")
}

// names is what the words in braces stand for in one environment.
type names struct {
	file    File
	env     string
	name    string // of the environment, or one for all
	dir     string // where its commands run, from the folder of tox
	posargs *string
	set     map[string]string // of the environment
	scratch bool              // a folder of tox's own is needed
	has     func(file string) bool
	spent   int // references that were followed
}

// maxReferences bounds how often an environment refers to other settings.
const maxReferences = 200

// filled replaces what stands in braces; what only tox knows becomes
// [unreadMark].
func (n *names) filled(text string) string {
	text = strings.ReplaceAll(text, `\{`, "\x02")
	for range 12 {
		next := shell.Bounded(toxInner, text, func(m []string) string { return n.one(m[1]) })
		if next == text || len(next) > shell.MaxExpanded {
			break
		}
		text = next
	}
	text = shell.Bounded(installed, text, func(m []string) string { return n.module(m[1]) })
	return strings.NewReplacer("\x05", shell.Unread, "\x03/", n.root("/"), "\x03", n.root(""), "\x04/", "", "\x04", shell.Unread, "\x02", "{").Replace(text)
}

// module is where a module of the project lies that tox would install: our
// environments have the project by reference.
func (n *names) module(name string) string {
	for _, dir := range []string{"src/", ""} {
		if n.has(dir+name+"/__init__.py") || n.has(dir+name+".py") {
			return "\x03/" + dir + name
		}
	}
	return shell.Unread
}

// root is the folder of tox as the environment's commands see it.
func (n *names) root(after string) string {
	switch at := folder.Climb(n.dir, "."); {
	case n.dir != ".":
		return at + after
	case after != "":
		return ""
	}
	return "."
}

// one is what a name in braces stands for.
func (n *names) one(inner string) string {
	word, rest, more := strings.Cut(inner, ":")
	if m := toxRef.FindStringSubmatch(inner); m != nil {
		if n.spent++; n.spent > maxReferences {
			return shell.Unread
		}
		if s, ok := n.file.sections[strings.TrimPrefix(m[1], "tox:")]; ok {
			return n.file.applying(s[m[2]], n.env)
		}
		return ""
	}
	switch word {
	case "posargs":
		if n.posargs != nil {
			return *n.posargs
		}
		return rest
	case "env":
		name, missing, _ := strings.Cut(rest, ":")
		if v, ok := n.set[name]; ok {
			return v
		}
		if shell.Ambient[name] {
			return shell.Unread
		}
		return missing
	case "tty":
		_, missing, _ := strings.Cut(rest, ":")
		return missing
	case "":
		if inner == ":" {
			return ":"
		}
	}
	if more {
		return shell.Unread
	}
	switch word {
	case "toxinidir", "tox_root", "package_root", "packageroot":
		return "\x03"
	case "envtmpdir", "env_tmp_dir", "envlogdir", "env_log_dir":
		n.scratch = true
		return "\x03/" + n.tmp()
	case "toxworkdir", "work_dir":
		return "\x03/.tox"
	case "envsitepackagesdir", "env_site_packages_dir":
		return "\x05"
	case "envname", "env_name":
		return n.name
	case "envpython", "env_python", "basepython", "base_python":
		return "python"
	case "envbindir", "env_bin_dir":
		return "\x04"
	case "/":
		return "/"
	}
	return shell.Unread
}

// tmp is the environment's own folder for what it writes.
func (n *names) tmp() string { return path.Join(".tox", n.name, "tmp") }
