package mode

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/org/qa-action/internal/llm"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
	"github.com/org/qa-action/internal/related"
	"github.com/org/qa-action/internal/role/assurance"
	"github.com/org/qa-action/internal/role/generator"
	"github.com/org/qa-action/internal/role/scout"
	"github.com/org/qa-action/internal/scan"
	"github.com/org/qa-action/internal/source"
)

// Bounds of what one request shows a model.
const (
	wholeFile    = 220   // lines up to which a file is shown whole
	shownTests   = 8000  // characters of an existing test file
	perRound     = 6     // functions asked about per round
	scannedFile  = 40000 // characters of a file in a scan
	shownAround  = 3000  // characters of callers and callees
	shownFailure = 2000  // characters of a refused test's failure
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
		Look: func(names []string) string { return r.code.Look(ctx, names) },
	}
	in := scout.Input{Perspectives: r.modelPerspectives(), Title: r.Change.Title, Body: r.Change.Body, Patterns: r.past.Patterns}
	for _, f := range r.Change.Of(qa.KindSource) {
		if !req.Covers(f.Path) {
			continue
		}
		if shown, ok := r.scouted(ctx, f); ok {
			in.Files = append(in.Files, shown)
		}
	}
	if len(in.Files) == 0 {
		return scan.Result{}, nil
	}
	if left, ok := r.tokens.ForScan(); ok {
		var cuts []string
		if in, cuts = m.Fit(in, left); len(cuts) > 0 {
			r.tokens.Shorten(cuts)
		}
	}
	found, err := m.Scan(ctx, in)
	engine := qa.Engine{Name: "model", State: "ran", Findings: len(found.Hits), Reason: dropped(found.Dropped)}
	if err != nil { // what it did not look at is not clean
		fmt.Fprintf(r.Progress, "model: %v\n", err)
		engine.State, engine.Reason = "failed", "not every request was answered"
	}
	res, err := scan.Settle(req, found.Hits)
	if err != nil {
		return res, err
	}
	res.Engines = []qa.Engine{engine}
	return res, nil
}

// scouted is a changed file as the scout is shown it.
func (r *run) scouted(ctx context.Context, f qa.FileChange) (scout.File, bool) {
	src, err := r.Read(f.Path)
	if err != nil || len(src) > scannedFile || f.Binary {
		return scout.File{}, false
	}
	out := scout.File{Path: f.Path, Source: string(src), Added: f.Added, Instructions: r.instructions(f.Path), Before: string(r.Before(ctx, f))}
	outline, err := source.Parse(f.Path, src)
	if err != nil {
		return out, true
	}
	var around []string
	for _, fn := range outline.Functions {
		if !f.Alters(fn.Lines) {
			continue
		}
		out.Around = append(out.Around, fn.Lines)
		around = append(around, r.code.Callers(f.Path, fn.Name), r.code.Callees(f.Path, fn.Name, true))
	}
	out.Context = related.Cut(strings.Join(compact(around), "\n"), shownAround)
	return out, true
}

// compact takes out what is empty or was there before.
func compact(texts []string) []string {
	var out []string
	for _, t := range texts {
		if t != "" && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
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

// writer is the model as the generator's.
func (r *run) writer(ctx context.Context) generator.Model {
	return generator.Model{
		Ask: func(ctx context.Context, q llm.Request) (generator.Reply, error) {
			return llm.Ask[generator.Reply](ctx, r.Model, q)
		},
		Mend: func(ctx context.Context, q llm.Request) (generator.Correction, error) {
			return llm.Ask[generator.Correction](ctx, r.Model, q)
		},
		Look: func(names []string) string { return r.code.Look(ctx, names) },
	}
}

// writeTests asks the model for tests of the riskiest functions of a round.
func (r *run) writeTests(ctx context.Context, row Row, round int) ([]generator.Candidate, error) {
	var subjects []generator.Subject
	for _, f := range r.round(round) {
		s, err := r.subject(ctx, row.Layer, f)
		if err != nil {
			r.notes.Warn("no tests for %s: %v", f.Symbol, err)
			continue
		}
		s.Round = round
		subjects = append(subjects, s)
	}
	return r.writer(ctx).Write(ctx, subjects)
}

// repair asks for a corrected test. What may be corrected was decided by the
// chain; what comes back starts again at its first gate.
func (r *run) repair(ctx context.Context, row Row, v assurance.Verdict) (assurance.Fix, error) {
	for _, f := range r.strategy.Focus {
		if f.Path != v.Candidate.Source || f.Symbol != v.Candidate.Target {
			continue
		}
		s, err := r.subject(ctx, row.Layer, f)
		if err != nil {
			return assurance.Fix{}, err
		}
		refused := generator.Refused{Subject: s, Candidate: v.Candidate, Attempt: v.Repairs, Why: related.Cut(v.Gate+": "+v.Reason, shownFailure)}
		if v.Head.Bad() {
			refused.Kind = quality.DefectKind(v.Reason)
			refused.Why += fmt.Sprintf("\nThe same test with the code before the change: %s", cmp.Or(v.Base, qa.NotRun))
		}
		again, product, err := r.writer(ctx).Repair(ctx, refused)
		return assurance.Fix{Candidate: again, Product: product}, err
	}
	return assurance.Fix{}, errors.New("what it tests is not in focus any more")
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
