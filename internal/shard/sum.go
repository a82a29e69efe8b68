package shard

import (
	"cmp"
	"slices"

	"github.com/org/qa-action/internal/baseline"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/layers"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/task"
	"github.com/org/qa-action/internal/trials"
)

// Layer measures a layer over all targets.
func (w Whole) Layer(row task.Row, p qa.LayerPlan, b *baseline.Baseline, shards Shards) task.Result {
	l := layers.Unmeasured(p)
	whole := row.Layer != qa.L3 && executor.Whole(row.Layer, b.Cases())
	if whole {
		layers.Whole(&l, b, w.Config)
	}
	kept := slices.ContainsFunc(shards, func(s *shard) bool { return len(s.keptIn(row.Layer)) > 0 })
	if own := l.Patch; !whole || kept {
		if w.addLayers(&l, b, shards); own != nil && kept {
			l.OwnPatch = own
		}
	}
	l.Effective = l.State == "measured" && quality.Effective(l.PassRate, l.Iterations)
	out := task.Result{Layer: &l, Findings: layers.Text(l)}
	if out.Trial, out.Mutation = joinTrials(row, shards); out.Trial != nil {
		out.Findings += out.Trial.Text()
	}
	return out
}

// keptIn are the kept tests that a shard wrote for a layer.
func (s *shard) keptIn(layer qa.Layer) []qa.GeneratedTest {
	return each.Where(s.report.Generated, func(g qa.GeneratedTest) bool { return g.Kept && g.Layer == layer })
}

// addLayers adds up what the shards measured of a layer, beside what is known
// of it already.
func (w Whole) addLayers(l *qa.LayerResult, b *baseline.Baseline, shards Shards) {
	var (
		tally  qa.Tally
		heads  []*qa.Coverage
		kept   []qa.GeneratedTest
		reason string
		known  = l.Tally != nil // the failures of the layer's own tests are counted
	)
	for _, s := range shards {
		part, _ := each.First(s.report.Coverage.Layers, func(o qa.LayerResult) bool { return o.Layer == l.Layer })
		if part.Tally == nil {
			reason = cmp.Or(reason, part.Reason)
			continue
		}
		tally = tally.Plus(*part.Tally)
		for _, g := range s.keptIn(l.Layer) {
			if slices.ContainsFunc(kept, func(k qa.GeneratedTest) bool { return trials.Alike(k, g) }) { // ran in both
				tally.Tests, tally.Passed = tally.Tests-1, tally.Passed-1
			} else {
				kept = append(kept, g)
			}
		}
		if !known {
			l.NewFailures += part.NewFailures
			l.Failed = append(l.Failed, part.Failed...)
		}
		l.Iterations, l.Rounds, l.Below = max(l.Iterations, part.Iterations), max(l.Rounds, part.Rounds), l.Below || part.Below
		own := s.layers[l.Layer]
		if len(own) == 0 && part.Lines != nil { // every test of the shard is of this layer
			for _, m := range s.measured {
				own = append(own, m.Head.WithLines())
			}
		}
		heads = append(heads, own...)
	}
	if tally.Executed() == 0 {
		l.Reason = cmp.Or(reason, "no test was executed")
		if l.Layer != qa.L3 && b.Tests().Head.Executed() > 0 && len(executor.Of(l.Layer, b.Cases())) == 0 {
			l.Reason = "the repository has no " + l.Layer.Name() + " tests" // whatever a shard without tests says
		}
		return
	}
	l.State, l.Reason, l.Tally, l.PassRate = "measured", "", &tally, tally.PassRate()
	heads = slices.DeleteFunc(heads, func(c *qa.Coverage) bool { return c == nil })
	if len(heads) == 0 {
		l.Reason = "coverage of the layer is unknown"
		return
	}
	before := l.Patch
	if layers.Cover(l, heads, w.Change, w.Config); l.Patch != before {
		l.Below = l.Below && !l.Reached()
	}
}

// Partial reports whether one of the shards ended before its tasks were done.
func (all Shards) Partial() bool {
	return slices.ContainsFunc(all, func(s *shard) bool { return s.report.Partial })
}

// Seconds is how long all shards took together.
func (all Shards) Seconds() (sum float64) {
	for _, s := range all {
		sum += s.report.Manifest.Seconds
	}
	return sum
}

// Model adds up what the model did and cost.
func (all Shards) Model() (u qa.ModelUse) {
	for _, s := range all {
		m := s.report.Manifest.Model
		u.Configured = u.Configured || m.Configured
		u.Models = each.Added(u.Models, m.Models...)
		u.Calls, u.Cached, u.Retries, u.Truncated = u.Calls+m.Calls, u.Cached+m.Cached, u.Retries+m.Retries, u.Truncated+m.Truncated
		u.Prompt, u.Completion = u.Prompt+m.Prompt, u.Completion+m.Completion
		if m.CostUSD != nil {
			if u.CostUSD == nil {
				u.CostUSD = new(float64)
			}
			*u.CostUSD += *m.CostUSD
		}
		u.Error = cmp.Or(u.Error, m.Error)
	}
	return u
}
