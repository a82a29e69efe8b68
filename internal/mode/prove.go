package mode

import (
	"fmt"
	"slices"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source"
)

// regressionRule is the rule of findings that only a test claims.
const regressionRule = "qa/regression"

// prove gives findings the tests that show them, and makes findings of those
// that nobody had claimed. Failing on head and passing on base proves a
// regression. Failing on both proves, of lines the change left alone, that the
// problem is there and was there before. Of lines the change wrote it proves
// nothing, nor does a failure where base has nothing to compare with: finding
// and test are of one mind. Such a test is shown and raises no tier.
func (r *run) prove(findings []qa.Finding) []qa.Finding {
	findings = append(findings, r.regressions(findings)...)
	for _, p := range r.proofs {
		i := r.claimed(findings, p)
		switch {
		case i >= 0:
		case p.Regression:
			i = len(findings)
			findings = append(findings, r.regressionFinding(p))
		default:
			findings = append(findings, r.suspicion(p))
			continue
		}
		f := &findings[i]
		if f.Proof != nil && f.Proof.Regression && !p.Regression {
			continue
		}
		shown := p.Proof
		f.Proof = &shown
		switch {
		case p.Regression:
			f.Evidence = qa.Proven
			if f.Status == qa.StatusKnown {
				f.Status = qa.StatusNew
			}
		case p.Base.Bad() && !r.wrote(*f):
			f.Evidence = qa.Proven
			if f.Status == qa.StatusNew {
				f.Status = qa.StatusKnown
			}
		}
	}
	return findings
}

// claimed is the finding that a proof shows: the one its test was written for,
// or the one that an earlier proof of the function made. Of a test that only
// compares with base it is the only new defect claimed of the function, of what
// it calls or is called by, or of the file outside of functions. -1 is none.
func (r *run) claimed(findings []qa.Finding, p proof) int {
	if p.Finding != "" {
		return slices.IndexFunc(findings, func(f qa.Finding) bool { return f.ID == p.Finding })
	}
	if !p.Regression {
		return -1
	}
	only := -1
	for i, f := range findings {
		if f.Path != p.Source || f.Status != qa.StatusNew {
			continue
		}
		if f.Rule.ID == regressionRule && f.Symbol == p.Target {
			return i
		}
		defect := slices.Contains(f.Perspectives, qa.Bug) || slices.Contains(f.Perspectives, qa.Security)
		if !defect || f.Symbol != "" && f.Symbol != p.Target && !r.calls(f.Path, f.Symbol, p.Target) {
			continue
		}
		if only >= 0 {
			return -1 // which of them cannot be told
		}
		only = i
	}
	return only
}

// calls reports whether one of two functions of a file calls the other.
func (r *run) calls(path, a, b string) bool {
	src, err := r.read(path)
	if err != nil || !source.Supported(path) {
		return false
	}
	outline, err := source.Parse(path, src)
	return err == nil && slices.ContainsFunc(outline.Functions, func(f qa.Function) bool {
		return f.Name == a && slices.Contains(f.Calls, b) || f.Name == b && slices.Contains(f.Calls, a)
	})
}

// wrote reports whether the change touched the lines of a finding.
func (r *run) wrote(f qa.Finding) bool {
	file, ok := r.Change.File(f.Path)
	return ok && file.Alters(f.Lines)
}

// suspicion is a test that fails on head, that a model says is right, and that
// base does not speak for: folded, and shown with its test for somebody to judge.
func (r *run) suspicion(p proof) qa.Finding {
	f := r.regressionFinding(p)
	f.ID, f.Rule = "TEST-"+f.ID[len("PROOF-"):], qa.Rule{ID: "qa/suspicion", Name: "failing test that may be right"}
	f.Severity, f.Evidence = qa.Medium, qa.Suspected
	f.Message = fmt.Sprintf("%s does not give what the test %q expects, neither now nor before the change; the model holds the test to be right", p.Target, p.Test)
	shown := p.Proof
	f.Proof = &shown
	return f
}

func (r *run) regressionFinding(p proof) qa.Finding {
	f := qa.Finding{
		ID: "PROOF-" + digestOf([]byte(p.Path), []byte(p.Test))[:6], Rule: qa.Rule{ID: regressionRule, Name: "proven regression"},
		Severity: qa.High, Perspectives: []qa.Perspective{qa.Bug}, Engines: []string{"proof"}, Path: p.Source, Symbol: p.Target,
		Message: fmt.Sprintf("%s behaves differently than before the change: the test %q passes on base and fails on head", p.Target, p.Test),
		Status:  qa.StatusNew, Evidence: qa.Proven,
	}
	f.Fingerprint = digestOf([]byte(f.Rule.ID), []byte(p.Source), []byte(p.Target), []byte(p.Test))
	if r.strategy != nil {
		for _, focus := range r.strategy.Focus {
			if focus.Path == p.Source && focus.Symbol == p.Target {
				f.Lines = focus.Lines
			}
		}
	}
	return f
}
