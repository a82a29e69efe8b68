package script

import (
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/framework/script/nox"
	"github.com/org/qa-action/internal/shell"
	"github.com/org/qa-action/internal/wording"
)

var (
	noxDefault = pattern.New(`(?m)^nox\.options\.sessions\s*=\s*([\[(][^\])]*[\])])`)
	noxCall    = pattern.New(`\b(\w+)\s*\(`)
)

// RunNox reads the session.run calls of noxfile.py: those of the named
// sessions, else of the default ones, else of all. A session that only Python
// can tell is run by nox.
func (r *Reader) RunNox(sessions []string, posargs []string, pl Spot) bool {
	data, ok := r.file(path.Join(pl.Dir, "noxfile.py"))
	key := pl.Dir + "\x00nox"
	if !ok || slices.Contains(pl.trail, key) {
		return false
	}
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	all := nox.Sessions(text)
	if m := noxDefault.FindStringSubmatch(text); len(sessions) == 0 && m != nil {
		for _, s := range nox.PyString.FindAllStringSubmatch(m[1], -1) {
			sessions = append(sessions, s[1])
		}
	}
	found, done := false, map[string]bool{}
	var notified []string // by sessions that run
	for again := true; again; {
		again = false
		for _, s := range all {
			wanted := len(sessions) == 0 && !s.Aside || s.Asked(sessions) || s.Asked(notified)
			if !s.Session || done[s.Names[0]] || !wanted {
				continue
			}
			done[s.Names[0]], found = true, true
			in := pl.enter(s.Names[len(s.Names)-1])
			in.trail, in.Source, in.at = append(in.trail, key), "noxfile.py", s.At
			from := len(r.Out)
			next := r.noxSession(s, all, &nox.Body{Param: s.Param, Body: s.Body, Module: text, Posargs: posargs}, in)
			apart(r.Out[from:], len(sessions) > 0)
			notified, again = append(notified, next...), again || len(next) > 0
		}
	}
	return found
}

// noxSession reads one session; next are the sessions that it asks for.
func (r *Reader) noxSession(s nox.Session, all []nox.Session, p *nox.Body, in Spot) (next []string) {
	name := s.Names[len(s.Names)-1]
	if in.Kind != Unknown {
		in.Kind = Check // documentation, releases
	}
	p.Read()
	sub := r.sub()
	for _, run := range p.Runs {
		at := in
		at.Dir = path.Join(in.Dir, run.Dir)
		at.env = append(slices.Clip(in.env), run.Env...)
		if run.Install {
			at.Kind = Preparation
		}
		if at.Dir == ".." || strings.HasPrefix(at.Dir, "../") || path.IsAbs(run.Dir) {
			p.Unread = true
		}
		sub.environment(wording.Command(run.Argv), at)
	}
	for _, m := range noxCall.FindAllStringSubmatch(s.Body, -1) { // another function does it
		for _, o := range all {
			if o.Names[0] == m[1] && !o.Session && strings.Contains(o.Body, ".run(") {
				p.Unread = true
			}
		}
	}
	if slices.ContainsFunc(sub.Out, func(l Leaf) bool { return l.Class == Service }) && !slices.ContainsFunc(sub.Out, Leaf.Testing) {
		r.note(in, "the session "+name+" serves pages and does not end by itself: it is left out")
		return p.Notified
	}
	suites := slices.ContainsFunc(sub.Out, Leaf.Testing)
	for i := range sub.Out {
		l := &sub.Out[i]
		args := r.runners.kept(*l)
		p.Unread = p.Unread || l.Class != Check && strings.Contains(l.Program+strings.Join(args, " "), shell.Unread)
		l.Line = strings.ReplaceAll(l.Line, shell.Unread, "…")
	}
	r.Notes = append(r.Notes, sub.Notes...)
	if !p.Unread || !suites && in.Kind == Check {
		r.Out = append(r.Out, sub.Out...)
		return p.Notified
	}
	r.note(in, "Python alone knows what it runs, and with what: it is run by nox")
	argv := []string{"nox", "-s", name}
	if len(p.Posargs) > 0 {
		argv = append(append(argv, "--"), p.Posargs...)
	}
	r.byTool(in, Unknown, argv...)
	return p.Notified
}

func followNox(k *commandReader, words []shell.Word) ([]shell.Word, bool) {
	var sessions, posargs []string
	for rest := words[1:]; len(rest) > 0; rest = rest[1:] {
		option, value, joined := strings.Cut(rest[0].Text, "=")
		switch {
		case option == "--":
			posargs, rest = shell.Texts(rest[1:]), rest[:1]
		case slices.Contains([]string{"-t", "--tags", "-k", "--keywords", "-f", "--noxfile", "-p", "--python", "--pythons"}, option):
			return k.outcome(words, k.pl.Kind)
		case slices.Contains([]string{"-s", "-e", "--session", "--sessions"}, option):
			if joined {
				sessions = append(sessions, value)
			}
			for len(rest) > 1 && !strings.HasPrefix(rest[1].Text, "-") {
				sessions, rest = append(sessions, rest[1].Text), rest[1:]
			}
		}
	}
	sub := k.r.sub()
	if !sub.RunNox(sessions, posargs, k.pl) {
		return k.outcome(words, k.pl.Kind)
	}
	return k.takeOver(sub, words)
}
