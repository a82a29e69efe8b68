package trials

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
	"github.com/org/qa-action/internal/session"
	"github.com/org/qa-action/internal/wording"
)

// This file makes findings of what tests show and nobody claimed.

// shownWhy is how many characters a test's author may say about it in a finding.
const shownWhy = 300

// difference is one that no finding tells: a name that its author gave it, and the file
// whose tests were asked for together.
type difference struct{ source, name string }

// differences are those that have a name, with the finding that each is told in.
type differences map[difference]int

// otherwise reports that a finding tells a difference of another name.
func (all differences) otherwise(finding int, d difference) bool {
	for known, at := range all {
		if at == finding && d.name != "" && known != d {
			return true
		}
	}
	return false
}

// difference of a proof has no name where none was given, or where the difference was
// wanted: it is told apart from what nobody wanted.
func (p Proof) difference() difference {
	if p.Asserted != "" || !p.Regression {
		return difference{}
	}
	return difference{p.Source, p.Written.Difference}
}

// suspicion is a test that fails on head, that a model says is right, and that
// base does not speak for: folded, and shown with its test for somebody to judge.
func (s Proofs) suspicion(p Proof) qa.Finding {
	f := s.regression(p, qa.Medium)
	f.ID, f.Rule = "TEST-"+f.ID[len("PROOF-"):], qa.Rule{ID: "qa/suspicion", Name: "failing test that may be right"}
	f.Evidence = qa.Suspected
	before := "neither now nor before the change"
	if !p.Base.Bad() {
		before = "and the code before the change has nothing like it"
	}
	f.Message = fmt.Sprintf("%s does not give what the test %q expects, %s; the model holds the test to be right", p.Target, p.Test, before)
	shown := p.Proof
	f.Proof = &shown
	return f
}

// severity is what the test's author holds its difference for, high where nothing is
// said: what is low only asks somebody to look. Who handed it in for a claim held it to be
// as bad as that.
func (s Proofs) severity(findings []qa.Finding, p Proof) qa.Severity {
	if said := qa.Severity(p.Written.Severity); slices.Contains([]qa.Severity{qa.Medium, qa.Low}, said) {
		return said
	}
	if i := s.named(findings, p); i >= 0 && p.Written.Severity == "" {
		return findings[i].Severity
	}
	return qa.High
}

// weigh raises a finding that a test is counted to without having named it: to what
// the test's author says, or, of what no finding claims, to what such a test is worth.
// The first of several must not speak for a worse one, and one that the change announces
// not for one that it does not.
func weigh(f *qa.Finding, p Proof, worth qa.Severity) {
	if !p.Regression || wanted(p) > 0 || p.Finding == f.ID || p.Was != nil {
		return
	}
	if (f.Rule.ID == regressionRule || p.Written.Severity != "") && !f.Severity.AtLeast(worth) {
		f.Severity = worth
	}
}

// relied says of a proven difference of medium severity what counts on it. Where nobody
// names anything, it is low: it shows in a corner in which nobody is known to be. An
// attacker reads no documentation, an engine has rules of its own, and what was told in
// an earlier run gets no milder.
func (s Proofs) relied(findings []qa.Finding) {
	for i := range findings {
		f := &findings[i]
		unsure := f.Opinion() && !slices.Contains(f.Perspectives, qa.Security) || f.Rule.ID == regressionRule
		if f.Evidence != qa.Proven || f.Proof == nil || !f.Proof.Regression || f.Severity != qa.Medium || !unsure {
			continue
		}
		proofs := s.of(*f)
		if slices.ContainsFunc(proofs, func(p Proof) bool { return p.Was != nil }) {
			continue
		}
		if p, ok := each.First(proofs, func(p Proof) bool { return p.Relied != "" }); ok {
			f.Message = strings.TrimRight(f.Message, " .") + ". What counts on it: " + p.Relied
			continue
		}
		f.Severity = qa.Low
		f.Message = strings.TrimRight(f.Message, " .") + ". Low, as no documentation, test or caller was named that counts on it."
	}
}

func (s Proofs) regression(p Proof, worth qa.Severity) qa.Finding {
	called := ""
	if p.Written.Difference != "" {
		called = ", " + p.Written.Difference
	}
	why := wording.Line(p.Written.Why, shownWhy)
	if why != "" {
		why = ". Its author: " + why
	}
	f := qa.Finding{
		ID: "PROOF-" + session.Digest([]byte(p.Path), []byte(p.Test))[:6], Rule: qa.Rule{ID: regressionRule, Name: "proven regression"},
		Severity: worth, Perspectives: []qa.Perspective{qa.Bug}, Engines: []string{"proof"}, Path: p.Source, Symbol: p.Target,
		Message: fmt.Sprintf("%s behaves differently than before the change%s: the test %q passes on base and fails on head%s", p.Target, called, p.Test, why),
		Status:  qa.StatusNew, Evidence: qa.Proven,
	}
	if p.Was != nil {
		f.Fingerprint, f.Rule, f.Severity, f.Message, f.Quote = p.Was.Fingerprint, p.Was.Rule, p.Was.Severity, p.Was.Message, p.Was.Quote
	}
	f.Fingerprint = cmp.Or(f.Fingerprint, session.Digest([]byte(f.Rule.ID), []byte(p.Source), []byte(p.Target), []byte(p.Test)))
	f.Lines = related.Place(s.Code, p.Source, p.Target)
	for _, focus := range s.Focus {
		if focus.Path == p.Source && focus.Symbol == p.Target {
			f.Lines = focus.Lines
		}
	}
	return f
}
