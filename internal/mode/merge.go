package mode

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/coverage"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/pipeline"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/scan"
	"github.com/org/qa-action/internal/session"
)

// Merge joins finished sessions of one commit into a new one, as if one run had
// measured all of their targets: counters are added up, never percentages, and
// everything that follows from them is worked out again. d describes the whole
// run, in a checkout of that commit; dirs are sessions, or directories that
// hold some. expect is how many there must be, 0 for no expectation.
//
// The error lists everything that keeps the shards apart or is missing; then
// nothing was written.
func Merge(ctx context.Context, d Deps, dirs []string, expect int) (*Result, error) {
	d.Model, d.Resume, d.ResumeID = nil, false, ""
	r := newRun(d)
	shards, err := r.shards(dirs, expect)
	if err != nil {
		return nil, err
	}
	if err := r.open(); err != nil {
		return nil, err
	}
	r.place = newPlace(r)
	r.place.once.Do(func() { r.place.err = errors.New("a merge runs nothing") })
	r.recall(ctx)
	r.base = joinMeasured(r, shards)
	err = r.replay(ctx, shards)
	partial := err != nil || slices.ContainsFunc(shards, func(s *shard) bool { return s.report.Partial })
	report := r.assemble(partial)
	report.Manifest.Seconds = 0
	for _, s := range shards {
		report.Manifest.Seconds += s.report.Manifest.Seconds
	}
	r.enter(ctx, report)
	files, writeErr := r.write(report)
	err = errors.Join(err, writeErr, r.session.Finish(session.Finished), r.session.Close())
	return &Result{Report: report, Dir: r.session.Dir(), Files: files}, err
}

// shards reads the sessions and holds them against each other and the whole.
func (r *run) shards(dirs []string, expect int) ([]*shard, error) {
	var (
		shards   []*shard
		problems []error
		seen     []string
	)
	for _, dir := range dirs {
		found, err := sessionsIn(dir)
		problems = append(problems, err)
		for _, name := range found {
			if real, err := filepath.EvalSymlinks(name); err == nil {
				name = real
			}
			if slices.Contains(seen, name) {
				continue
			}
			seen = append(seen, name)
			s, err := openShard(name)
			problems = append(problems, err)
			if s != nil {
				shards = append(shards, s)
			}
		}
	}
	if expect > 0 && len(seen) != expect {
		problems = append(problems, fmt.Errorf("%d shards expected, %d found: %s", expect, len(seen), or(strings.Join(seen, ", "), "none")))
	}
	for _, s := range shards {
		problems = append(problems, r.fits(s))
	}
	problems = append(problems, r.covers(shards))
	return shards, errors.Join(problems...)
}

// fits holds a shard against the run it is to be a part of.
func (r *run) fits(s *shard) error {
	var problems []error
	differs := func(what, has, want string) {
		if has != want {
			problems = append(problems, fmt.Errorf("shard %s is of another %s: %s, the merge is of %s", s.name, what, or(has, "unknown"), or(want, "unknown")))
		}
	}
	differs("commit", s.meta.Key.Head, r.Change.Head+treeDigest(r.Root, r.Change))
	differs("base", s.report.Change.Base, r.Change.Base)
	differs("configuration", s.about.Config, common(*r.Config))
	differs("mode", s.meta.Mode, string(r.mode))
	differs("depth", s.meta.Depth, string(r.depth))
	differs("version of qa", s.report.Manifest.Version, r.Version)
	return errors.Join(problems...)
}

// covers makes sure that every target was measured, and by one shard only.
func (r *run) covers(shards []*shard) error {
	var problems []error
	by := map[string]string{}
	for _, s := range shards {
		for _, m := range s.measured {
			if first, twice := by[m.Target.Name]; twice {
				problems = append(problems, fmt.Errorf("target %s was measured by two shards: %s and %s", m.Target.Name, first, s.name))
			}
			by[m.Target.Name] = s.name
		}
		for _, row := range s.about.Missing {
			by[row.Name] = s.name
		}
	}
	all := &baseline{also: map[string]string{}}
	if _, nothing := quality.NothingToTest(r.Change); nothing || len(shards) == 0 {
		return errors.Join(problems...)
	}
	if err := all.detect(framework.Here(), r.Root, r.Config); err != nil {
		return err
	}
	for _, t := range all.targets {
		if by[t.Name] == "" {
			problems = append(problems, fmt.Errorf("no shard measured target %s (%s in %s)", t.Name, t.Framework.Framework, t.Dir))
		}
	}
	return errors.Join(problems...)
}

