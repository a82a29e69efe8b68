package trials

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/baseline"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/history"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/role/generator"
	"github.com/org/qa-action/internal/source/edit"
	"github.com/org/qa-action/internal/wording"
)

// Remembered are the tests that proved regressions when the branch was looked at last.
type Remembered struct {
	Tests  []history.Evidence
	Ledger history.Ledger // has what they proved
	// Findings are those of this run.
	Findings []qa.Finding
}

// Again puts remembered tests on trial, as any other: what passes now is kept, what still
// fails proves the same finding again. One that the project has by now is not offered,
// and one whose suite did not run waits for the next run.
func (r Runner) Again(ctx context.Context, task string, m Remembered, b *baseline.Baseline) (Trial, error) {
	var candidates, named []generator.Candidate
	own := New()
	for _, e := range m.Tests {
		run, ok := each.First(b.Runs, func(run executor.Baseline) bool { return run.Target.Name == e.Suite })
		t, tests := b.Of(e.Source)
		if !ok || !tests || t.Name != e.Suite || run.Target.Framework.Framework != e.Framework || run.Head.Inconclusive != "" {
			r.Notes.Warn("the test %s, which proved a regression on %.7s, was not run again: its suite did not run as it did then", wording.Line(e.Name, 100), e.Commit)
			continue
		}
		c := m.candidate(e)
		where, same := r.has(c, b)
		if other, ok := r.renamed(c); ok && where != "" && !same {
			named = append(named, other)
		}
		if where != "" {
			own.Tests = append(own.Tests, qa.GeneratedTest{
				Name: c.Name, Path: c.Path, Layer: c.Layer, Lane: c.Lane, Source: c.Source, Target: c.Target, Code: c.Code, Origin: c.Origin,
				Gate: "G1", Reason: "the project has it now: " + where,
			})
			continue
		}
		candidates = append(candidates, c)
	}
	if len(candidates)+len(named) == 0 {
		return own, nil
	}
	out, err := r.Try(ctx, task, candidates, b, nil)
	out.Tests = append(out.Tests, own.Tests...)
	for _, c := range candidates { // something of that name may keep it from building
		if other, ok := r.renamed(c); ok && slices.ContainsFunc(out.Tests, func(t qa.GeneratedTest) bool { return t.Name == c.Name && t.Path == c.Path && t.Gate == "G2" }) {
			named = append(named, other)
		}
	}
	if err == nil && len(named) > 0 {
		err = r.prove(ctx, task, named, b, &out)
	}
	for i := range out.Proofs {
		out.Proofs[i].Was = m.was(out.Proofs[i])
	}
	return out, err
}

// prove tries tests under other names, as something else has theirs. What fails is proof
// as ever; what passes is not handed over, for somebody wrote a test of that name.
func (r Runner) prove(ctx context.Context, task string, named []generator.Candidate, b *baseline.Baseline, out *Trial) error {
	more, err := r.Try(ctx, task+"-named", named, b, nil)
	for _, t := range more.Tests {
		if t.Kept {
			t.Kept, t.Gate, t.Reason = false, "G1", "the project has one of that name, and this one passes"
		}
		out.Tests = append(out.Tests, t)
	}
	out.Proofs, out.Beheld = append(out.Proofs, more.Proofs...), append(out.Beheld, more.Beheld...)
	for path, text := range more.Evidence {
		if _, other := out.Evidence[path]; !other {
			out.Evidence[path] = text
		}
	}
	return err
}

// renamed is a test under a name that nobody could give another one beforehand: no commit
// has its own name in it.
func (r Runner) renamed(c generator.Candidate) (generator.Candidate, bool) {
	parts := strings.Split(c.Name, " > ")
	name := parts[len(parts)-1]
	other := fmt.Sprintf("%s_%.7s", name, r.Commit())
	if name == "" || !strings.Contains(c.Code, name) {
		return c, false
	}
	c.Code, c.Name = strings.ReplaceAll(c.Code, name, other), strings.TrimSuffix(c.Name, name)+other
	return c, true
}

