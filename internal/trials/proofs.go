package trials

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
)

// Proofs are what tests showed of the change.
type Proofs struct {
	Change qa.Change
	Code   *related.Code
	Focus  []qa.Focus // the functions that tests were written for
	All    []Proof
	Weak   []Weak
}

// regressionRule is the rule of findings that only a test claims.
const regressionRule = "qa/regression"

// Show gives findings the tests that show them, and makes findings of those
// that nobody had claimed. Failing on head and passing on base proves a
// regression. Failing on both proves, of lines the change left alone, that the
// problem is there and was there before. Of lines the change wrote it proves
// nothing, nor does a failure where base has nothing to compare with: the test
// repeats what the finding claims. Such a test is shown and raises no tier. Of
// several equally strong tests of a finding the first one is shown.
func (s Proofs) Show(findings []qa.Finding) []qa.Finding {
	s.weak(findings)
	proofs := s.inOrder()
	named := map[string][]related.Site{} // the functions whose tests name and prove a finding
	told := differences{}                // the findings of differences that have a name
	for _, p := range proofs {
		i, known := told[p.difference()]
		if !known {
			i = s.claimed(findings, p, named, told)
		}
		switch {
		case i >= 0:
		case p.Regression:
			i = len(findings)
			findings = append(findings, s.handedIn(findings, p, s.regression(p, s.severity(findings, p))))
		default:
			findings = append(findings, s.suspicion(p))
			continue
		}
		if d := p.difference(); d.name != "" && findings[i].Status != qa.StatusDismissed { // what somebody set aside was another test
			told[d] = i
		}
		f := &findings[i]
		weigh(f, p, s.severity(findings, p))
		if p.Finding == f.ID && p.Regression {
			named[f.ID] = append(named[f.ID], related.Site{Path: p.Source, Symbol: p.Target})
		}
		if f.Proof != nil && (f.Proof.Regression || !p.Regression) {
			if f.Proof.Test != p.Test || f.Proof.Path != p.Path {
				f.Also = append(f.Also, p.Proof)
			}
			continue
		}
		if f.Proof != nil {
			f.Also = append(f.Also, *f.Proof)
		}
		shown := p.Proof
		f.Proof = &shown
		switch {
		case p.Regression && p.Asserted != "":
			f.Evidence, f.Status = qa.Proven, qa.StatusIntended
		case p.Regression:
			f.Evidence = qa.Proven
			if f.Status == qa.StatusKnown {
				f.Status = qa.StatusNew
			}
		case p.Base.Bad() && !s.wrote(*f):
			f.Evidence = qa.Proven
			if f.Status == qa.StatusNew {
				f.Status = qa.StatusKnown
			}
		}
	}
	s.relied(findings)
	s.direct(findings)
	return once(findings)
}

// weak enters what weakened tests showed. A mutant that the test noticed on base proves
// that it was weakened: the more so where it stands in lines that the change wrote.
func (s Proofs) weak(findings []qa.Finding) {
	for _, w := range s.Weak {
		i := slices.IndexFunc(findings, func(f qa.Finding) bool { return f.Fingerprint == w.Finding && f.Counts() })
		if i < 0 {
			continue
		}
		f := &findings[i]
		if w.Outdated {
			w.fails(f)
			continue
		}
		f.Proof, f.Evidence, f.Severity = w.Proof, qa.Proven, qa.Medium
		if file, ok := s.Change.File(w.Proof.Mutant.Path); ok && file.Touches(qa.Range{Start: w.Proof.Mutant.Line, End: w.Proof.Mutant.Line}) {
			f.Severity = qa.High
		}
	}
}

// inOrder are the proofs in the order in which they are shown: first those of a
// difference that nobody wanted; what a test says itself before what is concluded for
// others; and what is called before what calls it, because one defect is seen through
// all of them.
func (s Proofs) inOrder() []Proof {
	proofs := slices.Clone(s.All)
	depth := map[related.Site]int{}
	for _, p := range proofs {
		below := s.Code.Reached(p.Source, p.Target)
		for _, o := range proofs {
			if below[related.Site{Path: o.Source, Symbol: o.Target}] {
				depth[related.Site{Path: p.Source, Symbol: p.Target}]++
			}
		}
	}
	at := func(p Proof) int { return depth[related.Site{Path: p.Source, Symbol: p.Target}] }
	slices.SortStableFunc(proofs, func(a, b Proof) int {
		return cmp.Or(cmp.Compare(wanted(a), wanted(b)), cmp.Compare(silent(a), silent(b)), cmp.Compare(at(a), at(b)))
	})
	return proofs
}