// joinMeasured is the baseline that one run of all targets would have had.
func joinMeasured(r *run, shards []*shard) *baseline {
	b := &baseline{done: make(chan struct{}), also: map[string]string{}}
	close(b.done)
	for _, s := range shards {
		if b.driver == "" {
			b.driver, b.levels = s.about.Driver, s.about.Levels
		}
		maps.Copy(b.also, s.about.Also)
		for _, m := range s.measured {
			run := m.restore()
			r.past.setAside(run.Tests.Failing)
			b.runs, b.targets = append(b.runs, run), append(b.targets, run.Target)
		}
	}
	byName := func(x, y string) int { return strings.Compare(x, y) }
	slices.SortFunc(b.runs, func(x, y executor.Baseline) int { return byName(x.Target.Name, y.Target.Name) })
	slices.SortFunc(b.targets, func(x, y executor.Target) int { return byName(x.Name, y.Name) })
	for _, run := range b.runs {
		b.rows = append(b.rows, targetRow(run))
	}
	for _, s := range shards {
		b.rows = append(b.rows, s.about.Missing...)
	}
	if len(b.runs) > 0 {
		b.combine(r)
	} else if _, nothing := quality.NothingToTest(r.Change); nothing {
		b.reason = "nothing to test"
	}
	return b
}

// replay gives every task of the table its outcome: joined from the shards
// where it measured or wrote something, worked out anew where it decided.
func (r *run) replay(ctx context.Context, shards []*shard) error {
	r.sumModel(shards)
	_, waves, err := Plan(r.mode, r.depth, r.Config.E2eCommand != "")
	if err != nil {
		return err
	}
	for _, id := range r.order {
		row := r.rows[id]
		o := pipeline.Outcome[result]{ID: id, Wave: waves[id], State: pipeline.Completed, Start: r.started, End: r.started}
		switch {
		case row.Role == Scout && !row.Regression:
			o.Value = r.sameScan(id, shards)
		case row.Role == Strategist:
			o.Value, err = r.plan(ctx)
		case row.Role == Executor:
			o.Value, err = r.sumLayer(row, shards)
		case row.Role == Analyst:
			o.Value, err = r.analyse(ctx)
		default:
			err = notRun(id, shards)
		}
		switch {
		case pipeline.IsSkip(err):
			o.State, o.Err = pipeline.Skipped, err
		case err != nil:
			o.State, o.Err = pipeline.Failed, err
		}
		if err := r.enterOutcome(o, row, shards); err != nil {
			return err
		}
	}
	return nil
}

// enterOutcome takes an outcome over as the scheduler would; no further task
// follows from it.
func (r *run) enterOutcome(o pipeline.Outcome[result], row Row, shards []*shard) error {
	r.outcomes[o.ID] = o
	v := o.Value
	if v.Scan != nil {
		r.scan = v.Scan
	}
	if v.Strategy != nil {
		r.strategy, r.gaps = v.Strategy, v.Gaps
	}
	if v.Layer != nil {
		r.layers[v.Layer.Layer] = *v.Layer
	}
	if row.Role == Executor {
		r.takeTrials(row.Layer, shards)
	}
	if err := r.session.BeginWave(o.Wave, []string{o.ID}); err != nil {
		return err
	}
	if err := r.record(o, row); err != nil {
		return err
	}
	return r.session.EndWave(o.Wave)
}

// takeTrials takes over the generated tests of a layer with all its rounds.
func (r *run) takeTrials(layer qa.Layer, shards []*shard) {
	for _, s := range shards {
		for _, id := range sortedKeys(s.results) {
			v := s.results[id]
			if v.Layer == nil || v.Layer.Layer != layer {
				continue
			}
			if v.Trial != nil {
				r.take(*v.Trial)
			}
			if m := v.Mutation; m != nil {
				if r.mutation == nil {
					r.mutation = &mutation{}
				}
				r.mutation.Mutants = append(r.mutation.Mutants, m.Mutants...)
				sum, add := &r.mutation.Before, m.Before
				sum.Killed, sum.Survived, sum.Timeout = sum.Killed+add.Killed, sum.Survived+add.Survived, sum.Timeout+add.Timeout
				sum.NoCover, sum.Invalid = sum.NoCover+add.NoCover, sum.Invalid+add.Invalid
			}
		}
	}
}

