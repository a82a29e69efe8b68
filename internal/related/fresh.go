package related

import (
	"context"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/syntax"
)

// added is a function that its file did not have before the change.
type added struct {
	site    Site
	text    string // without comments and strings
	reached bool
}

// Fresh tells of functions whether nothing that stood before the change leads to them: they
// are new, nothing was called so before, and no line that the change wrote names them but
// in functions that are as new. What such a function does was never done otherwise. One
// that took over what another did is named where that did it.
func Fresh(ctx context.Context, c *Code) func(file, symbol string) bool {
	var all []added
	led, before := map[string]bool{}, map[string]bool{}
	known := func(fns []qa.Function) {
		for _, fn := range fns {
			before[own(fn.Name)] = true
			for _, call := range fn.Calls {
				before[own(call)] = true
			}
		}
	}
	for _, f := range c.o.Change.Files {
		if !syntax.Supported(f.Path) || f.Kind == qa.KindTest {
			continue
		}
		was, _ := c.Parse(f.BasePath(), c.o.Before(ctx, f)) // what cannot be read has none
		known(was.Functions)
		now, src, err := c.parse(f.Path)
		if err != nil || f.Status == qa.Deleted {
			continue
		}
		fns := news(was, now)
		lines := strings.Split(string(Proseless(f.Path, src)), "\n")
		for _, fn := range fns {
			all = append(all, added{site: Site{f.Path, fn.Name}, text: strings.Join(lines[fn.Lines.Start-1:min(fn.Lines.End, len(lines))], "\n")})
		}
		for i, line := range lines {
			inside := slices.ContainsFunc(fns, func(fn qa.Function) bool { return fn.Lines.Contains(i + 1) })
			if !inside && !handing.MatchString(line) && f.Touches(qa.Range{Start: i + 1, End: i + 1}) && !change.IsExample(f.Path) {
				names(led, line)
			}
		}
	}
	whole := Whole(c) // what older code leads to is not known of a part of it
	for _, file := range c.graph().Files() {
		if _, changed := c.o.Change.File(file); !changed {
			known(c.graph().View(file).Functions())
		}
	}
	for more := true; more; {
		more = false
		for i, a := range all {
			if !a.reached && led[own(a.site.Symbol)] {
				all[i].reached, more = true, true
				names(led, a.text)
			}
		}
	}
	return func(file, symbol string) bool {
		a, ok := each.First(all, func(a added) bool { return a.site == Site{file, symbol} })
		return ok && whole && c.o.Change.Base != "" && !c.o.Change.All && !a.reached && !before[own(symbol)] && !implied.MatchString(own(symbol))
	}
}

// news are the functions that a file did not have before; one within an older function is
// a part of that.
func news(was, now qa.Outline) []qa.Function {
	old := func(fn qa.Function) bool {
		return slices.ContainsFunc(was.Functions, func(o qa.Function) bool { return o.Name == fn.Name })
	}
	return each.Where(now.Functions, func(fn qa.Function) bool {
		return !old(fn) && !slices.ContainsFunc(now.Functions, func(o qa.Function) bool {
			return old(o) && o.Lines.Start <= fn.Lines.Start && fn.Lines.End <= o.Lines.End
		})
	})
}

// handing are lines that hand names on and run nothing; implied are functions that run
// without being named.
var (
	handing = pattern.New(`^\s*(?:import|from|use|pub use|package|export\s*[{*]|export\s+default\s+\w+;?\s*$|(?:module\.)?exports\b)`)
	implied = pattern.New(`^(?:__\w+__|constructor|init|main|anonymous@\d+)$`)
)

func names(into map[string]bool, text string) {
	for _, name := range named.FindAllString(text, -1) {
		into[name] = true
	}
}

// own is the last part of a qualified name.
func own(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
