package generator

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
	"github.com/org/qa-action/internal/source/mutant"
	"github.com/org/qa-action/internal/source/versions"
	"github.com/org/qa-action/internal/wording"
)

// subject collects what a test of a function needs to know.
func (w Writer) subject(ctx context.Context, layer qa.Layer, f qa.Focus, k Known) (Subject, error) {
	src, err := w.Read(f.Path)
	if err != nil {
		return Subject{}, err
	}
	suite, ok := k.Suite(f.Path)
	if !ok {
		return Subject{}, fmt.Errorf("no test target holds %s", f.Path)
	}
	adapter, err := framework.For(suite.Framework)
	if err != nil {
		return Subject{}, err
	}
	parsed, err := w.Code.Parse(f.Path, src)
	if err != nil {
		return Subject{}, err
	}
	tests := slices.DeleteFunc(slices.Clone(k.Tests), func(p string) bool { return !adapter.IsTest(p) })
	altered, changed := w.Change.File(f.Path)
	if !changed {
		altered.Path = f.Path
	}
	file, _ := w.Code.Side(ctx, altered, src, f.Lines)
	s := Subject{
		Layer: layer, Framework: suite.Framework, Language: w.language(f.Path, suite), Conventions: k.Strategy.Conventions, Focus: f,
		TestPlace: w.place(w.testPath(f, inlined(f.Path, adapter.TestPath(f.Path, tests), tests), tests, suite, k), f, []string{f.Symbol}, k), Claims: w.claims(ctx, f, file, k),
		Words: w.Words(ctx), Instructions: w.Config.InstructionsFor(f.Path), Learnt: w.learnt(f.Path), Twins: k.twins(f),
		Surroundings: Surroundings{
			Package: parsed.Package, File: file,
			Callees: wording.Excerpt(w.Code.Callees(file, f.Symbol), shownAround), Callers: wording.Excerpt(w.Code.Callers(file, f.Symbol), shownAround),
			Public: related.Public(w.Code.Graph(), f.Path, f.Symbol),
		},
	}
	if versions.Dated(file.Text()) {
		s.Release = versions.Project(w.Read, f.Path)
	}
	s.Tested = untold(s.Tested, s.TestPlace, w.Change.Of(qa.KindTest))
	s.Conventions.Version = suite.Version
	s.Became, s.Former = w.Code.Earlier(ctx, f, src)
	if layer == qa.L2 {
		return s, w.crossing(&s, w.entries(f, k), adapter, k)
	}
	return s, nil
}

// untold is what a change wrote into its test files without the part of the one that tests go
// to, where that file is shown with all of it.
func untold(told string, shown TestPlace, tests []qa.FileChange) string {
	from := strings.Index("\n"+told, "\n"+shown.TestPath+":\n")
	if from < 0 {
		return told
	}
	own := from + len(shown.TestPath) + len(":\n")
	end := len(told)
	for _, f := range tests {
		if next := strings.Index(told[own-1:], "\n"+f.Path+":\n"); next >= 0 {
			end = min(end, own+next)
		}
	}
	if !holdsAll(shown.TestFile, strings.TrimRight(told[own:end], "\n")) {
		return told
	}
	return strings.TrimRight(told[:from]+told[end:], "\n")
}

// holdsAll reports whether a text has all of some lines.
func holdsAll(text, lines string) bool {
	all := each.Set(strings.Split(text, "\n"))
	return !slices.ContainsFunc(strings.Split(lines, "\n"), func(line string) bool { return !all[line] })
}

// language is what a test of a file has to be written in: of Go what its module asks for,
// which the toolchain holds it to.
func (w Writer) language(file string, suite Suite) string {
	if v := versions.Go(w.Read, file); v != "" {
		return "Go " + v
	}
	return suite.Language
}

// inlined is the source file itself, in a language whose tests may stand there and where
// the project has no file of tests for it: what is private can be tested there alone.
func inlined(source, usual string, tests []string) string {
	if language.Of(source).HasInline(source) && !slices.Contains(tests, usual) {
		return source
	}
	return usual
}

