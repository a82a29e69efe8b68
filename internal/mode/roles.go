package mode

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/google/shlex"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/pipeline"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/role/generator"
	"github.com/org/qa-action/internal/role/strategist"
	"github.com/org/qa-action/internal/scan"
	"github.com/org/qa-action/internal/source"
)

// request is what both scans ask for.
func (r *run) request(ctx context.Context) (scan.Request, error) {
	own, err := Linters(r.Config.Engines)
	if err != nil {
		return scan.Request{}, err
	}
	req := scan.Request{
		AbsRoot: r.Root, Linters: own, Change: r.Change, Perspectives: r.perspectives(), Exclude: r.Config.Exclude,
		MinSeverity: r.Config.MinSeverity, MaxFindings: r.Config.MaxFindings,
		KnownPatterns: r.past.Patterns, Dismissals: r.Dismissals, Codeowners: r.Codeowners, Outline: source.Parse, Exec: r.place.exec, Now: r.Now(),
	}
	if w, err := r.place.open(ctx); err == nil {
		// Texts come from the checkout, which no test can rewrite; programs run
		// in the copy.
		req.ExecRoot, req.TempDir = w.Dir(), w.Dir()
	}
	if r.Change.Base != "" {
		req.Base = func(path string) ([]byte, error) { return r.Content(ctx, r.Change.Base, path) }
	}
	return req, nil
}

// Linters turns the config file's engines into the scan's. A command is split
// as a shell would split it, and no shell ever sees it.
func Linters(engines []config.Linter) ([]scan.Linter, error) {
	var out []scan.Linter
	for _, e := range engines {
		argv, err := shlex.Split(e.Command)
		if err != nil {
			return nil, fmt.Errorf("engine %q: command: %w", e.Name, err)
		}
		out = append(out, scan.Linter{
			Name: e.Name, Command: argv, Format: e.Format, Errorformat: e.Errorformat, Report: e.Sarif, Paths: e.Paths,
			Perspective: qa.Perspective(e.Perspective), Severity: qa.Severity(e.Severity),
		})
	}
	return out, nil
}

// perspectives adds ux when files of a user interface changed.
func (r *run) perspectives() []qa.Perspective {
	out := r.Config.Perspectives
	if slices.Contains(out, qa.UX) || strings.Contains(strings.ToLower(r.Config.Task), "ux") {
		return out
	}
	for _, f := range r.Change.Files {
		for _, suffix := range []string{".tsx", ".jsx", ".vue", ".svelte", ".html", ".css", ".scss", ".less"} {
			if strings.HasSuffix(f.Path, suffix) && !f.Generated {
				return append(slices.Clone(out), qa.UX)
			}
		}
	}
	return out
}

// scout scans the change with every engine that needs no measured coverage.
func (r *run) scout(ctx context.Context) (result, error) {
	req, err := r.request(ctx)
	if err != nil {
		return result{}, err
	}
	req.Engines = []string{"-coverage-gap"}
	res, err := scan.Run(ctx, req)
	if err != nil {
		return result{}, err
	}
	if r.Model != nil {
		claimed, err := r.modelScan(ctx, req)
		if err != nil {
			return result{}, err
		}
		res = r.joined([]scan.Result{res, claimed})
	}
	return result{Scan: &res, Findings: scanText(res)}, nil
}

func scanText(res scan.Result) string {
	n := map[qa.Severity]int{}
	total := 0
	for _, f := range res.Findings {
		if f.Counts() {
			n[f.Severity]++
			total++
		}
	}
	if total == 0 {
		return "clean: no new findings"
	}
	return fmt.Sprintf("%d new findings (%d critical, %d high, %d medium, %d low)", total, n[qa.Critical], n[qa.High], n[qa.Medium], n[qa.Low])
}

