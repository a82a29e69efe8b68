package baseline

import (
	"context"
	"io"

	"github.com/org/qa-action/internal/budget"
	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/checks"
	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/copies"
	"github.com/org/qa-action/internal/past"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/session"
	"github.com/org/qa-action/internal/targets"
)

// Options are what measuring needs.
type Options struct {
	checkout.Checkout
	Config  *config.Config
	Session *session.Session // keeps what was measured
	Copies  *copies.Copies
	Past    past.Memory
	Time    budget.Time
	Version string
	// Progress gets one line per step, Live the output of test commands; Live may
	// be nil.
	Progress, Live io.Writer
}

// Run is a baseline under way. It starts beside the first wave and is joined
// before the strategist.
type Run struct {
	done     chan struct{}
	baseline *Baseline // to be read when done is closed
	err      error     // the copies could not be opened, or the run was cancelled
}

// Start measures in a goroutine of its own.
func Start(ctx context.Context, o Options) *Run {
	r := &Run{done: make(chan struct{}), baseline: &Baseline{Found: targets.Found{Also: map[string]string{}}}}
	go func() {
		defer close(r.done)
		m := measurer{Options: o, b: r.baseline}
		m.b.Reading = reading(o)
		if r.baseline.Unneeded = m.unneeded(); r.baseline.Unneeded != "" {
			r.baseline.Coverage.Reason = notNeeded
			return
		}
		if r.err = m.measure(ctx); r.err == nil {
			r.err = check(ctx, m)
		}
	}()
	return r
}

// check runs what the test scripts check beside their tests. Of a run's parts, the first
// one does.
func check(ctx context.Context, m measurer) error {
	ws, err := m.Copies.Open(ctx)
	if err != nil {
		return err
	}
	r := checks.Runner{Checkout: m.Checkout, Config: m.Config, Copies: m.Copies, Head: ws, Ahead: m.b.Ahead, Elsewhere: m.Config.Shard.Index > 1, Changed: m.Change.Base != "" && m.Touches(m.b.Read...), Left: m.Time.ForBaseline,
		Keep: m.Session.Place("results", "baseline", "checks"), Progress: m.Progress, Live: m.Live}
	if m.b.Checked, err = r.Run(ctx, m.b.Checks); err != nil {
		return err
	}
	for i, o := range m.b.Checked {
		switch {
		case o.Unended && m.b.Checks[i].Beside:
			m.b.Command = also(m.b.Command, "what the project's own command runs besides did not end: "+o.Check)
		case o.Unended:
			m.b.Rows = append(m.b.Rows, qa.TargetRow{Name: o.Check, Dir: m.Config.WorkingDirectory, State: "inconclusive", Reason: "a check of the test script did not end: " + o.Reason})
		}
	}
	less, err := r.Less(ctx, m.b.Checks, m.b.Checked)
	if less != "" {
		m.b.Command = also(m.b.Command, less)
	}
	return err
}

const notNeeded = "no test was needed"

// Over is a run of which everything is known.
func Over(b *Baseline) *Run {
	r := &Run{done: make(chan struct{}), baseline: b}
	close(r.done)
	return r
}

// Wait joins the baseline. With an error comes what was measured until then; nil
// when it is not over.
func (r *Run) Wait(ctx context.Context) (*Baseline, error) {
	select {
	case <-r.done:
		return r.baseline, r.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Join waits as long as it takes.
func (r *Run) Join() *Baseline {
	<-r.done
	return r.baseline
}

// Known is the baseline when it is over, else nil.
func (r *Run) Known() *Baseline {
	select {
	case <-r.done:
		return r.baseline
	default:
		return nil
	}
}
