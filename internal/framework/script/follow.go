// Package script says what a test script runs: it follows one through other
// scripts, shells, package managers and tools such as make, tox and nox down to
// its leaves, the commands that test, build or check. It reads files and runs
// nothing. Start with [NewReader].
package script

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/shell"
	"github.com/org/qa-action/internal/wording"
)

// Bounds of following a script. What lies beyond is not left out: the script is
// then one command as a whole.
const (
	MaxLeaves = 64
	maxTrail  = 24
	maxSteps  = 4000
)

// Reader follows test scripts to their leaves. It reads files and runs nothing.
type Reader struct {
	files
	runners Runners
	Out     []Leaf
	Notes   []Note
	// Python tells the version of the interpreter that there is, "3.11"; empty: not known.
	Python func() string
	// lost says that it is not known any more in which folder commands run.
	lost bool
}

// files is what is read of a repository, by all readers that one started.
type files struct {
	source    func(name string) ([]byte, bool) // a file by its path in the repository
	manifests map[string]*Manifest
	steps     *int // what was done
}

// Note is something that was seen and is not run, with the reason.
type Note struct{ What, Why string }

// Spot is the surroundings that a command inherits.
type Spot struct {
	Dir, script, Source string
	at                  int // the line of the source in which the script begins; 0 is unknown
	called              Called
	Kind                class // what the scripts' names say
	env, node, wrapper  []string
	vars                map[string]string
	trail               []string
	unheeded, errexit   bool            // of the command that is read, see Leaf; the shell ends where one fails
	whole               string          // the text of the script that is being read
	wired               map[Called]bool // scripts that wireit ran already
}

func (pl Spot) enter(script string) Spot {
	pl.script, pl.at, pl.Kind = script, 0, named(script, pl.Kind)
	pl.env, pl.trail = slices.Clip(pl.env), slices.Clip(pl.trail)
	return pl
}

func NewReader(runners Runners, file func(string) ([]byte, bool)) *Reader {
	return &Reader{files: files{source: file, manifests: map[string]*Manifest{}, steps: new(int)}, runners: runners}
}

// sub reads a part, of which it is not known yet whether it can be taken apart.
func (r *Reader) sub() *Reader {
	return &Reader{files: r.files, runners: r.runners, Python: r.Python}
}

// file reads a file and counts what that costs.
func (f files) file(name string) ([]byte, bool) {
	data, ok := f.source(name)
	*f.steps += len(data) / 1000
	return data, ok
}

// tired reports whether there was more to follow than any project has.
func (f files) tired() bool { return *f.steps > maxSteps }

// manifest is the package.json of a folder; nil when there is none or it does
// not parse.
func (f files) manifest(dir string) *Manifest {
	m, known := f.manifests[dir]
	if !known {
		if data, ok := f.file(path.Join(dir, "package.json")); ok {
			m, _ = ParseManifest(data)
		}
		f.manifests[dir] = m
	}
	return m
}

func (f files) scripts(dir string) map[string]string {
	if m := f.manifest(dir); m != nil {
		return m.Scripts
	}
	return nil
}

// Script follows a script of package.json with those that npm runs around it;
// extra is added to its last command.
func (r *Reader) Script(name string, pl Spot, extra []shell.Word) {
	key := pl.Dir + "\x00" + name
	scripts := r.scripts(pl.Dir)
	if slices.Contains(pl.trail, key) {
		r.note(pl, fmt.Sprintf("script %q runs itself", name))
		return
	}
	pl = pl.enter(name)
	pl.trail, pl.Source, pl.called = append(pl.trail, key), "package.json", Called{pl.Dir, name}
	if m := r.manifest(pl.Dir); m != nil && (strings.TrimSpace(scripts[name]) == "wireit" || scripts[name] == "" && m.Wireit[name] != nil) {
		r.wireit(m, name, pl)
		return
	}
	if own := r.npmrc(pl.Dir, "script-shell"); strings.HasPrefix(own, ".") { // a program of the project's
		r.byTool(pl, named(name, Unknown), "npm", "run", name)
		return
	}
	if options := r.npmrc(pl.Dir, "node-options"); options != "" {
		pl.env = append(pl.env, "NODE_OPTIONS="+options)
	}
	around := func(prefix string, kind class) {
		if scripts[prefix+name] == "" || strings.HasPrefix(name, "pre") {
			return
		}
		at := pl
		if kind != "" {
			at.Kind = kind
		}
		at.called.Name = prefix + name
		at.script, at.trail = prefix+name, append(slices.Clip(at.trail), pl.Dir+"\x00"+prefix+name)
		r.Text(scripts[prefix+name], at, nil)
	}
	around("pre", Preparation)
	r.Text(scripts[name], pl, extra)
	around("post", "")
}

