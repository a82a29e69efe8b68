package mode

import (
	"fmt"
	"maps"
	"slices"

	"github.com/org/qa-action/internal/artifact"
	"github.com/org/qa-action/internal/pipeline"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
	"github.com/org/qa-action/internal/session"
)

// apply takes an outcome into the run's state and the session; it is called by
// the scheduler's goroutine, in the order of tasks.
func (r *run) apply(o pipeline.Outcome[result]) (pipeline.Addition[result], error) {
	r.outcomes[o.ID] = o
	row := r.rows[o.ID]
	v := o.Value
	switch {
	case v.Scan != nil && row.Regression:
		r.regression = v.Scan
	case v.Scan != nil:
		r.scan = v.Scan
	}
	if v.Gaps != nil {
		r.gaps = v.Gaps
	}
	if v.Strategy != nil {
		r.strategy = v.Strategy
	}
	if v.Layer != nil {
		r.layers[v.Layer.Layer] = *v.Layer
	}
	if v.Mutation != nil {
		r.mutation, r.mutants = v.Mutation, v.Mutation.Mutants
	}
	if row.Role == Analyst {
		r.advice = v.Advice
	}
	if row.Role == Generator {
		r.candidates[row.Layer.Name()+fmt.Sprint(row.Round)] = v.Candidates
	}
	if v.Trial != nil {
		r.take(*v.Trial)
	}
	if err := r.record(o, row); err != nil {
		return pipeline.Addition[result]{}, err
	}
	return r.rounds(o, row)
}

// record writes an outcome into the session: the table, the artifacts, the
// board and the messages.
func (r *run) record(o pipeline.Outcome[result], row Row) error {
	err := r.session.Update(o.ID, func(t *session.Task) {
		t.Status, t.Findings, t.Error = session.Status(o.State), o.Value.Findings, ""
		if o.State == pipeline.Interrupted {
			t.Status = session.Pending
		}
		if o.Err != nil {
			t.Error = o.Err.Error()
		}
		t.QualityScore = o.Value.Score
		if s := o.Value.Scan; s != nil {
			n := 0
			for _, f := range s.Findings {
				if f.Counts() {
					n++
				}
			}
			t.IssuesFound = &n
		}
		if l := o.Value.Layer; l != nil {
			t.PassRate = l.PassRate
			if l.Patch != nil {
				if rate, ok := l.Patch.Rate(); ok {
					percent := 100 * rate
					t.CoverageAchieved = &percent
				}
			}
		}
	})
	if err != nil {
		return err
	}
	if o.State == pipeline.Completed && !o.Reused {
		if err := r.session.Keep(o.ID, r.inputs(o.ID), o.Value); err != nil {
			return err
		}
	}
	if row.Role == Executor && o.State == pipeline.Completed {
		if err := r.session.EndInteractive(o.ID); err != nil {
			return err
		}
	}
	r.tell(o, row)
	return nil
}

// tell writes what a finished task has to say. These are notes for people and
// later tasks; one that cannot be written is a warning.
func (r *run) tell(o pipeline.Outcome[result], row Row) {
	post := func(kind, format string, args ...any) {
		r.notes.Note(r.session.Post(session.Message{From: row.Role, Type: kind, Ref: o.ID, Summary: fmt.Sprintf(format, args...)}))
	}
	if o.State == pipeline.Failed {
		post("error", "%s failed: %v", o.ID, o.Err)
		return
	}
	if o.State != pipeline.Completed {
		return
	}
	switch row.Role {
	case Scout:
		r.tellScan(o, row, post)
	case Strategist:
		r.tellStrategy(o, post)
	case Generator:
		kind := "tests_generated"
		if row.Round > 0 {
			kind = "tests_revised"
		}
		post(kind, "%s", o.Value.Findings)
	case Executor:
		r.tellTrial(o)
		r.tellLayer(o, row, post)
	case Analyst:
		post("analysis_ready", "%s", o.Value.Findings)
	}
}

func (r *run) discover(worker, kind string, data map[string]any) {
	_, err := r.session.Discover(worker, kind, data)
	r.notes.Note(err)
}

func (r *run) tellScan(o pipeline.Outcome[result], row Row, post func(string, string, ...any)) {
	name := "scan/scan-results.json"
	if row.Regression {
		name = "scan/regression-results.json"
	}
	r.file(name, listed(r, artifact.ScanOf(*o.Value.Scan, r.Now(), r.Config.Perspectives)))
	post("scan_ready", "%s", o.Value.Findings)
	var issues []qa.Finding
	for _, f := range o.Value.Scan.Findings {
		if !f.Counts() || !f.Severity.AtLeast(qa.High) {
			continue
		}
		issues = append(issues, f)
		perspective := ""
		if len(f.Perspectives) > 0 {
			perspective = string(f.Perspectives[0])
		}
		r.discover(o.ID, "issue_found", map[string]any{"file": f.Path, "line": f.Lines.Start, "severity": f.Severity, "perspective": perspective, "description": f.Message, "rule": f.Rule.ID})
		r.notes.Note(r.session.Learn(session.Issues, o.ID, fmt.Sprintf("%s %s at %s:%d", f.Severity, f.Rule.ID, f.Path, f.Lines.Start)))
	}
	if len(issues) > 0 {
		post("issues_found", "%d critical or high findings", len(issues))
	}
	r.notes.Note(r.session.Remember(Scout, "discovered_issues", listed(r, issues)))
}

