package mode

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/llm"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/role/generator"
	"github.com/org/qa-action/internal/role/scout"
	"github.com/org/qa-action/internal/scan"
	"github.com/org/qa-action/internal/source"
)

// Bounds of what one request shows a model.
const (
	wholeFile   = 220  // lines up to which a file is shown whole
	shownTests  = 8000 // characters of an existing test file
	perRound    = 6    // functions asked about per round
	graphFiles  = 400  // files looked at for callers
	graphBytes  = 512 << 10
	scannedFile = 40000 // characters of a file in a scan
)

// modelScan adds a model's findings to the engines'. A model that fails leaves
// what it found until then; the manifest says so.
func (r *run) modelScan(ctx context.Context, req scan.Request) (scan.Result, error) {
	m := scout.Model{
		Ask: func(ctx context.Context, q llm.Request) (scout.Reply, error) {
			return llm.Ask[scout.Reply](ctx, r.Model, q)
		},
		Refute: func(ctx context.Context, q llm.Request) (scout.Judgement, error) {
			return llm.Ask[scout.Judgement](ctx, r.Model, q)
		},
	}
	in := scout.Input{Perspectives: r.modelPerspectives(), Title: r.Change.Title, Body: r.Change.Body}
	for _, f := range r.Change.Of(qa.KindSource) {
		src, err := r.read(f.Path)
		if err != nil || len(src) > scannedFile || f.Binary {
			continue
		}
		in.Files = append(in.Files, scout.File{Path: f.Path, Source: string(src), Added: f.Added})
		in.Instructions = r.instructions(f.Path)
	}
	if len(in.Files) == 0 {
		return scan.Result{}, nil
	}
	found, err := m.Scan(ctx, in)
	if err != nil {
		fmt.Fprintf(r.Progress, "model: %v\n", err)
	}
	res, err := scan.Settle(req, found.Hits)
	if err != nil {
		return res, err
	}
	res.Engines = []qa.Engine{{Name: "model", State: "ran", Findings: len(found.Hits), Reason: dropped(found.Dropped)}}
	return res, nil
}

func dropped(claims []string) string {
	if len(claims) == 0 {
		return ""
	}
	return fmt.Sprintf("%d claims did not survive", len(claims))
}

// modelPerspectives leaves test coverage to measurement.
func (r *run) modelPerspectives() []qa.Perspective {
	return slices.DeleteFunc(slices.Clone(r.Config.Perspectives), func(p qa.Perspective) bool { return p == qa.TestCoverage })
}

// instructions are the maintainers' words for a path.
func (r *run) instructions(file string) string {
	var out []string
	for _, i := range r.Config.Instructions {
		if ok, err := doublestar.Match(i.Paths, file); err == nil && ok {
			out = append(out, i.Text)
		}
	}
	return strings.Join(out, "\n")
}

// write asks the model for tests of the riskiest functions of a round.
func (r *run) writeTests(ctx context.Context, row Row, round int) ([]generator.Candidate, error) {
	m := generator.Model{Ask: func(ctx context.Context, q llm.Request) (generator.Reply, error) {
		return llm.Ask[generator.Reply](ctx, r.Model, q)
	}}
	var subjects []generator.Subject
	for _, f := range r.round(round) {
		s, err := r.subject(ctx, row.Layer, f)
		if err != nil {
			r.warn("no tests for %s: %v", f.Symbol, err)
			continue
		}
		s.Round = round
		subjects = append(subjects, s)
	}
	return m.Write(ctx, subjects)
}

// round picks the functions of a round: the riskiest first, in later rounds
// those that still have uncovered lines or living mutants.
func (r *run) round(n int) []qa.Focus {
	var open []qa.Focus
	for _, f := range r.strategy.Focus {
		if n == 0 || len(r.openLines(f)) > 0 || len(r.living(f)) > 0 {
			f.Uncovered = r.openLines(f)
			open = append(open, f)
		}
	}
	return open[:min(len(open), perRound)]
}

// openLines are the uncovered changed lines of a function that no accepted
// test covers.
func (r *run) openLines(f qa.Focus) []qa.Range {
	var out []int
	for _, u := range f.Uncovered {
		for line := u.Start; line <= u.End; line++ {
			if !slices.Contains(r.gained[f.Path], line) {
				out = append(out, line)
			}
		}
	}
	return qa.Ranges(out)
}