// Text reads one script. When a part of it cannot be taken apart, or starts
// something that the rest needs beside it, it is one leaf as a whole.
func (r *Reader) Text(script string, pl Spot, extra []shell.Word) {
	if strings.TrimSpace(script) == "" {
		return // it runs nothing, and its exit code would count for tests
	}
	if len(extra) > 0 {
		script += " " + wording.Command(shell.Texts(extra))
	}
	vars := map[string]string{}
	maps.Copy(vars, pl.vars)
	pl.whole, pl.vars, pl.errexit, vars[shellOptions] = script, vars, false, ""
	for _, kv := range pl.env {
		if name, value, ok := strings.Cut(kv, "="); ok {
			pl.vars[name] = value
		}
	}
	*r.steps += 1 + len(script)/1000
	commands, err := shell.Parse(script)
	if err != nil || len(pl.trail) > maxTrail || r.tired() {
		r.asOne(script, pl, false)
		return
	}
	inner := r.sub()
	inner.list(commands, &pl)
	r.Notes = append(r.Notes, inner.Notes...)
	served := slices.ContainsFunc(inner.Out, func(l Leaf) bool { return l.Class == Service })
	if served && slices.ContainsFunc(inner.Out, Leaf.Testing) || len(r.Out)+len(inner.Out) > MaxLeaves || inner.tired() || inner.lost {
		r.asOne(script, pl, slices.ContainsFunc(inner.Out, func(l Leaf) bool { return l.Class == Browser }))
		return
	}
	r.Out = append(r.Out, inner.Out...)
}

// asOne makes one leaf of a whole script.
func (r *Reader) asOne(script string, pl Spot, inBrowser bool) {
	l := pl.leaf()
	l.Line, l.Program = strings.TrimSpace(script), "sh"
	if l.Class = pl.Kind; l.Class == "" || l.Class == Service {
		l.Class = Unknown
	}
	for _, w := range strings.Fields(wording.Bytes(script, 4000)) {
		inBrowser = inBrowser || browserPrograms[w]
	}
	if inBrowser && l.Class == Unknown {
		l.Class = Browser
	}
	r.Out = append(r.Out, l)
}

func (pl Spot) leaf() Leaf {
	return Leaf{Origin: Origin{Script: pl.script, Source: pl.Source, Dir: pl.Dir, At: pl.at, Called: pl.called, Unheeded: pl.unheeded}, Env: slices.Clone(pl.env), Node: slices.Clone(pl.node), Wrapper: pl.wrapper}
}

// byTool is a leaf that a tool runs, which alone knows what that is.
func (r *Reader) byTool(pl Spot, kind class, argv ...string) {
	l := pl.leaf()
	l.Program, l.Args, l.Argv, l.Plain, l.Class, l.Line = argv[0], argv[1:], argv, true, kind, wording.Command(argv)
	r.Out = append(r.Out, l)
}

func (r *Reader) note(pl Spot, why string) {
	n := Note{What: strings.TrimSpace(folder.FromDot(pl.Dir) + " script " + pl.script), Why: why}
	if len(r.Notes) < MaxLeaves && !slices.Contains(r.Notes, n) {
		r.Notes = append(r.Notes, n)
	}
}

func (r *Reader) list(commands []shell.Simple, pl *Spot) {
	all := pl.unheeded
	defer func() { pl.unheeded = all }()
	for i, c := range commands {
		pl.unheeded, pl.errexit = all || !shell.Heeded(commands, i, pl.errexit), c.ErrExit(pl.errexit)
		if *r.steps++; len(r.Out) > MaxLeaves || r.tired() {
			return // the script is one leaf then
		}
		if len(c.Group) > 0 {
			sub := *pl
			sub.vars = maps.Clone(pl.vars)
			r.list(c.Group, &sub)
			continue
		}
		r.simple(c, pl)
	}
}

// simple reads one command; what it sets for those after it goes to pl.
func (r *Reader) simple(c shell.Simple, pl *Spot) {
	var words []shell.Word
	known := true
	for _, w := range c.Words {
		out, ok := w.Expand(pl.vars)
		if !ok {
			known, out = false, []shell.Word{w}
		}
		words = append(words, out...)
	}
	if len(words) == 0 {
		return
	}
	switch words[0].Text {
	case "cd":
		if to, ok := r.cd(words, *pl); ok && known {
			pl.Dir = to
			return
		}
		r.lost = true
		return
	case "set":
		if slices.Contains(shell.Texts(words), "pipefail") {
			pl.vars[shellOptions] = "pipefail"
		}
		return
	case "export":
		for _, w := range words[1:] {
			if name, value, ok := strings.Cut(w.Text, "="); ok {
				pl.env = append(slices.Clip(pl.env), w.Text)
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
func (r *Reader) cd(words []shell.Word, pl Spot) (string, bool) {
	args := words[1:]
	if len(args) > 0 && args[0].Text == "--" {
		args = args[1:]
	}
	if len(args) != 1 || args[0].Glob || path.IsAbs(args[0].Text) || args[0].Text == "-" {
		return "", false
	}
	to := path.Join(pl.Dir, args[0].Text)
	return to, to != ".." && !strings.HasPrefix(to, "../")
}
