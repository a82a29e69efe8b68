package mode

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/shlex"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/qa"
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
		AbsRoot: r.Root, Linters: own, Change: r.Change, Perspectives: r.perspectives(), Within: Within(r.Config), Exclude: r.Config.Exclude,
		MinSeverity:   r.Config.MinSeverity,
		KnownPatterns: r.past.Patterns, Dismissals: r.Dismissals, Codeowners: r.Codeowners, Outline: source.Parse, Exec: r.copies.Exec, Now: r.Now(),
	}
	if w, err := r.copies.Open(ctx); err == nil {
		// Texts come from the checkout, which no test can rewrite; programs run
		// in the copy.
		req.ExecRoot, req.TempDir = w.Dir(), w.Dir()
		req.ToolPath = func(name string) (string, error) { return w.LookPath(ctx, name) }
		// On a fresh machine no module is there yet. The project's own tests,
		// behind the same walls, download theirs too.
		req.Network = true
	}
	if r.Change.Base != "" {
		req.Base = func(path string) ([]byte, error) { return r.Content(ctx, r.Change.Base, path) }
	}
	return req, nil
}

// Within are the directories whose files the scan is about. Targets do not limit
// it: a secret in a script of the root is nobody's otherwise.
func Within(c *config.Config) []string { return []string{c.WorkingDirectory} }

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
	if err := r.waited(ctx); err != nil && ctx.Err() != nil {
		return result{}, err
	}
	var out result
	if r.own().Coverage.Head != nil {
		req, err := r.request(ctx)
		if err != nil {
			return result{}, err
		}
		req.Engines, req.Coverage, req.Patch = []string{"coverage-gap"}, r.own().Coverage.Head, r.own().Coverage.Patch
		gaps, err := scan.Run(ctx, req)
		if err != nil {
			return result{}, err
		}
		out.Gaps = &gaps
	}
	outlines, tests := r.outlines()
	framework, version := r.own().Framework(), ""
	if len(r.own().Targets) > 0 {
		version = r.own().Targets[0].Framework.Version
	}
	var near []string
	for _, f := range r.Change.Of(qa.KindSource) {
		near = append(near, f.Path)
	}
	s := strategist.Plan(strategist.Input{
		Change: r.Change, Findings: r.findings(out.Gaps), Patch: r.own().Coverage.Patch, Baseline: r.own().Coverage.Head,
		Depth: r.depth, Targets: r.Config.Coverage, E2E: r.Config.E2eCommand != "", Outlines: outlines, FanIn: r.code.Graph().FanIn, Users: func(f qa.Finding) []strategist.User {
			var out []strategist.User
			for _, u := range r.code.Users(f) {
				out = append(out, strategist.User{Path: u.Path, Function: u.Function})
			}
			return out
		},
		Conventions: strategist.Learn(framework, version, tests, near, r.Read),
	})
	s.Notes = r.riskNotes(ctx, s, r.findings(out.Gaps))
	out.Strategy = &s
	var selected []string
	for _, l := range s.Layers {
		if l.Selected {
			selected = append(selected, string(l.Layer))
		}
	}
	out.Findings = fmt.Sprintf("layers %s; %d functions in focus; %d priority issues", cmp.Or(strings.Join(selected, ", "), "none"), len(s.Focus), len(s.PriorityIssues))
	return out, nil
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
	return scan.Join(scan.Request{MinSeverity: r.Config.MinSeverity}, parts...)
}

// outlines parses the changed source files; tests are the test files the
// strategist may learn from.
func (r *run) outlines() (map[string]qa.Outline, []string) {
	out := map[string]qa.Outline{}
	for _, f := range r.Change.Of(qa.KindSource) {
		src, err := r.Read(f.Path)
		if err != nil || !source.Supported(f.Path) {
			continue
		}
		if o, err := source.Parse(f.Path, src); err == nil {
			out[f.Path] = o
		}
	}
	tests := r.own().TestFiles()
	for _, f := range r.Change.Of(qa.KindTest) {
		if !slices.Contains(tests, f.Path) {
			tests = append(tests, f.Path)
		}
	}
	tests = slices.DeleteFunc(tests, func(p string) bool {
		kind, _, _ := change.Classify(p, nil)
		return kind != qa.KindTest
	})
	return out, tests
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
