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
		TestPlace: w.place(adapter.TestPath(f.Path, tests), k), Claims: w.claims(ctx, f, k),
		Title: w.Change.Title, Body: w.Change.Body, Instructions: w.Config.InstructionsFor(f.Path), Learnt: w.learnt(f.Path),
		Surroundings: Surroundings{
			Package: parsed.Package, Source: excerpt(string(src), f.Lines),
			Callees: related.Excerpt(w.Code.Callees(f.Path, f.Symbol, false), shownAround), Callers: related.Excerpt(w.Code.Callers(f.Path, f.Symbol), shownAround),
		},
	}
	s.Before, s.Former = w.Code.Earlier(ctx, f, src)
	return s, nil
}

// place shows a test file as it is with what was kept so far, or else one beside
// it.
func (w Writer) place(name string, k Known) TestPlace {
	if text, ok := k.Written[name]; ok {
		return TestPlace{TestPath: name, TestFile: related.Excerpt(text, shownTests)}
	}
	if text, err := w.Read(name); err == nil {
		return TestPlace{TestPath: name, TestFile: related.Excerpt(string(text), shownTests)}
	}
	for _, example := range k.Strategy.Conventions.Examples {
		if text, err := w.Read(example); err == nil && path.Ext(example) == path.Ext(name) {
			return TestPlace{TestPath: name, Example: related.Excerpt(string(text), shownTests/2)}
		}
	}
	return TestPlace{TestPath: name}
}

func (w Writer) claims(ctx context.Context, f qa.Focus, k Known) Claims {
	out := Claims{Outside: map[string]string{}, Survivors: k.living(f)}
	out.Findings, out.Beneath = w.Code.Provable(f, k.Findings)
	for _, found := range out.Findings {
		if found.Path != f.Path || !found.Lines.Overlaps(f.Lines) {
			out.Outside[found.ID] = w.Code.Altered(ctx, found)
		}
	}
	return out
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