// plan joins the baseline, adds what its coverage tells, and decides.
func (r *run) plan(ctx context.Context) (result, error) {
	if err := r.base.wait(ctx); err != nil && ctx.Err() != nil {
		return result{}, err
	}
	var out result
	if r.base.head != nil {
		req, err := r.request(ctx)
		if err != nil {
			return result{}, err
		}
		req.Engines, req.Coverage, req.Patch = []string{"coverage-gap"}, r.base.head, r.base.patch
		gaps, err := scan.Run(ctx, req)
		if err != nil {
			return result{}, err
		}
		out.Gaps = &gaps
	}
	outlines, tests := r.outlines()
	framework, version := "", ""
	if len(r.base.targets) > 0 {
		framework, version = r.base.targets[0].Framework.Framework, r.base.targets[0].Framework.Version
	}
	var near []string
	for _, f := range r.Change.Of(qa.KindSource) {
		near = append(near, f.Path)
	}
	s := strategist.Plan(strategist.Input{
		Change: r.Change, Findings: r.findings(out.Gaps), Patch: r.base.patch, Baseline: r.base.head,
		Depth: r.depth, Targets: r.Config.Coverage, E2E: r.Config.E2eCommand != "", Outlines: outlines, FanIn: r.imports().FanIn,
		Conventions: strategist.Learn(framework, version, tests, near, r.read),
	})
	s.Notes = r.riskNotes(ctx, s)
	out.Strategy = &s
	var selected []string
	for _, l := range s.Layers {
		if l.Selected {
			selected = append(selected, string(l.Layer))
		}
	}
	out.Findings = fmt.Sprintf("layers %s; %d functions in focus; %d priority issues", or(strings.Join(selected, ", "), "none"), len(s.Focus), len(s.PriorityIssues))
	return out, nil
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// findings are all findings of the first scan, with those of the baseline.
func (r *run) findings(gaps *scan.Result) []qa.Finding {
	var parts []scan.Result
	for _, p := range []*scan.Result{r.scan, gaps} {
		if p != nil {
			parts = append(parts, *p)
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return r.joined(parts).Findings
}

func (r *run) joined(parts []scan.Result) scan.Result {
	return scan.Join(scan.Request{MinSeverity: r.Config.MinSeverity, MaxFindings: r.Config.MaxFindings}, parts...)
}

// outlines parses the changed source files; tests are the test files the
// strategist may learn from.
func (r *run) outlines() (map[string]qa.Outline, []string) {
	out := map[string]qa.Outline{}
	for _, f := range r.Change.Of(qa.KindSource) {
		src, err := r.read(f.Path)
		if err != nil || !source.Supported(f.Path) {
			continue
		}
		if o, err := source.Parse(f.Path, src); err == nil {
			out[f.Path] = o
		}
	}
	tests := r.base.testFiles()
	for _, f := range r.Change.Of(qa.KindTest) {
		if !slices.Contains(tests, f.Path) {
			tests = append(tests, f.Path)
		}
	}
	tests = slices.DeleteFunc(tests, func(p string) bool {
		kind, _, _ := change.Classify(p, nil)
		_, err := os.Stat(r.Root)
		return err != nil || kind != qa.KindTest
	})
	return out, tests
}

// selected says whether the strategist wants a layer; the error is a skip.
func (r *run) selected(row Row) (qa.LayerPlan, error) {
	if r.strategy == nil {
		return qa.LayerPlan{}, pipeline.Skip("there is no strategy")
	}
	p, ok := r.strategy.Layer(row.Layer)
	if !ok || !p.Selected {
		return p, pipeline.Skip("not selected: " + p.Rationale)
	}
	return p, nil
}

// generate writes tests for a layer.
func (r *run) generate(ctx context.Context, row Row) (result, error) {
	if _, err := r.selected(row); err != nil {
		return result{}, err
	}
	if r.Model == nil {
		return result{}, pipeline.Skip("no model configured")
	}
	candidates, err := r.writeTests(ctx, row, row.Round)
	if err != nil && len(candidates) == 0 {
		return result{}, err
	}
	if err != nil {
		r.warn("%s: %v", row.ID, err)
	}
	return result{Candidates: candidates, Findings: fmt.Sprintf("%d tests proposed", len(candidates))}, nil
}

// execute measures a layer.
func (r *run) execute(ctx context.Context, row Row) (result, error) {
	p, err := r.selected(row)
	if err != nil {
		return result{}, err
	}
	if err := r.base.wait(ctx); err != nil {
		return result{}, fmt.Errorf("no baseline: %w", err)
	}
	l := qa.LayerResult{Layer: row.Layer, Name: row.Layer.Name(), Target: p.Target, State: "unknown", Iterations: 1}
	cases := executor.Of(row.Layer, r.base.cases())
	switch {
	case row.Layer == qa.L3:
		if err := r.endToEnd(ctx, &l); err != nil {
			return result{}, err
		}
	case r.base.tests().Head.Executed() == 0:
		l.Reason = "no test was executed"
	case len(cases) == 0:
		l.Reason = "the repository has no " + row.Layer.Name() + " tests"
	case len(cases) == len(r.base.cases()):
		r.whole(&l)
	default:
		if err := r.part(ctx, &l, cases); err != nil {
			return result{}, err
		}
	}
	out := result{}
	if last, ok := r.layers[row.Layer]; ok && row.Round > 0 {
		l = last // what earlier rounds kept still counts
		l.Below = false
	}
	if proposed := r.candidates[row.Layer.Name()+fmt.Sprint(row.Round)]; len(proposed) > 0 {
		if err := r.try(ctx, row, &l, proposed, &out); err != nil {
			return result{}, err
		}
	}
	l.Effective = l.State == "measured" && quality.Effective(l.PassRate, l.Iterations)
	out.Layer, out.Findings = &l, layerText(l)
	if out.Trial != nil {
		kept := 0
		for _, t := range out.Trial.Tests {
			if t.Kept {
				kept++
			}
		}
		out.Findings += fmt.Sprintf("; %d of %d proposed tests kept, %d proofs", kept, len(out.Trial.Tests), len(out.Trial.Proofs))
	}
	return out, nil
}

// try puts proposed tests on trial; one task at a time changes the copies.
func (r *run) try(ctx context.Context, row Row, l *qa.LayerResult, proposed []generator.Candidate, out *result) error {
	ws, err := r.place.open(ctx)
	if err != nil {
		return err
	}
	r.trees.Lock()
	defer r.trees.Unlock()
	if r.mutation == nil {
		if out.Mutation, err = r.mutate(ctx, ws); err != nil {
			return err
		}
		r.mutants = out.Mutation.Mutants
	}
	t, err := r.tryTests(ctx, ws, row, proposed)
	if err != nil {
		return err
	}
	out.Trial = &t
	l.Iterations, l.Rounds = 1, row.Round
	for _, g := range t.Tests {
		l.Iterations = max(l.Iterations, g.Repairs+1)
	}
	if slices.ContainsFunc(t.Tests, func(g qa.GeneratedTest) bool { return g.Kept }) {
		return r.after(ctx, ws, l, row)
	}
	return nil
}

func layerText(l qa.LayerResult) string {
	if l.State != "measured" {
		return l.Reason
	}
	text := fmt.Sprintf("%d of %d tests passed", l.Tally.Passed+l.Tally.Flaky, l.Tally.Executed())
	if l.Patch != nil && l.Patch.Total > 0 {
		text += "; patch coverage " + l.Patch.Text()
	}
	return text
}

// whole takes the baseline for a layer to which every test belongs.
func (r *run) whole(l *qa.LayerResult) {
	t := r.base.tests()
	tally := t.Head
	l.State, l.Tally, l.PassRate = "measured", &tally, quality.PassRate(t)
	if tally.Executed() == 0 {
		l.State, l.Reason = "unknown", "no test was executed"
		return
	}
	if r.base.head == nil {
		l.Reason = r.base.reason
		return
	}
	l.Lines = r.base.head.Lines
	if r.base.before != nil {
		l.BaseLines = r.base.before.Lines
	}
	if r.base.patch.Lines.Total > 0 {
		lines := r.base.patch.Lines
		l.Patch = &lines
	}
}

// analyse closes the chain: it gives the score of what is there.
func (r *run) analyse(ctx context.Context) (result, error) {
	report := r.assemble(false)
	text := fmt.Sprintf("%s, score unknown", report.Result)
	if v := report.Score.Value; v != nil {
		text = fmt.Sprintf("%s, score %d: %s", report.Result, *v, quality.Band(v))
	}
	return result{Score: report.Score.Value, Findings: text, Advice: r.advise(ctx, report)}, nil
}

// rescan looks for regressions in what the run itself wrote.
func (r *run) rescan(context.Context) (result, error) {
	if !slices.ContainsFunc(r.generated, func(g qa.GeneratedTest) bool { return g.Kept }) {
		return result{}, pipeline.Skip("nothing was written since the first scan")
	}
	return result{}, pipeline.Skip("only test files were written since the first scan")
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