func (r *run) tellStrategy(o pipeline.Outcome[result], post func(string, string, ...any)) {
	s := o.Value.Strategy
	shown := listed(r, *s)
	r.file("strategy/test-strategy.json", shown)
	r.notes.Note(r.session.WriteFile("strategy/test-strategy.md", artifact.Strategy(*s)))
	r.notes.Note(r.session.Remember(Strategist, "test_strategy", shown))
	post("strategy_ready", "%s", o.Value.Findings)
	for _, t := range r.own().Targets {
		config := ""
		if len(t.Framework.Evidence) > 0 {
			config = t.Framework.Evidence[0]
		}
		r.discover(o.ID, "framework_detected", map[string]any{"framework": t.Framework.Framework, "config_file": config, "test_pattern": s.Conventions.Naming, "dir": t.Dir})
	}
	if c := s.Conventions; c.Naming != "" {
		example := ""
		if len(c.Examples) > 0 {
			example = c.Examples[0]
		}
		r.discover(o.ID, "convention_found", map[string]any{"pattern": c.Naming, "example_file": example, "description": "tests stand " + c.Location})
		r.notes.Note(r.session.Learn(session.Conventions, o.ID, fmt.Sprintf("tests are called %s and stand %s", c.Naming, c.Location)))
	}
	for _, l := range s.Layers {
		r.notes.Note(r.session.Learn(session.Decisions, o.ID, fmt.Sprintf("%s selected=%t: %s", l.Layer, l.Selected, l.Rationale)))
	}
	if r.own().Coverage.Patch != nil {
		for _, m := range r.own().Coverage.Patch.Missing {
			c := r.own().Coverage.Patch.Files[m.Path]
			r.discover(o.ID, "coverage_gap", map[string]any{"file": m.Path, "current": c.Text(), "target": r.Config.Coverage[qa.L1], "gap": qa.FormatRanges(m.Ranges)})
		}
	}
}

func (r *run) tellLayer(o pipeline.Outcome[result], row Row, post func(string, string, ...any)) {
	l := o.Value.Layer
	r.file("results/run-"+string(row.Layer)+".json", artifact.LayerOf(*l, r.own().Framework()))
	r.notes.Note(r.session.Remember(Executor, "execution_results/"+string(row.Layer), artifact.LayerOf(*l, r.own().Framework())))
	if l.State != "measured" {
		return
	}
	kind := "tests_passed"
	if l.PassRate == nil || *l.PassRate < 1 {
		kind = "tests_failed"
	}
	post(kind, "%s", o.Value.Findings)
	if l.Patch != nil {
		post("coverage_report", "%s patch coverage %s, target %g %%", l.Layer, l.Patch.Text(), l.Target)
	}
	for _, f := range r.own().Tests().Failing {
		if f.Triage == qa.NewFailure || f.Triage == qa.UnknownFailure {
			r.discover(o.ID, "defect_found", map[string]any{"file": f.Case.File, "line": f.Case.Line, "pattern": quality.DefectKind(f.Case.Message), "description": f.Case.Message, "rule": f.Case.ID()})
		}
	}
}

// tellTrial writes the kept tests and what was repaired.
func (r *run) tellTrial(o pipeline.Outcome[result]) {
	t := o.Value.Trial
	if t == nil {
		return
	}
	dirs := map[qa.Layer]string{qa.L1: "L1-unit", qa.L2: "L2-integration", qa.L3: "L3-e2e"}
	counts := map[string]int{}
	for _, g := range t.Tests {
		if g.Kept {
			counts[g.Path]++
		}
		if g.Repairs > 0 {
			r.discover(o.ID, "fix_applied", map[string]any{"test_file": g.Path, "fix_type": "repair", "description": fmt.Sprintf("%s after %d repairs", g.Name, g.Repairs)})
		}
	}
	row := r.rows[o.ID]
	for _, path := range slices.Sorted(maps.Keys(t.Files)) {
		r.notes.Note(r.session.WriteFile("tests/"+dirs[row.Layer]+"/"+session.Segment(path), []byte(t.Files[path])))
		r.discover(o.ID, "test_generated", map[string]any{"file": path, "source_file": "", "test_count": counts[path]})
	}
	r.notes.Note(r.session.Remember(Generator, "generated_tests/"+string(row.Layer), listed(r, t.Tests)))
}
