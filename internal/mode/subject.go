package mode

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/role/generator"
	"github.com/org/qa-action/internal/source"
)

// subject collects what a test of a function needs to know.
func (r *run) subject(ctx context.Context, layer qa.Layer, f qa.Focus) (generator.Subject, error) {
	src, err := r.read(f.Path)
	if err != nil {
		return generator.Subject{}, err
	}
	target, ok := r.base.targetOf(f.Path)
	if !ok {
		return generator.Subject{}, fmt.Errorf("no test target holds %s", f.Path)
	}
	adapter, err := framework.For(target.Framework.Framework)
	if err != nil {
		return generator.Subject{}, err
	}
	outline, err := source.Parse(f.Path, src)
	if err != nil {
		return generator.Subject{}, err
	}
	tests := slices.DeleteFunc(r.base.testFiles(), func(p string) bool { return !adapter.IsTest(p) })
	s := generator.Subject{
		Layer: layer, Framework: target.Framework.Framework, Conventions: r.strategy.Conventions, Focus: f,
		Package: outline.Package, Source: excerpt(string(src), f.Lines), Callees: limit(r.callees(f.Path, f.Symbol, false), shownAround),
		TestPath: adapter.TestPath(f.Path, tests), Survivors: r.living(f), Title: r.Change.Title, Body: r.Change.Body,
		Instructions: r.instructions(f.Path),
	}
	s.Before, s.Former = r.earlierOf(ctx, f, src)
	s.Callers = limit(r.callers(f.Path, f.Symbol), shownAround)
	if existing, err := r.readTest(s.TestPath); err == nil {
		s.TestFile = limit(string(existing), shownTests)
	} else {
		for _, example := range r.strategy.Conventions.Examples {
			if text, err := r.read(example); err == nil && path.Ext(example) == path.Ext(s.TestPath) {
				s.Example = limit(string(text), shownTests/2)
				break
			}
		}
	}
	s.Findings, s.Beneath = r.provable(f)
	s.Outside = map[string]string{}
	for _, found := range s.Findings {
		if found.Path != f.Path || !found.Lines.Overlaps(f.Lines) {
			s.Outside[found.ID] = r.altered(ctx, found)
		}
	}
	return s, nil
}

// earlierOf is what a function was before the change, empty when it is the same;
// and of a new one what calls it now.
func (r *run) earlierOf(ctx context.Context, f qa.Focus, src []byte) (before, former string) {
	if _, changed := r.Change.File(f.Path); !changed || r.Change.Base == "" {
		return "", ""
	}
	switch before = r.onBase(ctx, f.Path, f.Symbol); before {
	case "":
		return "", limit(r.former(ctx, f), shownAround)
	case same(f.Path, src, f.Symbol):
		return "", ""
	}
	return before, ""
}

// onBase is the text on base of a function of a changed file, empty when it had
// none.
func (r *run) onBase(ctx context.Context, path, symbol string) string {
	file, ok := r.Change.File(path)
	if !ok || r.Change.Base == "" {
		return ""
	}
	return same(file.BasePath(), r.before(ctx, file), symbol)
}

// former is what calls a new function as it was before the change: what was
// taken out of there is what the new function has to do.
func (r *run) former(ctx context.Context, f qa.Focus) string {
	var out []string
	for _, c := range r.imports().Callers(f.Path, f.Symbol) {
		src, err := r.read(c.Path)
		if err != nil || c.Function.Test {
			continue
		}
		if before := r.onBase(ctx, c.Path, c.Function.Name); before != "" && before != same(c.Path, src, c.Function.Name) {
			out = append(out, c.Path+"\n"+before)
		}
	}
	return strings.Join(out, "\n\n")
}

// before is a changed file's text on base, empty when it has none.
func (r *run) before(ctx context.Context, f qa.FileChange) []byte {
	if r.Change.Base == "" || f.Status == qa.Added {
		return nil
	}
	text, err := r.Content(ctx, r.Change.Base, f.BasePath())
	if err != nil {
		return nil
	}
	return text
}

// readTest gives a test file with what was accepted so far.
func (r *run) readTest(name string) ([]byte, error) {
	if text, ok := r.written[name]; ok {
		return []byte(text), nil
	}
	return r.read(name)
}

// targetOf is the target whose directory holds a path most closely.
func (b *baseline) targetOf(file string) (executor.Target, bool) {
	best, found := executor.Target{}, false
	for _, t := range b.targets {
		dir := t.Dir
		if dir == "." {
			dir = ""
		}
		inside := dir == "" || strings.HasPrefix(file, dir+"/")
		if inside && (!found || len(dir) > len(best.Dir)) {
			best, found = t, true
		}
	}
	return best, found
}

func limit(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "") + "\n…"
}

// excerpt is a small file whole, else its head and the function.
func excerpt(src string, fn qa.Range) string {
	lines := strings.Split(src, "\n")
	if len(lines) <= wholeFile {
		return src
	}
	head := min(40, fn.Start-1)
	return strings.Join(slices.Concat(lines[:head], []string{"…"}, lines[fn.Start-1:min(fn.End, len(lines))]), "\n")
}

// same is a function's text in a file.
func same(file string, src []byte, symbol string) string {
	outline, err := source.Parse(file, src)
	if err != nil {
		return ""
	}
	lines := strings.Split(string(src), "\n")
	for _, fn := range outline.Functions {
		if fn.Name == symbol && fn.Lines.End <= len(lines) {
			return strings.Join(lines[fn.Lines.Start-1:fn.Lines.End], "\n")
		}
	}
	return ""
}
