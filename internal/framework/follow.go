package framework

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// Bounds of following a script. What lies beyond is not left out: the script is
// then one command as a whole.
const (
	maxLeaves = 64
	maxTrail  = 24
	maxSteps  = 4000
)

// reader follows test scripts to their leaves. It reads files and runs nothing.
type reader struct {
	source    func(name string) ([]byte, bool) // a file by its path in the repository
	manifests map[string]*manifest
	out       []leaf
	notes     []note
	// lost says that it is not known any more in which folder commands run.
	lost  bool
	steps *int // what was done, of all readers that this one started
}

// note is something that was seen and is not run, with the reason.
type note struct{ what, why string }

// spot is the surroundings that a command inherits.
type spot struct {
	dir, script, source string
	kind                class // what the scripts' names say
	env, node, wrapper  []string
	vars                map[string]string
	trail               []string
	whole               string // the text of the script that is being read
}

func (pl spot) enter(script string) spot {
	pl.script, pl.kind = script, named(script, pl.kind)
	pl.env, pl.trail = slices.Clip(pl.env), slices.Clip(pl.trail)
	return pl
}

func newReader(file func(string) ([]byte, bool)) *reader {
	return &reader{source: file, manifests: map[string]*manifest{}, steps: new(int)}
}

// sub reads a part, of which it is not known yet whether it can be taken apart.
func (r *reader) sub() *reader {
	return &reader{source: r.source, manifests: r.manifests, steps: r.steps}
}

// file reads a file and counts what that costs.
func (r *reader) file(name string) ([]byte, bool) {
	data, ok := r.source(name)
	*r.steps += len(data) / 1000
	return data, ok
}

// tired reports whether there was more to follow than any project has.
func (r *reader) tired() bool { return *r.steps > maxSteps }

// manifest is the package.json of a folder; nil when there is none or it does
// not parse.
func (r *reader) manifest(dir string) *manifest {
	m, known := r.manifests[dir]
	if !known {
		if data, ok := r.file(path.Join(dir, "package.json")); ok {
			m, _ = parseManifest(data)
		}
		r.manifests[dir] = m
	}
	return m
}

func (r *reader) scripts(dir string) map[string]string {
	if m := r.manifest(dir); m != nil {
		return m.Scripts
	}
	return nil
}

// script follows a script of package.json with those that npm runs around it;
// extra is added to its last command.
func (r *reader) script(name string, pl spot, extra []word) {
	key := pl.dir + "\x00" + name
	scripts := r.scripts(pl.dir)
	if slices.Contains(pl.trail, key) {
		r.note(pl, fmt.Sprintf("script %q runs itself", name))
		return
	}
	pl = pl.enter(name)
	pl.trail, pl.source = append(pl.trail, key), "package.json"
	if m := r.manifest(pl.dir); m != nil && strings.TrimSpace(scripts[name]) == "wireit" {
		r.wireit(m, name, pl)
		return
	}
	around := func(prefix string, kind class) {
		if scripts[prefix+name] == "" || strings.HasPrefix(name, "pre") {
			return
		}
		at := pl
		if kind != "" {
			at.kind = kind
		}
		at.script, at.trail = prefix+name, append(slices.Clip(at.trail), pl.dir+"\x00"+prefix+name)
		r.text(scripts[prefix+name], at, nil)
	}
	around("pre", preparation)
	r.text(scripts[name], pl, extra)
	around("post", "")
}

