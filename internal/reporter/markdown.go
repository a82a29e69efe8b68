package reporter

import (
	"io"

	"github.com/org/qa-action/internal/qa"
)

// renderMarkdown writes the quality report of the session directory: every
// section, nothing folded, without a size limit.
func renderMarkdown(w io.Writer, r *qa.Report, o Options) error {
	p := page{r: r, o: o}
	all := append([]section{p.head()}, p.gates()...)
	all = append(all, p.account()...)
	all = append(all, p.since(), p.score(), p.failing(), p.problems(), p.warnings(), p.excused(), p.quarantine(), p.flaky(), p.moved(),
		p.patterns(), p.patch(), p.coverage())
	all = append(all, p.findings()...)
	all = append(all, p.strategy(), p.effectiveness(), p.generated(), p.mutation(), p.trend(), p.recommendations(), p.manifest(), p.foot())
	_, err := io.WriteString(w, fit(present(all), o.Budget))
	return err
}
