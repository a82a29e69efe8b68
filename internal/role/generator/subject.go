package generator

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
	"github.com/org/qa-action/internal/source/outline"
)

// subject collects what a test of a function needs to know.
func (w Writer) subject(ctx context.Context, layer qa.Layer, f qa.Focus, k Known) (Subject, error) {
	src, err := w.Read(f.Path)
	if err != nil {
		return Subject{}, err
	}
	name, ok := k.Framework(f.Path)
	if !ok {
		return Subject{}, fmt.Errorf("no test target holds %s", f.Path)
	}
	adapter, err := framework.For(name)
	if err != nil {
		return Subject{}, err
	}
	parsed, err := outline.Parse(f.Path, src)
	if err != nil {
		return Subject{}, err
	}
	tests := slices.DeleteFunc(slices.Clone(k.Tests), func(p string) bool { return !adapter.IsTest(p) })
	s := Subject{
		Layer: layer, Framework: name, Conventions: k.Strategy.Conventions, Focus: f,
		Package: parsed.Package, Source: excerpt(string(src), f.Lines), Callees: related.Cut(w.Code.Callees(f.Path, f.Symbol, false), shownAround),
		TestPath: adapter.TestPath(f.Path, tests), Survivors: k.living(f), Title: w.Change.Title, Body: w.Change.Body,
		Instructions: w.Config.InstructionsFor(f.Path),
	}
	s.Before, s.Former = w.Code.Earlier(ctx, f, src)
	s.Callers = related.Cut(w.Code.Callers(f.Path, f.Symbol), shownAround)
	existing, err := w.Read(s.TestPath)
	if text, ok := k.Written[s.TestPath]; ok {
		existing, err = []byte(text), nil
	}
	if err == nil {
		s.TestFile = related.Cut(string(existing), shownTests)
	} else {
		for _, example := range k.Strategy.Conventions.Examples {
			if text, err := w.Read(example); err == nil && path.Ext(example) == path.Ext(s.TestPath) {
				s.Example = related.Cut(string(text), shownTests/2)
				break
			}
		}
	}
	s.Findings, s.Beneath = w.Code.Provable(f, k.Findings)
	s.Outside = map[string]string{}
	for _, found := range s.Findings {
		if found.Path != f.Path || !found.Lines.Overlaps(f.Lines) {
			s.Outside[found.ID] = w.Code.Altered(ctx, found)
		}
	}
	return s, nil
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