// text reads one script. When a part of it cannot be taken apart, or starts
// something that the rest needs beside it, it is one leaf as a whole.
func (r *reader) text(script string, pl spot, extra []word) {
	if len(extra) > 0 {
		script += " " + quoted(texts(extra))
	}
	pl.whole, pl.vars = script, maps.Clone(pl.vars)
	if pl.vars == nil {
		pl.vars = map[string]string{}
	}
	for _, kv := range pl.env {
		if name, value, ok := strings.Cut(kv, "="); ok {
			pl.vars[name] = value
		}
	}
	*r.steps += 1 + len(script)/1000
	commands, err := parseShell(script)
	if err != nil || len(pl.trail) > maxTrail || r.tired() {
		r.asOne(script, pl, false)
		return
	}
	inner := r.sub()
	inner.list(commands, &pl)
	r.notes = append(r.notes, inner.notes...)
	served := slices.ContainsFunc(inner.out, func(l leaf) bool { return l.class == service })
	if served && slices.ContainsFunc(inner.out, leaf.testing) || len(r.out)+len(inner.out) > maxLeaves || inner.tired() || inner.lost {
		r.asOne(script, pl, slices.ContainsFunc(inner.out, func(l leaf) bool { return l.class == browser }))
		return
	}
	r.out = append(r.out, inner.out...)
}

// asOne makes one leaf of a whole script.
func (r *reader) asOne(script string, pl spot, inBrowser bool) {
	l := r.leaf(pl)
	l.line, l.program = strings.TrimSpace(script), "sh"
	if l.class = pl.kind; l.class == "" || l.class == service {
		l.class = unknown
	}
	for _, w := range strings.Fields(cut(script, 4000)) {
		inBrowser = inBrowser || browserPrograms[w]
	}
	if inBrowser && l.class == unknown {
		l.class = browser
	}
	r.out = append(r.out, l)
}

func (r *reader) leaf(pl spot) leaf {
	return leaf{dir: pl.dir, script: pl.script, source: pl.source, env: slices.Clone(pl.env), node: slices.Clone(pl.node), wrapper: pl.wrapper}
}

func (r *reader) note(pl spot, why string) {
	n := note{what: strings.TrimSpace(fromDot(pl.dir) + " script " + pl.script), why: why}
	if len(r.notes) < maxLeaves && !slices.Contains(r.notes, n) {
		r.notes = append(r.notes, n)
	}
}

func (r *reader) list(commands []simple, pl *spot) {
	for _, c := range commands {
		if *r.steps++; len(r.out) > maxLeaves || r.tired() {
			return // the script is one leaf then
		}
		if len(c.group) > 0 {
			sub := *pl
			sub.vars = maps.Clone(pl.vars)
			r.list(c.group, &sub)
			continue
		}
		r.simple(c, pl)
	}
}

// simple reads one command; what it sets for those after it goes to pl.
func (r *reader) simple(c simple, pl *spot) {
	var words []word
	known := true
	for _, w := range c.words {
		out, ok := w.expand(pl.vars)
		if !ok {
			known, out = false, []word{w}
		}
		words = append(words, out...)
	}
	if len(words) == 0 {
		return
	}
	switch words[0].text {
	case "cd":
		if to, ok := r.cd(words, *pl); ok && known {
			pl.dir = to
			return
		}
		r.lost = true
		return
	case "export":
		for _, w := range words[1:] {
			if name, value, ok := strings.Cut(w.text, "="); ok {
				pl.env = append(slices.Clip(pl.env), w.text)
				pl.vars[name] = value
			}
		}
		return
	}
	at := *pl
	at.env = slices.Clip(at.env)
	k := &commandReader{r: r, c: c, pl: at, known: known, env: pl.env}
	k.read(words)
}

// cd is the folder that a change of directory leads to.
func (r *reader) cd(words []word, pl spot) (string, bool) {
	args := words[1:]
	if len(args) > 0 && args[0].text == "--" {
		args = args[1:]
	}
	if len(args) != 1 || args[0].glob || path.IsAbs(args[0].text) || args[0].text == "-" {
		return "", false
	}
	to := path.Join(pl.dir, args[0].text)
	return to, to != ".." && !strings.HasPrefix(to, "../")
}

// maxShown bounds a script's text where it is shown.
const maxShown = 120

// cut bounds text from the repository to n bytes, on a rune's border, and takes
// out what is no text.
func cut(text string, n int) string {
	if len(text) > n {
		text = strings.ToValidUTF8(text[:n], "") + "…"
	}
	return strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f {
			return ' '
		}
		return c
	}, strings.ToValidUTF8(text, "?"))
}