// testPath is where the tests of a function go: to those that call it already, in a
// file of the same suite; else where the project would put them.
func (w Writer) testPath(f qa.Focus, usual string, tests []string, own Suite, k Known) string {
	if _, written := k.Written[usual]; written {
		return usual
	}
	for _, file := range w.Code.TestsOf(f.Path, f.Symbol, tests) {
		if suite, ok := k.Suite(file); file == usual || ok && suite == own {
			return file
		}
	}
	return usual
}

// place shows of a test file, with what was kept so far, what matters for functions, of
// which f is the first, or else of one beside it.
func (w Writer) place(name string, f qa.Focus, symbols []string, k Known) TestPlace {
	text, err := w.Read(name)
	if written, ok := k.Written[name]; ok {
		text, err = []byte(written), nil
	}
	if err != nil {
		return TestPlace{TestPath: name, Examples: w.examples(name, f, k)}
	}
	return TestPlace{TestPath: name, TestFile: related.Shown(w.Code, name, text, symbols, shownTests+moreTests*(len(symbols)-1))}
}

// examples are the nearest test files, for style: those that test what calls the
// function, which have it in their hands already, and those nearest to the change. The
// first one is shown, of the others how they begin.
func (w Writer) examples(name string, f qa.Focus, k Known) []string {
	var near []string
	for _, at := range w.Code.Graph().Callers(f.Path, f.Symbol) {
		near = append(near, w.Code.TestsOf(at.Path, at.Function.Name, k.Tests)...)
	}
	var out, shown []string
	for _, file := range append(near, k.Strategy.Conventions.Examples...) {
		text, err := w.Read(file)
		if err != nil || path.Ext(file) != path.Ext(name) || slices.Contains(shown, file) || len(shown) == examples {
			continue
		}
		most := shownTests / 2
		if len(shown) > 0 {
			most = shownBegin
		}
		out, shown = append(out, related.Example(w.Code, file, text, f.Symbol, most)), append(shown, file)
	}
	return out
}

// distance of a finding is 0 in the file of a function, 1 in its folder.
func distance(found qa.Finding, f qa.Focus) int {
	switch {
	case found.Path == f.Path:
		return 0
	case path.Dir(found.Path) == path.Dir(f.Path):
		return 1
	}
	return 2
}

func (w Writer) claims(ctx context.Context, f qa.Focus, file related.Side, k Known) Claims {
	out := Claims{Outside: map[string]string{}, Critique: k.critique(f)}
	seen := shownLines(file)
	out.Survivors, out.Settled = k.offered(f), k.settled(f)
	out.Wrong = each.Of(out.Survivors, func(m mutant.Mutant) string { return wrong(m, seen, f.Lines) })
	out.Findings, out.Beneath = w.Code.Provable(f, k.asked())
	for _, all := range [][]qa.Finding{out.Findings, out.Beneath} {
		for i := range all {
			all[i].Quote = w.quote(ctx, all[i])
			if all[i].Path == f.Path {
				all[i].Quote = seen.placed(all[i], f.Lines)
			}
		}
	}
	for _, found := range k.Findings {
		own := slices.ContainsFunc(slices.Concat(out.Findings, out.Beneath), func(o qa.Finding) bool { return o.ID == found.ID })
		if !own && related.Claimed(found) {
			out.Elsewhere = append(out.Elsewhere, found)
		}
	}
	slices.SortStableFunc(out.Elsewhere, func(a, b qa.Finding) int { return cmp.Compare(distance(a, f), distance(b, f)) })
	out.Elsewhere = out.Elsewhere[:min(len(out.Elsewhere), elsewhere)]
	for _, found := range out.Findings {
		if found.Path != f.Path || !found.Lines.Overlaps(f.Lines) {
			out.Outside[found.ID] = w.Code.Altered(ctx, found)
		}
	}
	return out
}
