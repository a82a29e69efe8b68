package markdown

import (
	"io"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/fit"
	"github.com/org/qa-action/internal/reporter/sink"
)

// Report writes the quality report of the session directory: every
// section, nothing folded, without a size limit.
func Report(w io.Writer, r *qa.Report, o sink.Options) error {
	p := page{r: r, o: o}
	all := append([]fit.Section{headSection(p)}, gateSections(p)...)
	all = append(all, accountSections(p)...)
	all = append(all, sinceSection(p), scoreSection(p), failingSection(p), problemsSection(p), warningsSection(p), excusedSection(p), quarantineSection(p), flakySection(p), movedSection(p),
		patternsSection(p), patchSection(p), coverageSection(p))
	all = append(all, findingSections(p)...)
	all = append(all, strategySection(p), effectivenessSection(p), generatedSection(p), mutationSection(p), trendSection(p), recommendationsSection(p), manifestSection(p), footSection(p))
	_, err := io.WriteString(w, fit.Sections(present(all), o.Budget))
	return err
}
