package script

import (
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework/script/tox"
	"github.com/org/qa-action/internal/shell"
	"github.com/org/qa-action/internal/wording"
)

// RunTox reads the commands of the named environments; none are the default
// ones, of which those that do the same are one. posargs are the arguments that
// were given, nil if there were none.
func (r *Reader) RunTox(envs []string, posargs *string, pl Spot) bool {
	t, source := tox.Read(r.file, pl.Dir)
	key := pl.Dir + "\x00tox"
	if source == "" || slices.Contains(pl.trail, key) {
		return false
	}
	does := func(env string) string {
		text := tox.Resolve(t, r.file, tox.Asked{Env: env, Name: "ENV", Posargs: posargs, Dir: pl.Dir}).Text()
		*r.steps += len(text) / 100
		return text
	}
	asked := len(envs) > 0
	if !asked {
		python := ""
		if r.Python != nil {
			python = r.Python()
		}
		var left []string
		if envs, left = tox.Usual(t.Envs, python, does); len(left) > 0 {
			r.note(pl.enter("tox"), "environments of tox for other interpreters than "+python+" are not run: "+shell.Cut(strings.Join(left, ", "), shell.MaxShown))
		}
	}
	if len(envs) == 0 {
		envs = []string{"py"}
	}
	seen, before := map[string]bool{}, len(r.Out)
	var checking, ignored []int // leaves of environments that check, and of those that cannot fail
	for _, env := range envs {
		at := pl.enter("tox")
		at.trail = append(at.trail, key)
		if asked || t.Section(env)["commands"] != "" {
			at = at.enter(env)
		}
		at.Source, at.at = source, t.At(env)
		if at.Kind == Service || at.Kind == Preparation {
			at.Kind = Check // an environment that releases or serves
		}
		if *r.steps += 20; r.tired() {
			r.Out = r.Out[:before]
			return false // tox itself runs them then
		}
		same := does(env)
		if seen[same] {
			continue
		}
		seen[same] = true
		from, x := len(r.Out), tox.Resolve(t, r.file, tox.Asked{Env: env, Name: env, Posargs: posargs, Dir: pl.Dir})
		r.toxEnvironment(x, env, at)
		apart(r.Out[from:], asked || t.Needed(env))
		for i := from; i < len(r.Out) && !asked; i++ {
			switch {
			case x.Ignored:
				ignored = append(ignored, i-before)
			case tox.Checks(env):
				checking = append(checking, i-before)
			}
		}
	}
	ignoredOnly(r, pl.enter("tox"), r.Out[before:], ignored)
	checksOnly(r, pl.enter("tox"), r.Out[before:], checking)
	return true
}

// apart makes what an environment without tests prepares a check of its own: other
// environments do without it, unless needed.
func apart(leaves []Leaf, needed bool) {
	for i := range leaves {
		if l := &leaves[i]; l.Class == Preparation && !needed && !slices.ContainsFunc(leaves, Leaf.Testing) {
			l.Class = Check
		}
	}
}

// checksOnly takes the tests that checking environments run, with requirements of their
// own, out of the suites where another one runs that suite: they are a part of it.
// checking are the places of their leaves.
func checksOnly(r *Reader, at Spot, leaves []Leaf, checking []int) {
	suites := map[string]bool{}
	for i, l := range leaves {
		if l.Class == Suite && !slices.Contains(checking, i) {
			suites[l.Framework+" "+l.Dir] = true
		}
	}
	for _, i := range checking {
		if l := &leaves[i]; l.Class == Suite && suites[l.Framework+" "+l.Dir] {
			l.Class = Check
			r.note(at, "an environment of tox that checks runs a part of the suite, with requirements of its own; that is not run: "+shell.Cut(l.Line, shell.MaxShown))
		}
	}
}

// ignoredOnly takes the tests out that fail nothing for tox, as long as others remain:
// red here would be green for the project. ignored are the places of their leaves.
func ignoredOnly(r *Reader, at Spot, leaves []Leaf, ignored []int) {
	counts := false
	for i, l := range leaves {
		counts = counts || l.Testing() && !slices.Contains(ignored, i)
	}
	for _, i := range ignored {
		if l := &leaves[i]; counts && l.Testing() {
			l.Class = Check
			r.note(at, "tox ignores the outcome of an environment (ignore_outcome); what it tests is not run: "+shell.Cut(l.Line, shell.MaxShown))
		}
	}
}

