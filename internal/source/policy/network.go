package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
)

// This file decides whom a generated test may talk to: servers that it starts
// itself, on the machine it runs on, when it has reason to.

// Servers are the modules of the language with which a test can talk to a
// server of its own. They are refused like others that reach for the network,
// but a test of code that uses them has reason to.
func Servers(path string) []string {
	l, err := syntax.LanguageOf(path)
	if err != nil {
		return nil
	}
	return slices.Clone(l.Policy.Servers)
}

// Serves reports whether source text uses one of [Servers].
func Serves(path string, src []byte) bool {
	o, err := outline.Parse(path, src)
	if err != nil {
		return false
	}
	servers := Servers(path)
	return slices.ContainsFunc(o.Imports, func(im qa.Import) bool { return contains(servers, im.Path) })
}

// contains takes node:http and http for the same module.
func contains(modules []string, name string) bool {
	return slices.ContainsFunc(modules, func(m string) bool { return strings.TrimPrefix(m, "node:") == strings.TrimPrefix(name, "node:") })
}

// harmless: everything that is imported is on the list.
func harmless(p *language.Policy, im qa.Import) bool {
	if p.Harmless == nil {
		return false
	}
	if p.Harmless.MatchString(im.Path) {
		return true
	}
	return len(im.From) > 0 && !slices.ContainsFunc(im.From, func(name string) bool { return !p.Harmless.MatchString(im.Path + "." + name) })
}

// filling is a place in a text that is filled in.
const filling = `\$?\{[^}]*\}|%\w`

var (
	// own marks text that leads to a server on the same machine.
	own = pattern.New(`\b127\.0\.0\.\d|\blocalhost\b|\[::1\]|\.address\(\)|\bhttptest\.`)
	// host finds the host in a URL, or in text that is nothing but one.
	host = pattern.New(`^\w+://([^/?#\s]+)|^([\w-]+(?:\.[\w-]+)+)(?::\d+)?$`)
	// here are the hosts on the same machine, and places that are filled in.
	here = pattern.New(`^(?:localhost|[\w-]+\.localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\]|` + filling + `)(?::(?:\d+|` + filling + `))?$`)
)

// atHome: a call that reaches for the network is seen to reach for a server on
// the same machine.
func (s *smeller) atHome(n *syntax.Node) bool {
	args := n.Arguments()
	return len(args) > 0 && s.foreign(args[0]) == "" && (own.MatchString(s.Text(args[0])) || mentions(s.Tree, args[0], s.holding(own)))
}

// abroad is the host that a call of a module for the network names, when it is
// another machine.
func (s *smeller) abroad(n *syntax.Node, callee string) string {
	root, _, _ := strings.Cut(callee, ".")
	last := callee[strings.LastIndexByte(callee, '.')+1:]
	if !s.Language.Policy.Dials.MatchString(last) || !s.reachers()[root] {
		return ""
	}
	for _, arg := range n.Arguments() {
		if host := s.foreign(arg); host != "" {
			return host
		}
	}
	return ""
}

// reachers are the names that imports for the network bind.
func (s *smeller) reachers() map[string]bool {
	if s.reach != nil {
		return s.reach
	}
	out := map[string]bool{}
	s.reach = out
	s.Root.Walk(func(n *syntax.Node) bool {
		for _, im := range s.flow.ImportsAt(n) {
			if s.Language.Policy.Imports.MatchString(im.Path) {
				for _, name := range im.Names {
					first, _, _ := strings.Cut(name, ".")
					out[first] = true
				}
			}
		}
		return true
	})
	return out
}

// foreign is the first host in the strings of an expression that is not this
// machine.
func (s *smeller) foreign(n *syntax.Node) string {
	found := ""
	n.Find(func(c *syntax.Node) bool {
		if !c.Is("string", "template_string", "BasicLit") {
			return false
		}
		m := host.FindStringSubmatch(strings.Trim(s.Text(c), "'\"`"))
		if m == nil {
			return false
		}
		if name := m[1] + m[2]; !here.MatchString(name) {
			found = fmt.Sprintf("%q", name)
		}
		return found != ""
	})
	return found
}
