package baseline

import (
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/ci"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/wording"
)

// unreached is what programs say of a server that is not there.
var unreached = pattern.New(`(?i)ECONNREFUSED|connection refused|connect(?:ion)? to server at|could not connect to|can't connect to|cannot connect to|ENOTFOUND|EAI_AGAIN|getaddrinfo|name or service not known|` +
	`temporary failure in name resolution|ServerSelectionTimeout|NoBrokersAvailable|no such host|error (?:-?\d+ )?connecting to`)

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
		switch n := wanting(*run); {
		case run.Head.Inconclusive != "" && (n > 0 || unreached.MatchString(run.Head.Inconclusive+run.Head.Tail)):
			run.Head.Inconclusive += "; it " + needs
		case n > 0:
			b.Unprepared = also(b.Unprepared, fmt.Sprintf("%s of %s fails on both sides and %s", wording.Count(n, "test"), run.Target.Name, needs))
		}
	}
}

// wanting is how many tests of a run failed for want of a server, here and on base
// alike: a new failure is the change's, whatever it says.
func wanting(run executor.Baseline) int {
	return each.Count(run.Tests.Failing, func(f qa.FailingTest) bool {
		return f.Triage != qa.NewFailure && unreached.MatchString(f.Case.Message+f.Case.Output)
	})
}

// rewritten says of a change that writes workflows that they decide nothing here.
func (m measurer) rewritten() {
	for _, f := range m.Change.Files {
		if ci.IsWorkflow(f.Path) || ci.IsWorkflow(f.BasePath()) {
			m.b.Prepared = append(m.b.Prepared, fmt.Sprintf("%s is written by this change: how the tests are made ready follows from base's", f.Path))
		}
	}
}
