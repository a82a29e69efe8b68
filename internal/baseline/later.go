package baseline

import (
	"github.com/org/qa-action/internal/history"
	"github.com/org/qa-action/internal/qa"
)

// ForLater is what this baseline is for later runs, nil when no test ran. scope
// tells the parts of a repository apart.
func (b *Baseline) ForLater(p *qa.Report, scope string) *history.Baseline {
	if p.Tests.Head.Executed() == 0 {
		return nil
	}
	out := history.BaselineOf(*p)
	out.Scope = scope
	out.Opened, out.Whole = b.opened()
	out.Suites = map[string]history.Suite{}
	for _, row := range b.Rows {
		if row.State != "ran" {
			out.Suites, out.Cut = nil, true
		}
	}
	for _, run := range b.Runs {
		if len(run.Head.Suite.Problems) > 0 {
			out.Suites, out.Cut = nil, true
		}
		if out.Suites != nil {
			out.Suites[run.Target.Name] = history.SuiteOf(run.Tests.Cases)
		}
	}
	out = out.Bounded()
	return &out
}
