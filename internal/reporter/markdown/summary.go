package markdown

import (
	"io"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/fit"
	"github.com/org/qa-action/internal/reporter/sink"
)

// Summary writes the job summary: the comment's page with room for more
// of everything, plus strategy and trend.
func Summary(w io.Writer, r *qa.Report, o sink.Options) error {
	p := page{r: r, o: o, folds: true, open: 50}
	all := p.sections()
	foot := all[len(all)-1]
	all = append(all[:len(all)-1], present([]fit.Section{strategySection(p), effectivenessSection(p), trendSection(p)})...)
	_, err := io.WriteString(w, fit.Sections(append(all, foot), o.Budget))
	return err
}
