package executor

import (
	"context"
	"strings"
	"time"

	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/wording"
)

// covered is [Suite] for which a broken coverage tool costs the coverage and
// not the suite: a run with coverage that cannot be judged is repeated without,
// and the reason is kept. next says what one more command may take.
func covered(ctx context.Context, tree Tree, t Target, o Options, next func() (time.Duration, bool)) (Run, error) {
	run, err := Suite(ctx, tree, t, o)
	if err != nil || !o.Coverage || !t.Framework.Coverage || !toolAtFault(run) {
		return run, err
	}
	limit, ok := next()
	if !ok {
		return run, nil
	}
	o.Name, o.Keep, o.Coverage, o.Timeout = o.Name+"-plain", o.Keep.Beside("-plain"), false, limit
	plain, err := Suite(ctx, tree, t, o)
	if err != nil || toolAtFault(plain) {
		return run, err
	}
	plain.CoverageReason = "the tests run only without coverage: " + fault(run)
	return plain, nil
}

// toolAtFault reports whether a run ended in a way in which a coverage tool may
// have ended it: nothing can be judged, or something broke outside of any test.
func toolAtFault(r Run) bool {
	return !r.cut() && (r.Inconclusive != "" || len(r.Suite.Problems) > 0)
}

// fault is what a run says went wrong, in one line.
func fault(r Run) string {
	text := r.Inconclusive
	if text == "" {
		text, _, _ = strings.Cut(r.Suite.Problems[0].Message, "\n")
	}
	if line := diagnosis.Line([]byte(r.Tail)); line != "" && !strings.Contains(text, line) {
		text += ": " + line
	}
	return wording.Fold(text)
}