// living describes the mutants of a function that nobody killed.
func (r *run) living(f qa.Focus) []string {
	var out []string
	for _, m := range r.mutants {
		if m.Path == f.Path && f.Lines.Contains(m.Line) && !r.killed[m.ID] {
			out = append(out, fmt.Sprintf("line %d: %s becomes %s", m.Line, m.Original, m.Replacement))
		}
	}
	return out
}

// subject collects what a test of a function needs to know.
func (r *run) subject(ctx context.Context, layer qa.Layer, f qa.Focus) (generator.Subject, error) {
	src, err := r.read(f.Path)
	if err != nil {
		return generator.Subject{}, err
	}
	target, ok := r.targetOf(f.Path)
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
		Package: outline.Package, Source: excerpt(string(src), f.Lines), Callees: callees(outline, f.Symbol),
		TestPath: adapter.TestPath(f.Path, tests), Survivors: r.living(f), Title: r.Change.Title, Body: r.Change.Body,
		Instructions: r.instructions(f.Path),
	}
	if file, ok := r.Change.File(f.Path); ok && r.Change.Base != "" {
		if before, err := r.Content(ctx, r.Change.Base, file.BasePath()); err == nil {
			s.Before = same(file.BasePath(), before, f.Symbol)
		}
	}
	s.Callers = r.callers(f)
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
	for _, found := range r.findings(r.gaps) {
		if slices.Contains(f.Findings, found.ID) && found.Severity.AtLeast(qa.High) {
			s.Findings = append(s.Findings, found)
		}
	}
	return s, nil
}

// readTest gives a test file with what was accepted so far.
func (r *run) readTest(name string) ([]byte, error) {
	if text, ok := r.written[name]; ok {
		return []byte(text), nil
	}
	return r.read(name)
}

// targetOf is the target whose directory holds a path most closely.
func (r *run) targetOf(file string) (executor.Target, bool) {
	best, found := executor.Target{}, false
	for _, t := range r.base.targets {
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

// same is a function's text on base.
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

// callees are the signatures of the file's own functions that one calls.
func callees(outline qa.Outline, symbol string) string {
	var calls []string
	for _, fn := range outline.Functions {
		if fn.Name == symbol {
			calls = fn.Calls
		}
	}
	var out []string
	for _, fn := range outline.Functions {
		if fn.Name != symbol && slices.Contains(calls, fn.Name) {
			out = append(out, strings.TrimSpace(fn.Doc+"\n"+fn.Signature))
		}
	}
	return strings.Join(out, "\n\n")
}

// callers are up to five lines that call the function.
func (r *run) callers(f qa.Focus) string {
	var out []string
	for _, c := range r.imports().Callers(f.Path, f.Symbol) {
		if len(out) == 5 {
			break
		}
		out = append(out, fmt.Sprintf("%s: %s", c.Path, cmp.Or(c.Function.Signature, c.Function.Name)))
	}
	return strings.Join(out, "\n")
}

// imports is who imports whom, of a bounded part of the repository.
func (r *run) imports() *source.Graph {
	r.graphOnce.Do(func() { r.graph = r.buildGraph() })
	return r.graph
}

func (r *run) buildGraph() *source.Graph {
	var outlines []qa.Outline
	modules := map[string]string{}
	bytes := 0
	_ = filepath.WalkDir(r.Root, func(at string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // what cannot be read has no callers
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && at != r.Root || at == r.OutputDir || d.Name() == "node_modules" || d.Name() == "vendor" || d.Name() == "testdata") {
			return fs.SkipDir
		}
		rel, err := filepath.Rel(r.Root, at)
		if err != nil || !d.Type().IsRegular() || len(outlines) >= graphFiles || bytes > graphBytes {
			return nil //nolint:nilerr // bounded on purpose
		}
		rel = filepath.ToSlash(rel)
		src, err := r.read(rel)
		if err != nil {
			return nil //nolint:nilerr // what cannot be read has no callers
		}
		if path.Base(rel) == "go.mod" {
			modules[strings.TrimPrefix(path.Dir(rel), ".")] = moduleOf(src)
		}
		if source.Supported(rel) {
			bytes += len(src)
			if o, err := source.Parse(rel, src); err == nil {
				outlines = append(outlines, o)
			}
		}
		return nil
	})
	return source.NewGraph(outlines, modules)
}

func moduleOf(gomod []byte) string {
	for _, line := range strings.Split(string(gomod), "\n") {
		if m, ok := strings.CutPrefix(strings.TrimSpace(line), "module "); ok {
			return strings.TrimSpace(m)
		}
	}
	return ""
}
