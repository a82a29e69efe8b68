package baseline

import (
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/ci"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/wording"
)

// services names the services of the repository's own workflow where tests fail for
// want of a server, and why they could not be started.
func (b *Baseline) services(j ci.Job, why string) {
	if len(j.Services) == 0 {
		return
	}
	names := each.Of(j.Services, func(s ci.Service) string { return fmt.Sprintf("%s (%s)", wording.Line(s.Image, 60), s.Source) })
	for i := range b.Runs {
		run := &b.Runs[i]
		needs := fmt.Sprintf("needs a service that the repository's own workflow starts: %s; start it where the tests reach it, as in a job with the same services", strings.Join(names, ", "))
		if why != "" {
			needs += "; it could not be started: " + why
		}
		switch n := executor.Wanting(*run); {
		case run.Head.Inconclusive != "" && (n > 0 || executor.Unreached(run.Head.Inconclusive+run.Head.Tail)):
			run.Head.Inconclusive += "; it " + needs
		case n > 0:
			b.Unprepared = also(b.Unprepared, fmt.Sprintf("%s of %s fails on both sides and %s", wording.Count(n, "test"), run.Target.Name, needs))
		}
	}
}

// rewritten says of a change that writes workflows that they decide nothing here.
func (m measurer) rewritten() {
	for _, f := range m.Change.Files {
		if ci.IsWorkflow(f.Path) || ci.IsWorkflow(f.BasePath()) {
			m.b.Prepared = append(m.b.Prepared, fmt.Sprintf("%s is written by this change: how the tests are made ready follows from base's", f.Path))
		}
	}
}