// toxEnvironment reads the commands of one environment. When some of it is
// known to tox alone, the environment is one command.
func (r *Reader) toxEnvironment(x tox.Run, env string, pl Spot) {
	at := pl
	at.Dir = path.Join(pl.Dir, x.Dir)
	at.env = append(slices.Clip(pl.env), x.Env...)
	sub := r.sub()
	if x.Scratch != "" {
		sub.Text("mkdir -p "+wording.Quote(x.Scratch), at, nil)
	}
	unread := strings.Contains(strings.Join(x.Env, " ")+x.Dir, shell.Unread) || path.IsAbs(x.Dir) || at.Dir == ".." || strings.HasPrefix(at.Dir, "../")
	for i, part := range [][]string{x.Pre, x.Main, x.Post} {
		in := at
		in.Kind = []class{Preparation, pl.Kind, pl.Kind}[i]
		if pl.Kind == Check {
			in.Kind = Check
		}
		for _, line := range part {
			at := in
			if i == 2 && strings.HasPrefix(line, "-") { // tox does not mind its failure
				at.Kind = Check
			}
			unread = unread || strings.HasPrefix(line, "!")
			sub.environment(strings.TrimLeft(line, "-! "), at)
		}
	}
	suites := slices.ContainsFunc(sub.Out, Leaf.Testing)
	for _, l := range sub.Out {
		args := r.runners.kept(l)
		if l.Class != Check && strings.Contains(strings.Join(args, " ")+strings.Join(l.Env, " ")+l.Dir, shell.Unread) {
			unread = true
		}
	}
	r.Notes = append(r.Notes, sub.Notes...)
	if unread && (suites || pl.Kind != Check) {
		r.note(pl, "tox alone knows some of environment "+shell.Cut(env, shell.MaxShown)+": it is run by tox")
		kind := pl.Kind
		if kind == "" || kind == Check && suites {
			kind = Unknown
		}
		r.byTool(pl, kind, "tox", "-e", env)
		return
	}
	for _, l := range sub.Out {
		l.Line, l.Env = strings.ReplaceAll(l.Line, shell.Unread, "…"), tox.Seeded(l.Env, l.Args)
		r.Out = append(r.Out, l)
	}
}

// installers fill a Python environment.
var installers = set("pip pip3 uv poetry pdm")

// environment reads a command of a Python environment. What prepares that
// environment is left to the project's own installation.
func (r *Reader) environment(line string, pl Spot) {
	before := len(r.Out)
	r.Text(line, pl, nil)
	for i := before; i < len(r.Out); i++ {
		if l := &r.Out[i]; l.Class == Preparation && installers[l.Program] {
			l.Class = Nothing
		}
	}
	r.Out = slices.DeleteFunc(r.Out, func(l Leaf) bool { return l.Class == Nothing })
}

func followTox(k *commandReader, words []shell.Word) ([]shell.Word, bool) {
	var envs []string
	var posargs *string
	for _, kv := range k.pl.env {
		if list, ok := strings.CutPrefix(kv, "TOXENV="); ok {
			envs = tox.Variants(list)
		}
	}
	for rest := words[1:]; len(rest) > 0; rest = rest[1:] {
		w := rest[0].Text
		option, value, joined := strings.Cut(w, "=")
		switch {
		case w == "--":
			given := wording.Command(shell.Texts(rest[1:]))
			posargs, rest = &given, rest[:1]
		case option == "-e" || option == "--env":
			if !joined && len(rest) > 1 {
				value, rest = rest[1].Text, rest[1:]
			}
			envs = append(envs, tox.Variants(value)...)
		case slices.Contains([]string{"-m", "-f", "-c", "--conf", "--root", "-x", "--override", "--skip-env"}, option):
			return k.outcome(words, k.pl.Kind) // by its labels, or from elsewhere
		case strings.HasPrefix(w, "-e"):
			envs = append(envs, tox.Variants(w[2:])...)
		}
	}
	sub := k.r.sub()
	if !sub.RunTox(envs, posargs, k.pl) {
		return k.outcome(words, k.pl.Kind)
	}
	return k.takeOver(sub, words)
}
