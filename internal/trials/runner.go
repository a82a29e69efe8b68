package trials

import (
	"cmp"
	"context"
	"io"
	"slices"
	"time"

	"github.com/org/qa-action/internal/baseline"
	"github.com/org/qa-action/internal/baseline/laid"
	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/copies"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/formatter"
	"github.com/org/qa-action/internal/notes"
	"github.com/org/qa-action/internal/output"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
	"github.com/org/qa-action/internal/role/assurance"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/role/generator"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/session"
	"github.com/org/qa-action/internal/source/edit"
)

// Runner runs trials.
type Runner struct {
	checkout.Checkout
	Config  *config.Config
	Session *session.Session
	Copies  *copies.Copies
	Code    *related.Code
	Notes   *notes.Log
	Results *Results
	Output  *output.Dir // remembers mutants
	Live    io.Writer   // gets the output of test commands, may be nil
	// Lint says what the repository's own linters have against a test file in the copy.
	Lint func(ctx context.Context, file, text string) ([]string, error)
	Now  func() time.Time
	// bends is what of the change bends tests beside a weakened one, as base has it.
	bends []laid.File
}

// Repair asks for a corrected test.
type Repair func(context.Context, assurance.Verdict) (assurance.Fix, error)

// Try runs the assurance chain over candidates, target by target, for the task
// of that id. Without a repair none is asked for.
func (r Runner) Try(ctx context.Context, task string, candidates []generator.Candidate, b *baseline.Baseline, repair Repair) (Trial, error) {
	out := New()
	ws, err := r.Copies.Open(ctx)
	if err != nil {
		return out, err
	}
	known := r.knownImports(b)
	for _, run := range b.Runs {
		mine := each.Where(candidates, func(k generator.Candidate) bool {
			t, ok := b.Of(k.Source)
			return ok && t.Name == run.Target.Name
		})
		if len(mine) == 0 || run.Head.Inconclusive != "" {
			continue
		}
		chain := r.chain(ctx, ws, run, task)
		chain.Covered, chain.Known, chain.Repair = r.covered(b), known, repair
		verdicts, files, err := chain.Run(ctx, mine)
		for path, content := range files {
			out.Files[path] = string(content)
		}
		for _, v := range verdicts {
			out.Tests = append(out.Tests, v.GeneratedTest)
			out.Beheld = append(out.Beheld, v.Beheld...)
			if v.Proof != nil {
				r.placeEvidence(&out, v)
				p := Proof{Proof: *v.Proof, Finding: v.Candidate.Finding, Source: v.Candidate.Source, Target: v.Candidate.Target, Tie: v.Tie, Written: v.Candidate}
				if p.Regression {
					p.Announced, p.Asserted, p.Relied = r.announced(ctx, v.Candidate, v.Proof.Message), r.asserted(v.Candidate, b), r.relied(ctx, v.Candidate)
				}
				out.Proofs = append(out.Proofs, p)
			}
			if !v.Kept {
				continue
			}
			out.Killed = append(out.Killed, v.Killed...)
			for _, id := range v.Killed {
				out.Killers[id] = cmp.Or(out.Killers[id], v.Path+" > "+v.Name)
			}
			for path, lines := range v.Lines {
				out.Gained[path] = append(out.Gained[path], lines...)
			}
		}
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// placeEvidence places a failing test into the file it belongs to, beside other
// evidence and nothing else that is new.
func (r Runner) placeEvidence(t *Trial, v assurance.Verdict) {
	text := cmp.Or(t.Evidence[v.Path], r.Results.Evidence()[v.Path])
	now := []byte(text)
	if text == "" {
		now, _ = r.Read(v.Path) // none is a new file
	}
	placed, err := edit.Place(now, v.Path, v.Candidate.Alone(now))
	if err != nil {
		r.Notes.Warn("evidence %s cannot be written: %v", v.Name, err)
		return
	}
	t.Evidence[v.Path] = string(placed)
}

// chain prepares the assurance chain of one target.
func (r Runner) chain(ctx context.Context, ws *runtime.Workspace, b executor.Baseline, task string) *assurance.Chain {
	out := &assurance.Chain{
		Target: b.Target, Trees: assurance.Trees{Head: ws, Read: r.soFar, Former: r.Content}, Keep: r.Session.Place("results", "trial-"+task, session.Segment(b.Target.Name)),
		Change: r.Change.Of(qa.KindSource), Repeat: r.Config.Repeat,
		Options: executor.Options{Name: session.Segment(task + "/" + b.Target.Name), Timeout: assurance.TimeLimit(b.Head.Seconds, r.Config.TaskTimeout/3), Within: assurance.TestTime(b.Head.Seconds, b.Tests.Cases), Live: r.Live}, Failing: map[string]bool{}, MaxRepairs: r.Config.MaxFixIterations,
	}
	if sides := r.Copies.Sides(ws); sides.Base != nil {
		base, err := sides.Base(ctx)
		if err != nil {
			r.Notes.Warn("generated tests were not run on base: %v", err)
		} else if tree, ok := base.(assurance.Tree); ok {
			out.Base = tree
		}
	}
	out.Beside = passing(b.Tests.Cases)
	for _, k := range b.Tests.Cases {
		if k.Status.Bad() || k.Status == qa.Flaky {
			out.Failing[k.ID()] = true
		}
	}
	out.Mutants = Kept{Killed: r.Results.killed()}.Living(r.Results.Mutants())
	style := formatter.Project{Read: r.Read, Copy: ws}
	out.Format = func(ctx context.Context, file string, text []byte) []byte {
		formatted, err := style.Format(ctx, file, text)
		if err != nil {
			r.Notes.Warn("%v", err)
		}
		return formatted
	}
	types := r.told("the types of generated tests are not checked")
	out.Types = func(ctx context.Context, file string) []string {
		return types(ctx, func() ([]string, error) { return style.Types(ctx, file) })
	}
	lint := r.told("not every linter of the repository looked at the generated tests")
	out.Lint = func(ctx context.Context, file string, text []byte) []string {
		return lint(ctx, func() ([]string, error) { return r.Lint(ctx, file, string(text)) })
	}
	return out
}

// told asks a checker for what it has against a file. One that could not look is not
// asked again, and the run says so.
func (r Runner) told(without string) func(context.Context, func() ([]string, error)) []string {
	unknown := false
	return func(ctx context.Context, ask func() ([]string, error)) []string {
		if unknown {
			return nil
		}
		wrong, err := ask()
		if err != nil && ctx.Err() == nil {
			unknown = true
			r.Notes.Warn("%s: %v", without, err)
		}
		return wrong
	}
}

// soFar gives a file as the last trial left it.
func (r Runner) soFar(name string) ([]byte, error) {
	if text, ok := r.Results.files()[name]; ok {
		return []byte(text), nil
	}
	return r.Read(name)
}

// covered are the changed lines that the project's own tests, and tests kept
// before, run.
func (r Runner) covered(b *baseline.Baseline) map[string][]int {
	out := map[string][]int{}
	for _, t := range r.Results.all() {
		for path, lines := range t.Gained {
			out[path] = append(slices.Clone(out[path]), lines...)
		}
	}
	for _, f := range r.Change.Of(qa.KindSource) {
		file := b.Coverage.Head.File(f.Path)
		if file == nil {
			continue
		}
		for _, l := range file.Lines {
			if l.Hits > 0 {
				out[f.Path] = append(slices.Clone(out[f.Path]), int(l.Line))
			}
		}
	}
	return out
}

// knownImports are what the project's own test files import.
func (r Runner) knownImports(b *baseline.Baseline) []string {
	var out []string
	for _, name := range b.TestFiles() {
		src, err := r.Read(name)
		if err != nil || len(out) > 500 {
			continue
		}
		if o, err := r.Code.Parse(name, src); err == nil {
			out = append(out, each.Of(o.Imports, func(i qa.Import) string { return i.Path })...)
		}
	}
	return each.Sorted(out)
}

// passing are the files of which every test passes, in order.
func passing(cases []qa.Case) []string {
	bad := map[string]bool{}
	for _, k := range cases {
		bad[k.File] = bad[k.File] || k.Status.Bad() || k.Status == qa.Flaky
	}
	var out []string
	for file, not := range bad {
		if file != "" && !not {
			out = append(out, file)
		}
	}
	slices.Sort(out)
	return out
}
