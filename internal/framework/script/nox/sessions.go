// Package nox reads a noxfile.py as far as its sessions can be told without
// Python.
package nox

import (
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"
)

// Session is a function of noxfile.py that takes a session.
type Session struct {
	Names       []string
	Param, Body string
	At          int  // the line in which its function begins
	Session     bool // it has the decorator; else others call it
	Aside       bool // not run unless it is asked for
}

// Sessions finds the functions of a noxfile.
func Sessions(text string) []Session {
	var out []Session
	for _, at := range noxDef.FindAllStringSubmatchIndex(text, maxSessions) {
		above := decorators(text[:at[0]])
		s := Session{At: 1 + strings.Count(text[:at[0]], "\n"), Names: []string{text[at[2]:at[3]]}, Param: text[at[4]:at[5]], Session: noxIs.MatchString(above), Aside: noxAside.MatchString(above)}
		if m := noxName.FindStringSubmatch(above); m != nil {
			s.Names = append(s.Names, m[1])
		}
		s.Body = indented(text[at[1]:])
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

// Asked reports whether a session is among those that were named; "tests-3.12"
// is a session of tests.
func (s Session) Asked(names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		plain, _, _ := strings.Cut(n, "(")
		return slices.ContainsFunc(s.Names, func(own string) bool { return own == plain || strings.HasPrefix(plain, own+"-") })
	})
}

var (
	noxDef   = pattern.New(`(?m)^(?:async\s+)?def\s+(\w+)\s*\(\s*(\w*)`)
	noxIs    = pattern.New(`@[\w.]*session\b`)
	noxName  = pattern.New(`\bname\s*=\s*["']([\w.-]+)["']`)
	noxAside = pattern.New(`\bdefault\s*=\s*False\b`)
	noxEnv   = pattern.New(`^\[\s*["'](\w+)["']\s*\]\s*=\s*(.+)$`)
)

// maxSessions bounds what is looked at of one file.
const maxSessions = 640
