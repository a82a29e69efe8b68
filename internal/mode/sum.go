package mode

import (
	"cmp"
	"slices"

	"github.com/org/qa-action/internal/coverage"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
	"github.com/org/qa-action/internal/role/executor"
)

// sumLayer measures a layer over all targets.
func (r *run) sumLayer(row Row, shards []*shard) (result, error) {
	p, err := r.selected(row)
	if err != nil {
		return result{}, err
	}
	l := qa.LayerResult{Layer: row.Layer, Name: row.Layer.Name(), Target: p.Target, State: "unknown", Iterations: 1}
	all := r.own().Cases()
	whole := row.Layer != qa.L3 && executor.Whole(row.Layer, all)
	if whole {
		r.whole(&l)
	}
	if !whole || slices.ContainsFunc(shards, func(s *shard) bool { return len(s.keptIn(row.Layer)) > 0 }) {
		r.addLayers(&l, shards)
	}
	l.Effective = l.State == "measured" && quality.Effective(l.PassRate, l.Iterations)
	out := result{Layer: &l, Findings: layerText(l)}
	if out.Trial, out.Mutation = joinTrials(row, shards); out.Trial != nil {
		out.Findings += trialText(out.Trial)
	}
	return out, nil
}

// keptIn are the kept tests that a shard wrote for a layer.
func (s *shard) keptIn(layer qa.Layer) []qa.GeneratedTest {
	return slices.DeleteFunc(slices.Clone(s.report.Generated), func(g qa.GeneratedTest) bool { return !g.Kept || g.Layer != layer })
}

// addLayers adds up what the shards measured of a layer, beside what is known
// of it already.
func (r *run) addLayers(l *qa.LayerResult, shards []*shard) {
	var (
		tally  qa.Tally
		heads  []*qa.Coverage
		kept   []qa.GeneratedTest
		reason string
		known  = l.Tally != nil // the failures of the layer's own tests are counted
	)
	for _, s := range shards {
		i := slices.IndexFunc(s.report.Coverage.Layers, func(o qa.LayerResult) bool { return o.Layer == l.Layer })
		if i < 0 || s.report.Coverage.Layers[i].Tally == nil {
			if i >= 0 {
				reason = cmp.Or(reason, s.report.Coverage.Layers[i].Reason)
			}
			continue
		}
		part := s.report.Coverage.Layers[i]
		tally = tally.Plus(*part.Tally)
		for _, g := range s.keptIn(l.Layer) {
			if slices.ContainsFunc(kept, func(k qa.GeneratedTest) bool { return alike(k, g) }) { // ran in both
				tally.Tests, tally.Passed = tally.Tests-1, tally.Passed-1
			} else {
				kept = append(kept, g)
			}
		}
		if !known {
			l.NewFailures += part.NewFailures
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
		if l.Layer != qa.L3 && r.own().Tests().Head.Executed() > 0 && len(executor.Of(l.Layer, r.own().Cases())) == 0 {
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
	joined := coverage.Merge(heads...)
	l.Lines = joined.Lines
	if p := coverage.Patch(joined, r.Change.Files, coverage.PatchOptions{Exclude: r.Config.Exclude}); p.Lines.Total > 0 {
		l.Patch = &p.Lines
		l.Below = l.Below && !p.Lines.Reaches(l.Target)
	}
}

// sumModel adds up what the model did and cost.
func (r *run) sumModel(shards []*shard) {
	r.use = &qa.ModelUse{}
	for _, s := range shards {
		m := s.report.Manifest.Model
		u := r.use
		u.Configured = u.Configured || m.Configured
		for _, name := range m.Models {
			if !slices.Contains(u.Models, name) {
				u.Models = append(u.Models, name)
			}
		}
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
}
