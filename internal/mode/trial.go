package mode

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/org/qa-action/internal/baseline"
	"github.com/org/qa-action/internal/coverage"
	"github.com/org/qa-action/internal/formatter"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/assurance"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/role/generator"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/session"
	"github.com/org/qa-action/internal/source"
)

// trial is what became of the generated tests of one executor task.
type trial struct {
	Tests  []qa.GeneratedTest `json:"tests"`
	Proofs []proof            `json:"proofs"`
	Files  map[string]string  `json:"files"` // test files with the kept tests
	Gained map[string][]int   `json:"gained"`
	Killed []string           `json:"killed"`
	// Killers names the first kept test that notices a mutant, by its id.
	Killers map[string]string `json:"killers,omitempty"`
	// Evidence are test files with the tests that prove or suspect something;
	// those fail, and are never delivered with the kept ones.
	Evidence map[string]string `json:"evidence,omitempty"`
}

// proof is a test that shows a finding.
type proof struct {
	qa.Proof
	Finding string `json:"finding,omitempty"`
	Source  string `json:"source"`
	Target  string `json:"target"`
}

// tryTests runs the assurance chain over candidates, target by target.
func (r *run) tryTests(ctx context.Context, ws *runtime.Workspace, row Row, candidates []generator.Candidate) (trial, error) {
	out := trial{Files: map[string]string{}, Gained: map[string][]int{}, Killers: map[string]string{}, Evidence: map[string]string{}}
	for _, b := range r.own().Runs {
		var mine []generator.Candidate
		for _, c := range candidates {
			if t, ok := r.own().Of(c.Source); ok && t.Name == b.Target.Name {
				mine = append(mine, c)
			}
		}
		if len(mine) == 0 || b.Head.Inconclusive != "" {
			continue
		}
		chain, err := r.chain(ctx, ws, b, row)
		if err != nil {
			return out, err
		}
		verdicts, files, err := chain.Run(ctx, mine)
		for path, content := range files {
			out.Files[path] = string(content)
		}
		for _, v := range verdicts {
			out.Tests = append(out.Tests, v.GeneratedTest)
			if v.Proof != nil {
				r.apart(&out, v)
				out.Proofs = append(out.Proofs, proof{Proof: *v.Proof, Finding: v.Candidate.Finding, Source: v.Candidate.Source, Target: v.Candidate.Target})
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

// apart places a failing test into the file it belongs to, beside other
// evidence and nothing else that is new.
func (r *run) apart(t *trial, v assurance.Verdict) {
	text := t.Evidence[v.Path]
	for _, e := range slices.Backward(r.earlier()) {
		text = cmp.Or(text, e.Evidence[v.Path])
	}
	now := []byte(text)
	if text == "" {
		now, _ = r.Read(v.Path) // none is a new file
	}
	add := v.Candidate.New()
	if add.Package == "" && len(now) == 0 {
		add.Package = "p"
	}
	placed, err := source.Place(now, v.Path, add)
	if err != nil {
		r.notes.Warn("evidence %s cannot be written: %v", v.Name, err)
		return
	}
	t.Evidence[v.Path] = string(placed)
}

// chain prepares the assurance chain of one target.
func (r *run) chain(ctx context.Context, ws *runtime.Workspace, b executor.Baseline, row Row) (*assurance.Chain, error) {
	c := &assurance.Chain{
		Target: b.Target, Head: ws, Keep: r.session.Place("results", "trial-"+row.ID, session.Segment(b.Target.Name)),
		Read: r.soFar, Change: r.Change.Of(qa.KindSource), Covered: r.covered(), Repeat: r.Config.Repeat, Known: r.knownImports(),
		Options: executor.Options{Name: session.Segment(row.ID + "/" + b.Target.Name), Timeout: r.Config.TaskTimeout / 3, Live: r.Live}, Failing: map[string]bool{}, MaxRepairs: r.Config.MaxFixIterations,
	}
	if sides := r.copies.Sides(ws); sides.Base != nil {
		base, err := sides.Base(ctx)
		if err != nil {
			r.notes.Warn("generated tests were not run on base: %v", err)
		} else if tree, ok := base.(assurance.Tree); ok {
			c.Base = tree
		}
	}
	for _, k := range b.Tests.Cases {
		if k.Status.Bad() || k.Status == qa.Flaky {
			c.Failing[k.ID()] = true
		}
	}
	for _, m := range r.mutants {
		if !r.dead(m.ID) {
			c.Mutants = append(c.Mutants, m)
		}
	}
	style := formatter.Project{Read: r.Read, Copy: ws}
	c.Format = func(ctx context.Context, file string, text []byte) []byte {
		out, err := style.Format(ctx, file, text)
		if err != nil {
			r.notes.Warn("%v", err)
		}
		return out
	}
	if r.Model != nil {
		c.Repair = func(ctx context.Context, v assurance.Verdict) (assurance.Fix, error) { return r.repair(ctx, row, v) }
	}
	return c, nil
}

// earlier are the trials of this run in their order: those that were taken over
// and those of the wave that is under way.
func (r *run) earlier() []trial {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.tried)
}

// soFar gives a file as the last trial left it: two layers of one wave may write
// into the same test file.
func (r *run) soFar(name string) ([]byte, error) {
	for _, t := range slices.Backward(r.earlier()) {
		if text, ok := t.Files[name]; ok {
			return []byte(text), nil
		}
	}
	return r.readTest(name)
}

func (r *run) dead(mutant string) bool {
	return r.killed[mutant] || slices.ContainsFunc(r.earlier(), func(t trial) bool { return slices.Contains(t.Killed, mutant) })
}

// lay puts the tests that were kept so far into a copy: that of a resumed run
// does not have them.
func (r *run) lay(ws *runtime.Workspace) error {
	files := maps.Clone(r.written)
	for _, t := range r.earlier() {
		maps.Copy(files, t.Files)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := ws.Write(name, []byte(files[name])); err != nil {
			return fmt.Errorf("lay out kept tests: %w", err)
		}
	}
	return nil
}

// covered are the changed lines that the project's own tests, and tests kept
// before, run.
func (r *run) covered() map[string][]int {
	out := maps.Clone(r.gained)
	for _, t := range r.earlier() {
		for path, lines := range t.Gained {
			out[path] = append(slices.Clone(out[path]), lines...)
		}
	}
	for _, f := range r.Change.Of(qa.KindSource) {
		file := r.own().Coverage.Head.File(f.Path)
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
func (r *run) knownImports() []string {
	var out []string
	for _, name := range r.own().TestFiles() {
		src, err := r.Read(name)
		if err != nil || len(out) > 500 {
			continue
		}
		if o, err := source.Parse(name, src); err == nil {
			for _, i := range o.Imports {
				out = append(out, i.Path)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// after measures the suite with the kept tests in it.
func (r *run) after(ctx context.Context, ws *runtime.Workspace, l *qa.LayerResult, row Row) error {
	var heads []*qa.Coverage
	var tally qa.Tally
	counted := map[string]*baseline.Counters{}
	for _, b := range r.own().Runs {
		run, err := executor.Suite(ctx, ws, b.Target, executor.Options{
			Name: "after-" + row.ID, Keep: r.session.Place("results", "after-"+row.ID, session.Segment(b.Target.Name)),
			Coverage: true, Timeout: r.Config.TaskTimeout, Live: r.Live, Generated: true,
		})
		if err != nil {
			return err
		}
		if run.Inconclusive != "" || run.Coverage == nil {
			return nil // the numbers from before the tests stand
		}
		heads, tally = append(heads, run.Coverage), tally.Plus(run.Suite.Tally())
		counted[b.Target.Name] = baseline.CountersOf(run.Coverage)
	}
	if len(heads) == 0 {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(counted)) { // for a merge, in place of those without the tests
		r.file("results/run-"+string(l.Layer)+"/"+session.Segment(name)+"/measured.json", counted[name])
	}
	joined := coverage.Merge(heads...)
	l.Lines, l.Tally = joined.Lines, &tally
	if p := coverage.Patch(joined, r.Change.Files, coverage.PatchOptions{Exclude: r.Config.Exclude}); p.Lines.Total > 0 {
		l.Patch = &p.Lines
	}
	return nil
}
