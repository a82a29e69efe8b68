package executor

import (
	"fmt"

	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/qa"
)

// nearlyAll is the share of tests, and of failures with one message, from which
// on failing alike on both sides is a fault of the environment.
const nearlyAll = 0.8

// environment takes back a verdict that is about the place instead of the
// change: when nothing passes, or nearly everything fails in one way, on head
// and base alike, the tests were not able to tell anything.
func (b *Baseline) environment() {
	if b.Head.Inconclusive != "" {
		return
	}
	var failing []qa.FailingTest
	for _, f := range b.Tests.Failing {
		switch {
		case f.Triage == qa.NewFailure:
			return
		case f.Triage == qa.PreExisting || f.Triage == qa.UnknownFailure:
			failing = append(failing, f)
		}
	}
	if len(failing) == 0 {
		return
	}
	ran, passed := b.Tests.Head.Executed(), b.Tests.Head.Passed+b.Tests.Head.Flaky
	groups := qa.GroupFailures(failing)
	share := float64(groups[0].Count) / float64(max(ran, len(failing)))
	if passed > 0 && share < nearlyAll {
		return
	}
	where := "on head and base alike"
	if groups[0].Triage == qa.UnknownFailure {
		where = "on head, and base could not be judged"
	}
	if b.Head.ExitOnly && b.Target.Framework.Browser {
		// It is said of the target; a browser that is not there is no failing test.
		b.Unavailable = groups[0].Message
		b.Tests.Failing, b.Tests.Problems, b.Head.Suite.Problems = nil, nil, nil
	}
	what := fmt.Sprintf("%d of %d tests fail %s", len(failing), max(ran, len(failing)), where)
	switch {
	case b.Head.ExitOnly:
		what = "the command fails " + where + ", and how many tests do it does not say"
	case ran == 0:
		what = fmt.Sprintf("no test could be started %s", where)
	}
	message := groups[0].Message
	if line := diagnosis.Line([]byte(failing[0].Case.Message)); len(groups) == 1 && line != "" {
		message = line // its first line may be a place
	}
	why := what + ": " + message
	if adapter, err := framework.For(b.Target.Framework.Framework); err == nil {
		d := adapter.Explain(b.Head.ExitCode, failing[0].Case.Message+"\n"+failing[0].Case.Output)
		if d.Proof = ""; d.Kind != "" { // the message has it
			why += "; " + d.String()
		}
	}
	b.Head.Inconclusive = why
}