// notRun says why a task is not part of a merge, in the words of the shards.
func notRun(id string, shards []*shard) error {
	for _, s := range shards {
		for _, t := range s.report.Manifest.Tasks {
			if t.ID == id && t.Status == string(pipeline.Skipped) {
				return pipeline.Skip(t.Detail)
			}
		}
	}
	return pipeline.Skip("done by the shards")
}

func (r *run) sameScan(id string, shards []*shard) result {
	var parts []scan.Result
	for _, s := range shards {
		if v := s.results[id].Scan; v != nil {
			parts = append(parts, *v)
		}
	}
	joined := joinScans(r, parts)
	return result{Scan: &joined, Findings: scanText(joined)}
}

// sumLayer measures a layer over all targets.
func (r *run) sumLayer(row Row, shards []*shard) (result, error) {
	p, err := r.selected(row)
	if err != nil {
		return result{}, err
	}
	l := qa.LayerResult{Layer: row.Layer, Name: row.Layer.Name(), Target: p.Target, State: "unknown", Iterations: 1}
	all := r.base.cases()
	if cases := executor.Of(row.Layer, all); row.Layer != qa.L3 && len(cases) == len(all) && len(all) > 0 && len(r.generatedIn(row.Layer, shards)) == 0 {
		r.whole(&l)
	} else {
		r.addLayers(&l, shards)
	}
	l.Effective = l.State == "measured" && quality.Effective(l.PassRate, l.Iterations)
	return result{Layer: &l, Findings: layerText(l)}, nil
}

func (r *run) generatedIn(layer qa.Layer, shards []*shard) []qa.GeneratedTest {
	var out []qa.GeneratedTest
	for _, s := range shards {
		for _, g := range s.report.Generated {
			if g.Layer == layer && g.Kept {
				out = append(out, g)
			}
		}
	}
	return out
}

// addLayers adds up what the shards measured of a layer.
func (r *run) addLayers(l *qa.LayerResult, shards []*shard) {
	var (
		tally  qa.Tally
		failed float64
		heads  []*qa.Coverage
	)
	for _, s := range shards {
		i := slices.IndexFunc(s.report.Coverage.Layers, func(o qa.LayerResult) bool { return o.Layer == l.Layer })
		if i < 0 || s.report.Coverage.Layers[i].Tally == nil {
			if i >= 0 && l.Reason == "" {
				l.Reason = s.report.Coverage.Layers[i].Reason
			}
			continue
		}
		part := s.report.Coverage.Layers[i]
		tally = plus(tally, *part.Tally)
		if part.PassRate != nil {
			failed += (1 - *part.PassRate) * float64(part.Tally.Executed())
		}
		l.Iterations, l.Rounds, l.Below = max(l.Iterations, part.Iterations), max(l.Rounds, part.Rounds), l.Below || part.Below
		own := s.layers[l.Layer]
		if len(own) == 0 && part.Lines != nil { // every test of the shard is of this layer
			for _, m := range s.measured {
				own = append(own, m.Head.coverage())
			}
		}
		heads = append(heads, own...)
	}
	if tally.Executed() == 0 {
		l.Reason = or(l.Reason, "no test was executed")
		return
	}
	rate := 1 - failed/float64(tally.Executed())
	l.State, l.Reason, l.Tally, l.PassRate = "measured", "", &tally, &rate
	heads = slices.DeleteFunc(heads, func(c *qa.Coverage) bool { return c == nil })
	if len(heads) == 0 {
		l.Reason = "coverage of the layer is unknown"
		return
	}
	joined := coverage.Merge(heads...)
	l.Lines = joined.Lines
	if p := coverage.Patch(joined, r.Change.Files, coverage.PatchOptions{Exclude: r.Config.Exclude}); p.Lines.Total > 0 {
		l.Patch = &p.Lines
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
		u.Error = or(u.Error, m.Error)
	}
}
