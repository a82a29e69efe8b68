package related

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/declared"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
	"github.com/org/qa-action/internal/wording"
)

// This file says which findings a test of a function can show: those on it, on
// what it calls, and those outside of functions in lines that it uses.

// Bounds of the search.
const (
	reachSteps   = 3    // calls deep
	reachMost    = 40   // functions
	mostUsers    = 4    // of lines outside of functions
	userFiles    = 20   // other files looked at for them
	shownOutside = 1500 // characters of such lines
	most         = 4    // findings shown with one function
	shortestName = 3    // of a function that is found by its name alone
)

// Claimed reports whether a test could show a finding: a defect or weakness that the
// change brought. One that is only suspected is among them: a test that passes on base
// and fails on head settles it.
func Claimed(f qa.Finding) bool {
	defect := slices.Contains(f.Perspectives, qa.Bug) || slices.Contains(f.Perspectives, qa.Security)
	return defect && f.Brought()
}

// claimable reports whether a test is asked to show a finding, which has some weight.
func claimable(f qa.Finding) bool { return Claimed(f) && f.Severity.AtLeast(qa.Medium) }

// Provable are the findings that tests of a function are asked to show, and
// those beneath it, on what it calls, which they may show.
func (c *Code) Provable(f qa.Focus, findings []qa.Finding) (own, beneath []qa.Finding) {
	var called map[Site]bool
	for _, found := range findings {
		if !claimable(found) {
			continue
		}
		switch {
		case found.Path == f.Path && found.Lines.Overlaps(f.Lines), c.Uses(found, f.Path, f.Symbol):
			own = append(own, found)
		case found.Symbol != "":
			if called == nil {
				called = c.Reached(f.Path, f.Symbol)
			}
			if called[Site{found.Path, found.Symbol}] {
				beneath = append(beneath, found)
			}
		}
	}
	return own[:min(len(own), most)], beneath[:min(len(beneath), most)]
}

// Site is a function of a file.
type Site struct{ Path, Symbol string }

func site(at outline.Caller) Site { return Site{at.Path, at.Function.Name} }

// Reached are the functions that a function calls, directly or through others.
func (c *Code) Reached(file, symbol string) map[Site]bool {
	out := map[Site]bool{}
	level := []Site{{file, symbol}}
	for range reachSteps {
		var next []Site
		for _, at := range level {
			for _, to := range append(c.handedOn(at), each.Of(c.graph().Callees(at.Path, at.Symbol), site)...) {
				if !out[to] && to != at && len(out) < reachMost {
					out[to] = true
					next = append(next, to)
				}
			}
		}
		level = next
	}
	return out
}

// Connected reports whether one of two functions runs the other, directly or through
// others. Callers are found where callees are not: a call of a method tells its name, and
// not whose it is.
func Connected(c *Code, a, b Site) bool {
	return a == b || c.Reached(a.Path, a.Symbol)[b] || c.Reached(b.Path, b.Symbol)[a] || above(c, a)[b] || above(c, b)[a]
}

// holding is the function in which another one stands, and which may hand it out.
func holding(c *Code, at Site) []Site {
	i := strings.LastIndexByte(at.Symbol, '.')
	if i < 0 {
		return nil
	}
	around := Site{at.Path, at.Symbol[:i]}
	if !slices.ContainsFunc(c.graph().View(at.Path).Functions(), func(f qa.Function) bool { return f.Name == around.Symbol }) {
		return nil
	}
	return []Site{around}
}

// above are the functions that seem to call a function, directly or through others.
func above(c *Code, at Site) map[Site]bool {
	out := map[Site]bool{}
	level := []Site{at}
	for range reachSteps {
		var next []Site
		for _, at := range level {
			for _, by := range append(holding(c, at), each.Of(c.graph().Callers(at.Path, at.Symbol), site)...) {
				if !out[by] && by != at && len(out) < reachMost {
					out[by] = true
					next = append(next, by)
				}
			}
		}
		level = next
	}
	return out
}

// handedOn are the functions of the same file that a function names without calling
// them, such as the key of a sort. What is named behind a dot is a part of something else.
func (c *Code) handedOn(at Site) []Site {
	parsed, src, err := c.parse(at.Path)
	if err != nil {
		return nil
	}
	text := function(parsed, Proseless(at.Path, src), at.Symbol)
	var out []Site
	for _, f := range parsed.Functions {
		plain := !strings.Contains(f.Name, ".") && len(f.Name) >= shortestName
		if plain && f.Name != at.Symbol && !f.Test && alone(f.Name).MatchString(text) {
			out = append(out, Site{at.Path, f.Name})
		}
	}
	return out
}

// Uses reports whether a finding is outside of functions and a function uses its
// lines.
func (c *Code) Uses(found qa.Finding, file, symbol string) bool {
	return slices.ContainsFunc(c.Users(found), func(u outline.Caller) bool { return u.Path == file && u.Function.Name == symbol })
}

