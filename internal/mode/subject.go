package mode

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
	"github.com/org/qa-action/internal/role/generator"
	"github.com/org/qa-action/internal/source"
)

// subject collects what a test of a function needs to know.
func (r *run) subject(ctx context.Context, layer qa.Layer, f qa.Focus) (generator.Subject, error) {
	src, err := r.Read(f.Path)
	if err != nil {
		return generator.Subject{}, err
	}
	target, ok := r.own().Of(f.Path)
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
	tests := slices.DeleteFunc(r.own().TestFiles(), func(p string) bool { return !adapter.IsTest(p) })
	s := generator.Subject{
		Layer: layer, Framework: target.Framework.Framework, Conventions: r.strategy.Conventions, Focus: f,
		Package: outline.Package, Source: excerpt(string(src), f.Lines), Callees: related.Cut(r.code.Callees(f.Path, f.Symbol, false), shownAround),
		TestPath: adapter.TestPath(f.Path, tests), Survivors: r.living(f), Title: r.Change.Title, Body: r.Change.Body,
		Instructions: r.instructions(f.Path),
	}
	s.Before, s.Former = r.code.Earlier(ctx, f, src)
	s.Callers = related.Cut(r.code.Callers(f.Path, f.Symbol), shownAround)
	if existing, err := r.readTest(s.TestPath); err == nil {
		s.TestFile = related.Cut(string(existing), shownTests)
	} else {
		for _, example := range r.strategy.Conventions.Examples {
			if text, err := r.Read(example); err == nil && path.Ext(example) == path.Ext(s.TestPath) {
				s.Example = related.Cut(string(text), shownTests/2)
				break
			}
		}
	}
	s.Findings, s.Beneath = r.code.Provable(f, r.findings(r.gaps))
	s.Outside = map[string]string{}
	for _, found := range s.Findings {
		if found.Path != f.Path || !found.Lines.Overlaps(f.Lines) {
			s.Outside[found.ID] = r.code.Altered(ctx, found)
		}
	}
	return s, nil
}

// readTest gives a test file with what was accepted so far.
func (r *run) readTest(name string) ([]byte, error) {
	if text, ok := r.written[name]; ok {
		return []byte(text), nil
	}
	return r.Read(name)
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
