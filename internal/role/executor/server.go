package executor

import (
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
)

// unreached is what programs say of a server that is not there.
var unreached = pattern.New(`(?i)ECONNREFUSED|connection refused|connect(?:ion)? to server at|could not connect to|can't connect to|cannot connect to|ENOTFOUND|EAI_AGAIN|getaddrinfo|name or service not known|` +
	`temporary failure in name resolution|ServerSelectionTimeout|NoBrokersAvailable|no such host|error (?:-?\d+ )?connecting to`)

// Unreached reports whether a text says that a server is not there.
func Unreached(text string) bool { return unreached.MatchString(text) }

// Wanting is how many tests of a run failed for want of a server, here and on base
// alike: a new failure is the change's, whatever it says.
func Wanting(run Baseline) int {
	return each.Count(run.Tests.Failing, func(f qa.FailingTest) bool {
		return f.Triage != qa.NewFailure && Unreached(f.Case.Message+f.Case.Output)
	})
}