// Users are the functions through which a test reaches a finding outside of
// functions: those of its file that name what its lines declare, or what these
// belong to; else those of files that see it; else those of its file that the
// change touched, or that others may call.
func (c *Code) Users(found qa.Finding) []outline.Caller {
	if found.Symbol != "" {
		return nil
	}
	out, _, parsed := c.using(found.Path, found.Lines)
	if len(out) > 0 {
		return out
	}
	changed, _ := c.o.Change.File(found.Path)
	for _, wanted := range []func(qa.Function) bool{
		func(f qa.Function) bool { return changed.Alters(f.Lines) },
		func(f qa.Function) bool { return f.Exported },
	} {
		for _, f := range parsed.Functions {
			if len(out) < mostUsers && !f.Test && wanted(f) {
				out = append(out, outline.Caller{Path: found.Path, Function: f})
			}
		}
		if len(out) > 0 {
			break
		}
	}
	return out[:min(len(out), mostUsers)]
}

// using are the functions that name what lines outside of functions declare, or what
// these belong to, and the names: in its file, else in files that see it.
func (c *Code) using(file string, lines qa.Range) (out []outline.Caller, names []string, parsed qa.Outline) {
	if lines.Start < 1 || !syntax.Supported(file) {
		return nil, nil, parsed
	}
	parsed, src, err := c.parse(file)
	if err != nil || slices.ContainsFunc(parsed.Functions, func(f qa.Function) bool { return f.Lines.Overlaps(lines) }) {
		return nil, nil, qa.Outline{}
	}
	around := declared.Around(strings.Split(string(src), "\n"), lines)
	for _, names := range around {
		if out := naming(parsed, src, names); len(out) > 0 {
			return out[:min(len(out), mostUsers)], names, parsed
		}
	}
	for _, names := range around {
		for _, other := range seeing(c.graph(), file) {
			if o, text, err := c.parse(other); err == nil {
				out = append(out, naming(o, text, names)...)
			}
		}
		if len(out) > 0 {
			return out[:min(len(out), mostUsers)], names, parsed
		}
	}
	return nil, nil, parsed
}

// parse reads a file and says what is in it.
func (c *Code) parse(file string) (o qa.Outline, src []byte, err error) {
	if src, err = c.o.Read(file); err == nil {
		o, err = c.Parse(file, src)
	}
	return o, src, err
}

// seeing are the files that a file's declarations may be used in.
func seeing(graph *outline.Graph, file string) []string {
	var out []string
	if language.Of(file).Project.FolderIsPackage {
		out = each.Where(graph.Files(), func(f string) bool { return path.Dir(f) == path.Dir(file) })
	}
	out = append(out, graph.Dependents(file)...)
	out = slices.DeleteFunc(out, func(f string) bool { return f == file })
	return out[:min(len(out), userFiles)]
}

// naming are the functions of a file that name one of names, or are methods of
// a class so called.
func naming(o qa.Outline, src []byte, names []string) []outline.Caller {
	lines := strings.Split(string(Proseless(o.Path, src)), "\n")
	var out []outline.Caller
	for _, f := range o.Functions {
		text := strings.Join(lines[max(0, f.Lines.Start-1):min(f.Lines.End, len(lines))], "\n")
		if !f.Test && slices.ContainsFunc(names, func(n string) bool {
			return strings.HasPrefix(f.Name, n+".") || word(n).MatchString(text)
		}) {
			out = append(out, outline.Caller{Path: o.Path, Function: f})
		}
	}
	return out
}

// alone finds a name that is no part of something else, but for one that is spread.
func alone(name string) *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[^\w$.]|\.\.\.)` + regexp.QuoteMeta(name) + `(?:$|[^\w$])`)
}

// word finds one of some names, also as a part of something else.
func word(names ...string) *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[^\w$])` + anyOf(names) + `(?:$|[^\w$])`)
}

func anyOf(names []string) string {
	return "(?:" + strings.Join(each.Of(names, regexp.QuoteMeta), "|") + ")"
}

// Altered are the lines of a finding outside of functions, with the marks of
// what the change wrote and took away.
func (c *Code) Altered(ctx context.Context, found qa.Finding) string {
	const around = 3
	src, err := c.o.Read(found.Path)
	if err != nil {
		return ""
	}
	file, _ := c.o.Change.File(found.Path)
	lines := strings.Split(strings.TrimSuffix(string(src), "\n"), "\n")
	gone := map[int][]string{}
	if before := c.o.Before(ctx, file); before != nil {
		for _, g := range change.Removed(before, src) {
			gone[g.At] = append(gone[g.At], g.Lines...)
		}
	}
	var b strings.Builder
	for n := max(1, found.Lines.Start-around); n <= found.Lines.End+around; n++ {
		b.WriteString(Gone(gone[n]))
		if n > len(lines) {
			break
		}
		mark := " "
		if overlaps(file.Added, n, n) {
			mark = "+"
		}
		fmt.Fprintf(&b, "%s %s\n", mark, lines[n-1])
	}
	return wording.Excerpt(strings.TrimSuffix(b.String(), "\n"), shownOutside)
}
