package past

import (
	"slices"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/history"
	"github.com/org/qa-action/internal/qa"
)

// Evidence are the tests that proved regressions in the last run of the branch, and how
// many of what is remembered no run can have left. The default branch has none: what is
// on it is no change.
func (r *Reader) Evidence(m Memory) (usable []history.Evidence, left int) {
	if r.Default {
		return nil, 0
	}
	return m.Ledger.Usable()
}

// untried are the tests that this run had no answer for: their suite did not run, or not
// on base. What they prove may still be so.
func (m Memory) untried(p *qa.Report) []history.Evidence {
	usable, _ := m.Ledger.Usable()
	return slices.DeleteFunc(usable, func(e history.Evidence) bool {
		return slices.ContainsFunc(p.Generated, func(g qa.GeneratedTest) bool {
			unanswered := g.Base == qa.NotRun && g.Head != ""
			return g.Origin != nil && g.Path == e.Path && g.Code == e.Code && !unanswered
		})
	})
}

// mended are the findings whose remembered proofs pass now, all of them.
func mended(p *qa.Report) map[string]bool {
	var passing, failing []string
	for _, g := range p.Generated {
		switch {
		case g.Origin == nil:
		case g.Kept || slices.Contains([]string{"G7", "G8", "G9", "G11"}, g.Gate): // it passed on both, each time
			passing = append(passing, g.Origin.Finding)
		case g.Gate != "G1": // one that the project has says what its suite says
			failing = append(failing, g.Origin.Finding)
		}
	}
	return each.Set(slices.DeleteFunc(passing, func(id string) bool { return slices.Contains(failing, id) }))
}
