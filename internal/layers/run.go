package layers

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/baseline"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/session"
	"github.com/org/qa-action/internal/wording"
)

// part measures what the tests of one layer cover. Only of a target where tests
// of other layers ran as well the layer's are run once more: its coverage report
// does not tell them apart.
func (m Meter) part(ctx context.Context, l *qa.LayerResult, b *baseline.Baseline) error {
	if !ownTests(l, b) {
		return nil
	}
	var heads []*qa.Coverage
	var said strings.Builder
	defer func() { m.keep(l.Layer, said.String()) }()
	for _, ran := range b.Runs {
		covered, reason, last := ran.Head.Coverage, ran.Head.CoverageReason, ran.Head
		switch own := executor.Of(l.Layer, ran.Tests.Cases); {
		case !executor.Executed(own):
			continue
		case executor.Whole(l.Layer, ran.Tests.Cases):
		case !m.Time.Affords(ran.Head.Seconds):
			// What all tests cover is the most that these can cover.
			l.Reason = strings.TrimPrefix(fmt.Sprintf("%s: coverage counts tests of other layers, too: to run these apart takes up to %.0f s; raise timeout", ran.Target.Name, ran.Head.Seconds), ".: ")
			m.Notes.Cut("time: %s, %s", l.Layer, l.Reason)
		default:
			run, err := m.again(ctx, ran.Target, l.Layer, own)
			if err != nil {
				return err
			}
			covered, reason, last = run.Coverage, cmp.Or(run.Inconclusive, run.CoverageReason), run
		}
		fmt.Fprintf(&said, "%s: %s\nexit code %d\n%s\n\n", ran.Target.Name, wording.Command(last.Command), last.ExitCode, last.Tail)
		if covered == nil {
			l.Reason = strings.TrimPrefix(ran.Target.Name+": coverage of the layer is unknown: "+reason, ".: ")
			continue
		}
		heads = append(heads, covered)
		m.counted(l.Layer, ran.Target, covered)
	}
	if len(heads) == 0 {
		return nil
	}
	Cover(l, heads, m.Change, m.Config)
	return nil
}

// maxOutput is how much of what the tests of a layer said is kept, in bytes.
const maxOutput = 64 << 10

// keep leaves the last words of a layer's test commands in the session.
func (m Meter) keep(layer qa.Layer, said string) {
	if said != "" {
		m.Notes.Note(m.Session.WriteFile("results/output-"+string(layer)+".txt", []byte(wording.Bytes(said, maxOutput))))
	}
}

// counted leaves what the tests of a layer of a target cover.
func (m Meter) counted(layer qa.Layer, t executor.Target, covered *qa.Coverage) {
	m.Notes.Note(m.Session.WriteJSON("results/run-"+string(layer)+"/"+session.Segment(t.Name)+"/measured.json", baseline.CountersOf(covered)))
}

// again runs one layer's tests of a target.
func (m Meter) again(ctx context.Context, t executor.Target, layer qa.Layer, cases []qa.Case) (executor.Run, error) {
	ws, err := m.Copies.Open(ctx)
	if err != nil {
		return executor.Run{}, err
	}
	return executor.Suite(ctx, ws, t, executor.Options{
		Name: "layer-" + string(layer), Keep: m.Session.Place("results", "run-"+string(layer), session.Segment(t.Name)),
		Coverage: true, Tests: executor.Files(cases), Timeout: m.Config.TaskTimeout, Live: m.Live,
	})
}

// WithKept measures the suite with the kept tests in it.
func (m Meter) WithKept(ctx context.Context, task string, l *qa.LayerResult, b *baseline.Baseline) error {
	ws, err := m.Copies.Open(ctx)
	if err != nil {
		return err
	}
	var heads []*qa.Coverage
	var tally qa.Tally
	for _, ran := range b.Runs {
		run, err := executor.Suite(ctx, ws, ran.Target, executor.Options{
			Name: "after-" + task, Keep: m.Session.Place("results", "after-"+task, session.Segment(ran.Target.Name)),
			Coverage: true, Timeout: m.Config.TaskTimeout, Live: m.Live, Generated: true,
		})
		if err != nil {
			return err
		}
		if run.Inconclusive != "" || run.Coverage == nil {
			return nil // the numbers from before the tests stand
		}
		heads, tally = append(heads, run.Coverage), tally.Plus(run.Suite.Tally())
	}
	if len(heads) == 0 {
		return nil
	}
	for i, ran := range b.Runs { // for a merge, in place of those without the tests
		m.counted(l.Layer, ran.Target, heads[i])
	}
	l.Tally = &tally
	Cover(l, heads, m.Change, m.Config)
	return nil
}
