package framework

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

var (
	noxDef     = regexp.MustCompile(`(?m)^(?:async\s+)?def\s+(\w+)\s*\(\s*(\w*)`)
	noxIs      = regexp.MustCompile(`@[\w.]*session\b`)
	noxName    = regexp.MustCompile(`\bname\s*=\s*["']([\w.-]+)["']`)
	noxAside   = regexp.MustCompile(`\bdefault\s*=\s*False\b`)
	noxDefault = regexp.MustCompile(`(?m)^nox\.options\.sessions\s*=\s*([\[(][^\])]*[\])])`)
	noxCall    = regexp.MustCompile(`\b(\w+)\s*\(`)
	noxEnv     = regexp.MustCompile(`^\[\s*["'](\w+)["']\s*\]\s*=\s*(.+)$`)
)

// noxSession is a function of noxfile.py that takes a session.
type noxSession struct {
	names       []string
	param, body string
	session     bool // it has the decorator; else others call it
	aside       bool // not run unless it is asked for
}

// noxSessions finds the functions of a noxfile.
func noxSessions(text string) []noxSession {
	var out []noxSession
	for _, at := range noxDef.FindAllStringSubmatchIndex(text, 10*maxLeaves) {
		above := decorators(text[:at[0]])
		s := noxSession{names: []string{text[at[2]:at[3]]}, param: text[at[4]:at[5]], session: noxIs.MatchString(above), aside: noxAside.MatchString(above)}
		if m := noxName.FindStringSubmatch(above); m != nil {
			s.names = append(s.names, m[1])
		}
		s.body = indented(text[at[1]:])
		out = append(out, s)
	}
	return out
}

// decorators are the lines right above a function.
func decorators(before string) string {
	lines := strings.Split(strings.TrimSuffix(before, "\n"), "\n")
	from := len(lines)
	for from > 0 && lines[from-1] != "" && strings.IndexByte("@)] \t#", lines[from-1][0]) >= 0 {
		from--
	}
	return strings.Join(lines[from:], "\n")
}

// indented is the body of a function whose head begins a text.
func indented(text string) string {
	_, rest, _ := strings.Cut(text, "\n")
	end := 0
	for _, line := range strings.SplitAfter(rest, "\n") {
		if trimmed := strings.TrimSpace(line); trimmed != "" && strings.IndexByte(" \t#)]", line[0]) < 0 {
			break
		}
		end += len(line)
	}
	return rest[:end]
}

// asked reports whether a session is among those that were named; "tests-3.12"
// is a session of tests.
func (s noxSession) asked(names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		plain, _, _ := strings.Cut(n, "(")
		return slices.ContainsFunc(s.names, func(own string) bool { return own == plain || strings.HasPrefix(plain, own+"-") })
	})
}

// runNox reads the session.run calls of noxfile.py: those of the named
// sessions, else of the default ones, else of all. A session that only Python
// can tell is run by nox.
func (r *reader) runNox(sessions []string, posargs []string, pl spot) bool {
	data, ok := r.file(path.Join(pl.dir, "noxfile.py"))
	key := pl.dir + "\x00nox"
	if !ok || slices.Contains(pl.trail, key) {
		return false
	}
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	all := noxSessions(text)
	if m := noxDefault.FindStringSubmatch(text); len(sessions) == 0 && m != nil {
		for _, s := range pyString.FindAllStringSubmatch(m[1], -1) {
			sessions = append(sessions, s[1])
		}
	}
	found, done := false, map[string]bool{}
	var notified []string // by sessions that run
	for again := true; again; {
		again = false
		for _, s := range all {
			wanted := len(sessions) == 0 && !s.aside || s.asked(sessions) || s.asked(notified)
			if !s.session || done[s.names[0]] || !wanted {
				continue
			}
			done[s.names[0]], found = true, true
			next := r.noxSession(s, all, text, posargs, key, pl)
			notified, again = append(notified, next...), again || len(next) > 0
		}
	}
	return found
}

// noxSession reads one session; next are the sessions that it asks for.
func (r *reader) noxSession(s noxSession, all []noxSession, text string, posargs []string, key string, pl spot) (next []string) {
	name := s.names[len(s.names)-1]
	in := pl.enter(name)
	in.trail, in.source = append(in.trail, key), "noxfile.py"
	if in.kind != unknown {
		in.kind = check // documentation, releases
	}
	p := &pySession{param: s.param, body: s.body, module: text, posargs: posargs}
	p.read()
	sub := r.sub()
	for _, run := range p.runs {
		at := in
		at.dir = path.Join(in.dir, run.dir)
		at.env = append(slices.Clip(in.env), run.env...)
		if run.install {
			at.kind = preparation
		}
		if at.dir == ".." || strings.HasPrefix(at.dir, "../") || path.IsAbs(run.dir) {
			p.unread = true
		}
		sub.environment(quoted(run.argv), at)
	}
	for _, m := range noxCall.FindAllStringSubmatch(s.body, -1) { // another function does it
		for _, o := range all {
			if o.names[0] == m[1] && !o.session && strings.Contains(o.body, ".run(") {
				p.unread = true
			}
		}
	}
	suites := slices.ContainsFunc(sub.out, leaf.testing)
	for i := range sub.out {
		l := &sub.out[i]
		args := l.args
		if l.framework == pytest.Name {
			args = without(args, pytestDropped)
		}
		p.unread = p.unread || l.class != check && strings.Contains(l.program+strings.Join(args, " "), toxUnread)
		l.line = strings.ReplaceAll(l.line, toxUnread, "…")
	}
	r.notes = append(r.notes, sub.notes...)
	if !p.unread || !suites && in.kind == check {
		r.out = append(r.out, sub.out...)
		return p.notified
	}
	r.note(in, "Python alone knows what it runs, and with what: it is run by nox")
	l := r.leaf(in)
	l.program, l.args, l.argv, l.plain, l.class = "nox", []string{"-s", name}, []string{"nox", "-s", name}, true, unknown
	if len(posargs) > 0 {
		l.args = append(append(l.args, "--"), posargs...)
		l.argv = append([]string{"nox"}, l.args...)
	}
	l.line = quoted(l.argv)
	r.out = append(r.out, l)
	return p.notified
}

func followNox(k *commandReader, words []word) ([]word, bool) {
	var sessions, posargs []string
	for rest := words[1:]; len(rest) > 0; rest = rest[1:] {
		option, value, joined := strings.Cut(rest[0].text, "=")
		switch {
		case option == "--":
			posargs, rest = texts(rest[1:]), rest[:1]
		case slices.Contains([]string{"-t", "--tags", "-k", "--keywords", "-f", "--noxfile", "-p", "--python", "--pythons"}, option):
			return k.outcome(words, k.pl.kind)
		case slices.Contains([]string{"-s", "-e", "--session", "--sessions"}, option):
			if joined {
				sessions = append(sessions, value)
			}
			for len(rest) > 1 && !strings.HasPrefix(rest[1].text, "-") {
				sessions, rest = append(sessions, rest[1].text), rest[1:]
			}
		}
	}
	sub := k.r.sub()
	if !sub.runNox(sessions, posargs, k.pl) {
		return k.outcome(words, k.pl.kind)
	}
	return k.takeOver(sub, words)
}