// wanted is higher for a difference that the change announces, and highest for one
// that its own tests assert.
func wanted(p Proof) int {
	switch {
	case p.Asserted != "":
		return 2
	case p.Announced != "":
		return 1
	}
	return 0
}

// silent is 1 for a proof whose test names no finding.
func silent(p Proof) int {
	if p.Finding == "" {
		return 1
	}
	return 0
}

// claimed is the finding that a proof shows, -1 is none: the one its test names,
// which can only be one that was shown with it, where something ties both; else, of a test that
// compares with base, the one that the same test shows already, the one that an
// earlier proof of the function made, or the only new defect claimed of the
// function, then of what it calls, then of what calls it. What another test of
// the function names was not meant by a test that names nothing.
func (s Proofs) claimed(findings []qa.Finding, p Proof, named map[string][]related.Site, told differences) int {
	if p.Was != nil {
		if i := slices.IndexFunc(findings, func(f qa.Finding) bool { return sameFinding(f, p.Was.Fingerprint) }); i >= 0 {
			return i
		}
	}
	meant := s.named(findings, p)
	if meant >= 0 && s.untied(findings[meant], p) == "" {
		return meant
	}
	if !p.Regression || p.Asserted != "" { // what was wanted says nothing of what somebody claims
		return -1
	}
	d := p.difference()
	for i, f := range findings {
		again := f.Proof != nil && f.Proof.Regression && f.Proof.Path == p.Path && sameCode(*f.Proof, p.Proof)
		same := f.Rule.ID == regressionRule && f.Path == p.Source && f.Symbol == p.Target && f.Status == qa.StatusNew
		if again || same && !told.otherwise(i, d) {
			return i
		}
	}
	here := related.Site{Path: p.Source, Symbol: p.Target}
	below := s.Code.Reached(p.Source, p.Target)
	var on, beneath, above []int
	for i, f := range findings {
		defect := slices.Contains(f.Perspectives, qa.Bug) || slices.Contains(f.Perspectives, qa.Security)
		if (p.Written.Difference != "" || meant >= 0) && f.Rule.ID != regressionRule {
			continue // its author knew the claims, and means something else
		}
		if told.otherwise(i, d) {
			continue
		}
		if !defect || f.Status != qa.StatusNew || slices.Contains(named[f.ID], here) {
			continue
		}
		at := related.Site{Path: f.Path, Symbol: f.Symbol}
		switch {
		case at == here, s.Code.Uses(f, p.Source, p.Target), f.Path == p.Source && f.Symbol == "" && f.Lines.Start == 0:
			on = append(on, i)
		case below[at]:
			beneath = append(beneath, i)
		case f.Symbol != "" && f.Path == p.Source && s.Code.Reached(f.Path, f.Symbol)[here]:
			above = append(above, i)
		}
	}
	for _, of := range [][]int{on, beneath, above} {
		switch len(of) {
		case 0:
			continue
		case 1:
			return of[0]
		}
		return -1 // which of them cannot be told
	}
	return -1
}

// sameCode reports that two proofs are one test, written for two functions: the
// same text but for its name and white space.
func sameCode(a, b qa.Proof) bool {
	bare := func(p qa.Proof) string {
		name := p.Test[strings.LastIndex(p.Test, " > ")+1:]
		name = strings.TrimPrefix(name, "> ")
		if path.Ext(p.Path) == ".py" {
			name = name[strings.LastIndexByte(name, '.')+1:]
		}
		return strings.Join(strings.Fields(strings.ReplaceAll(p.Code, name, "")), " ")
	}
	return a.Code != "" && bare(a) == bare(b)
}

// wrote reports whether the change touched the lines of a finding.
func (s Proofs) wrote(f qa.Finding) bool {
	file, ok := s.Change.File(f.Path)
	return ok && file.Alters(f.Lines)
}
