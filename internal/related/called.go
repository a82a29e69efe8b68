package related

import (
	"regexp"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/lineage"
	"github.com/org/qa-action/internal/source/outline"
)

// This file finds what a function runs beside what it calls by name.

// mostHanded is how many functions are shown that changed lines name and do not call.
const mostHanded = 4

// kinOf are the classes above that of a method, which are looked for once.
func kinOf(c *Code, file, method string) []lineage.Class {
	key := Site{file, method[:max(0, strings.LastIndexByte(method, '.'))]}
	known, ok := c.kin.Load(key)
	if !ok {
		known = lineage.Of(source(c), file, method)
		c.kin.Store(key, known)
	}
	return known.([]lineage.Class)
}

// source is the code as lineages are read from it.
func source(c *Code) lineage.Source {
	return lineage.Source{Graph: c.graph(), Read: c.parse}
}

// called are the functions that one calls, or called before the change, those that its
// changed lines hand on, and those of the classes above its own that it calls or stands for.
func called(c *Code, seen Side, symbol string, kin []lineage.Class) []outline.Caller {
	out := c.graph().Callees(seen.Path, symbol, seen.was...)
	more := handedOver(c, seen, symbol)
	if len(kin) > 0 {
		var of []qa.Function
		for _, o := range append([]qa.Outline{{Functions: seen.functions}}, seen.was...) {
			of = append(of, each.Where(o.Functions, func(f qa.Function) bool { return f.Name == symbol })...)
		}
		if len(of) == 0 { // of a file that the change did not write
			of = each.Where(c.graph().View(seen.Path).Functions(), func(f qa.Function) bool { return f.Name == symbol })
		}
		more = append(more, lineage.Methods(source(c), kin, seen.Path, symbol, of)...)
	}
	for _, at := range more {
		same := func(o outline.Caller) bool { return site(o) == site(at) && o.Function.Lines == at.Function.Lines }
		if !slices.ContainsFunc(out, same) && !(at.Path == seen.Path && at.Function.Name == symbol) {
			out = append(out, at)
		}
	}
	return out
}

// handedOver are functions that the changed lines of one name without calling them, such as
// the key of a sort: what runs is these.
func handedOver(c *Code, seen Side, symbol string) (out []outline.Caller) {
	own := each.Where(seen.functions, func(f qa.Function) bool { return f.Name == symbol })
	at, _, written := seen.altered(strings.Split(seen.Source, "\n"))
	inside := each.Where(at[:written], func(n int) bool {
		return slices.ContainsFunc(own, func(f qa.Function) bool { return f.Lines.Contains(n) })
	})
	code := codeLines(c, seen.Path, qa.Range{Start: 1, End: strings.Count(seen.Source, "\n") + 1})
	if len(code) == 0 {
		return nil
	}
	lines := each.Of(inside, func(n int) string { return code[n-1] })
	text := strings.Join(lines, "\n")
	words := named.FindAllString(text, -1)
	local := func(name string) bool {
		return slices.ContainsFunc(own, func(f qa.Function) bool {
			_, typed := f.Types[name]
			return typed || slices.Contains(f.Params, name)
		})
	}
	view := c.graph().View(seen.Path)
	known := view.Known(words)
	for _, file := range append([]string{seen.Path}, view.Files()...) {
		for _, f := range c.graph().View(file).Functions() {
			if f.Test || f.Name == symbol || strings.Contains(f.Name, ".") || !known[f.Name] || len(out) == mostHanded {
				continue
			}
			forms := each.Where(view.Names(file, f.Name), func(form string) bool { return !local(form) && passed(form).MatchString(text) })
			if len(forms) > 0 {
				out = append(out, outline.Caller{Path: file, Function: f})
			}
		}
	}
	return out
}

// of names the class of a method that another one has from it.
func of(kin []lineage.Class, at outline.Caller) string {
	i := strings.LastIndexByte(at.Function.Name, '.')
	if i < 0 || !slices.Contains(kin, lineage.Class{Path: at.Path, Name: own(at.Function.Name[:i])}) {
		return ""
	}
	return ", " + at.Function.Name[:i]
}

// passed finds a name that is handed on: it is called nowhere there, and names no argument.
func passed(name string) *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[^\w$.]|\.\.\.)` + regexp.QuoteMeta(name) + `\s*(?:$|[,;)\]}\n])`)
}

// itself are the parts of an object that a text names through it.
var itself = pattern.New(`\b(?:self|this|cls)\.([\pL_$][\pL\pN_$]*)`)

// inherited is what the classes above a function's own declare, of what its changed lines
// name as a part of the object: the value of a constant decides there as elsewhere.
func inherited(c *Code, seen Side, symbol string, kin []lineage.Class) (out []string) {
	if len(kin) == 0 {
		return nil
	}
	written, gone := seen.alteredIn(symbol)
	names := map[string]bool{}
	for _, m := range itself.FindAllStringSubmatch(strings.Join(slices.Concat(written, gone), "\n"), -1) {
		names[m[1]] = true
	}
	for _, class := range kin {
		if class.Path == seen.Path {
			continue // what is seen of the file has it
		}
		for _, d := range outer(c, class.Path) {
			if names[d.Name] && len(out) < mostNamed && strings.TrimLeft(d.Text, " \t") != d.Text {
				out = each.Added(out, class.Path+": "+d.Text)
			}
		}
	}
	return out
}
