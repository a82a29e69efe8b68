package markdown

import (
	"io"
	"slices"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/fit"
	"github.com/org/qa-action/internal/reporter/sink"
)

// Comment writes the pull request comment: verdict and gates first, then
// what needs a person, then everything else folded. The hidden marker by which
// the comment is found again is the sender's business.
func Comment(w io.Writer, r *qa.Report, o sink.Options) error {
	p := page{r: r, o: o, folds: true, open: 5}
	_, err := io.WriteString(w, fit.Sections(p.sections(), o.Budget))
	return err
}

// sections is the page order of comment and job summary.
func (p page) sections() []fit.Section {
	all := append([]fit.Section{headSection(p)}, gateSections(p)...)
	all = append(all, accountSections(p)...)
	all = append(all, sinceSection(p), failingSection(p), problemsSection(p), warningsSection(p), excusedSection(p), quarantineSection(p), patchSection(p))
	all = append(all, findingSections(p)...)
	all = append(all, movedSection(p), flakySection(p), generatedSection(p), mutationSection(p))
	if !p.quiet() {
		all = append(all, scoreSection(p), recommendationsSection(p))
	}
	return present(append(all, coverageSection(p), patternsSection(p), manifestSection(p), footSection(p)))
}

// quiet is a result that needs nobody: no gate that decides did other than pass.
func (p page) quiet() bool {
	if p.r.Result != qa.Pass || p.r.Partial {
		return false
	}
	return !slices.ContainsFunc(p.r.Gates, func(g qa.Gate) bool { return decides(g.Verdict) })
}

// present leaves sections out that have nothing to show.
func present(all []fit.Section) []fit.Section {
	return each.Where(all, func(s fit.Section) bool { return s.Open != "" || len(s.Items) > 0 })
}
