package reporter

import (
	"io"

	"github.com/org/qa-action/internal/qa"
)

// renderComment writes the pull request comment: verdict and gates first, then
// what needs a person, then everything else folded. The hidden marker by which
// the comment is found again is the sender's business.
func renderComment(w io.Writer, r *qa.Report, o Options) error {
	p := page{r: r, o: o, folds: true, open: 5}
	_, err := io.WriteString(w, fit(p.sections(), o.Budget))
	return err
}

// sections is the page order of comment and job summary.
func (p page) sections() []section {
	all := append([]section{p.head()}, p.gates()...)
	all = append(all, p.account()...)
	all = append(all, p.since(), p.failing(), p.problems(), p.warnings(), p.excused(), p.quarantine(), p.patch())
	all = append(all, p.findings()...)
	all = append(all, p.moved(), p.flaky(), p.generated(), p.mutation())
	if !p.quiet() {
		all = append(all, p.score(), p.recommendations())
	}
	return present(append(all, p.coverage(), p.patterns(), p.manifest(), p.foot()))
}

// quiet is a result that needs nobody: no gate that decides did other than pass.
func (p page) quiet() bool {
	if p.r.Result != qa.Pass || p.r.Partial {
		return false
	}
	for _, g := range p.r.Gates {
		if decides(g.Verdict) {
			return false
		}
	}
	return true
}

// present leaves sections out that have nothing to show.
func present(all []section) []section {
	var out []section
	for _, s := range all {
		if s.open != "" || len(s.items) > 0 {
			out = append(out, s)
		}
	}
	return out
}
