package reporter

import (
	"io"

	"github.com/org/qa-action/internal/qa"
)

// renderSummary writes the job summary: the comment's page with room for more
// of everything, plus strategy and trend.
func renderSummary(w io.Writer, r *qa.Report, o Options) error {
	p := page{r: r, o: o, folds: true, open: 50}
	all := p.sections()
	foot := all[len(all)-1]
	all = append(all[:len(all)-1], present([]section{p.strategy(), p.effectiveness(), p.trend()})...)
	_, err := io.WriteString(w, fit(append(all, foot), o.Budget))
	return err
}