// candidate puts a remembered test on trial. What it announced is not taken over: words
// that somebody may have put there excuse nothing.
func (m Remembered) candidate(e history.Evidence) generator.Candidate {
	c := generator.Candidate{
		Test:  generator.Test{Name: e.Name, Lane: generator.Catching, Imports: e.Imports, In: e.In, Code: e.Code},
		Layer: e.Layer, Path: e.Path, Source: e.Source, Target: e.Symbol, Package: e.Package,
		Origin: &qa.Origin{Commit: e.Commit, Finding: e.Finding, Races: e.Races},
	}
	if entry, ok := m.Ledger.Entry(e.Finding); ok {
		c.Origin.Message = wording.Line(entry.Message, 300)
	}
	if f, ok := each.First(m.Findings, func(f qa.Finding) bool { return sameFinding(f, e.Finding) }); ok {
		c.Finding = f.ID
	}
	return c
}

// sameFinding tells whether a finding is the one that was proven. A fingerprint of low
// severity is none: a proof of such a finding fails no gate, and what is remembered makes
// nothing milder.
func sameFinding(f qa.Finding, fingerprint string) bool {
	return f.Fingerprint == fingerprint && f.Severity.AtLeast(qa.Medium)
}

// was is the finding that a remembered test proves again, as it is told where nobody
// claims it in this run.
func (m Remembered) was(p Proof) *qa.Finding {
	if p.Written.Origin == nil {
		return nil
	}
	entry, ok := m.Ledger.Entry(p.Written.Origin.Finding)
	if !ok {
		return nil
	}
	severity := cmp.Or(entry.Severity, qa.High)
	if !severity.AtLeast(qa.Medium) {
		severity = qa.Medium
	}
	return &qa.Finding{Fingerprint: entry.Fingerprint, Rule: qa.Rule{ID: entry.Rule}, Severity: severity, Message: entry.Message, Quote: entry.Quote}
}

// has says where the project has a test that does the same, or one of that name.
func (r Runner) has(c generator.Candidate, b *baseline.Baseline) (where string, same bool) {
	now, _ := r.Read(c.Path) // none is a new file
	placed, err := edit.Place(nil, c.Path, c.Alone(nil))
	if err != nil {
		return "", false
	}
	alone, err := edit.Tests(c.Path, placed)
	if err != nil || len(alone) != 1 {
		return "", false
	}
	hash, err := edit.Hash(c.Path, placed, alone[0].Name)
	if err != nil {
		return "", false
	}
	files := b.TestFiles()
	if now != nil {
		files = each.Added(files, c.Path)
	}
	for _, file := range files {
		text, err := r.Read(file)
		if err != nil {
			continue
		}
		tests, _ := edit.Tests(file, text) // what cannot be read has none
		for _, t := range tests {
			does, err := edit.Hash(file, text, t.Name)
			at := fmt.Sprintf("%q in %s", wording.Line(t.Name, 200), file)
			if err == nil && does == hash {
				return at, true
			}
			if file == c.Path && t.Name == alone[0].Name {
				where = at
			}
		}
	}
	return where, false
}

// Unmended are the tests of a run that prove what its author has to mend, for the next
// run of the branch.
func Unmended(proofs []Proof, findings []qa.Finding, commit string, b *baseline.Baseline) []history.Evidence {
	var out []history.Evidence
	for _, p := range proofs {
		f, ok := each.First(findings, func(f qa.Finding) bool {
			shows := func(o qa.Proof) bool { return o.Path == p.Path && o.Test == p.Test }
			return quality.ToMend(f) && (shows(*f.Proof) || slices.ContainsFunc(f.Also, shows))
		})
		t, tests := b.Of(p.Source)
		if c := p.Written; ok && tests && p.Regression && c.Code != "" {
			out = append(out, history.Evidence{
				Name: c.Name, Path: c.Path, Package: c.Package, Imports: c.Imports, In: c.In, Code: c.Code, Layer: c.Layer,
				Suite: t.Name, Framework: t.Framework.Framework, Source: c.Source, Symbol: c.Target, Commit: commit, Finding: f.Fingerprint, Races: p.Races,
			})
		}
	}
	return out
}
