package record

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/org/qa-action/internal/artifact"
	"github.com/org/qa-action/internal/baseline"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/pipeline"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
	"github.com/org/qa-action/internal/session"
	"github.com/org/qa-action/internal/task"
)

// tell writes what a finished task has to say. These are notes for people and
// later tasks; one that cannot be written is a warning.
func (r Recorder) tell(o task.Outcome, row task.Row, b *baseline.Baseline) {
	post := func(kind, format string, args ...any) {
		m := session.Message{From: row.Role, Type: kind, Ref: o.ID, Summary: fmt.Sprintf(format, args...)}
		if l := o.Value.Layer; l != nil && o.State == pipeline.Completed {
			m.Data = layerData{l.PassRate, l.Patch.Percentage(), l.Iterations}
		}
		r.Notes.Note(r.Session.Messages.Post(m))
	}
	if o.State == pipeline.Failed {
		post("error", "%s failed: %v", o.ID, o.Err)
		return
	}
	if o.State != pipeline.Completed {
		return
	}
	switch row.Role {
	case task.Scout:
		r.tellScan(o, row, post)
	case task.Strategist:
		r.tellStrategy(o, b, post)
		r.tellTrial(o, row)
	case task.Generator:
		kind := "tests_generated"
		if row.Round > 0 {
			kind = "tests_revised"
		}
		post(kind, "%s", o.Value.Findings)
	case task.Executor:
		r.tellTrial(o, row)
		r.tellLayer(o, row, b, post)
	case task.Analyst:
		post("analysis_ready", "%s", o.Value.Findings)
		post("quality_report", "analysis/quality-report.md: %s", o.Value.Findings)
		r.discover(o.ID, "quality_metric", map[string]any{"dimension": "quality_score", "score": o.Value.Score, "details": o.Value.Findings})
	}
}

// layerData is what a message of the executor says in numbers: a share of 0 to 1, a
// percentage of changed lines, and how often the tests were run; null is unknown.
type layerData struct {
	PassRate   *float64 `json:"pass_rate"`
	Coverage   *float64 `json:"coverage"`
	Iterations int      `json:"iterations"`
}

func (r Recorder) discover(worker, kind string, data map[string]any) {
	_, err := r.Session.Board.Add(worker, kind, data)
	r.Notes.Note(err)
}

func (r Recorder) tellScan(o task.Outcome, row task.Row, post func(string, string, ...any)) {
	name := "scan/scan-results.json"
	if row.Regression {
		name = "scan/regression-results.json"
	}
	r.file(name, Listed(r.Notes, artifact.ScanOf(*o.Value.Scan, r.Now(), r.Config.Perspectives)))
	post("scan_ready", "%s", o.Value.Findings)
	var issues []qa.Finding
	for _, f := range o.Value.Scan.Findings {
		if !f.Open() || !f.Severity.AtLeast(qa.High) {
			continue
		}
		issues = append(issues, f)
		perspective := ""
		if len(f.Perspectives) > 0 {
			perspective = string(f.Perspectives[0])
		}
		r.discover(o.ID, "issue_found", map[string]any{"file": f.Path, "line": f.Lines.Start, "severity": f.Severity, "perspective": perspective, "description": f.Message, "rule": f.Rule.ID})
		r.Notes.Note(r.Session.Wisdom.Learn(session.Issues, o.ID, fmt.Sprintf("%s %s at %s:%d", f.Severity, f.Rule.ID, f.Path, f.Lines.Start)))
	}
	if len(issues) > 0 {
		post("issues_found", "%d critical or high findings", len(issues))
	}
	if row.Regression { // what the first scan found stays found
		issues = r.together(issues)
	}
	r.Notes.Note(r.Session.Memory.Remember(task.Scout, "discovered_issues", Listed(r.Notes, issues)))
}

func (r Recorder) tellStrategy(o task.Outcome, b *baseline.Baseline, post func(string, string, ...any)) {
	s := o.Value.Strategy
	shown := Listed(r.Notes, *s)
	r.file("strategy/test-strategy.json", shown)
	r.Notes.Note(r.Session.WriteFile("strategy/test-strategy.md", artifact.Strategy(*s)))
	r.Notes.Note(r.Session.Memory.Remember(task.Strategist, "test_strategy", shown))
	post("strategy_ready", "%s", o.Value.Findings)
	for _, t := range b.Targets {
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
		r.Notes.Note(r.Session.Wisdom.Learn(session.Conventions, o.ID, fmt.Sprintf("tests are called %s and stand %s", c.Naming, c.Location)))
	}
	for _, l := range s.Layers {
		r.Notes.Note(r.Session.Wisdom.Learn(session.Decisions, o.ID, fmt.Sprintf("%s selected=%t: %s", l.Layer, l.Selected, l.Rationale)))
	}
	if b.Coverage.Patch != nil {
		for _, m := range b.Coverage.Patch.Missing {
			c := b.Coverage.Patch.Files[m.Path]
			r.discover(o.ID, "coverage_gap", map[string]any{"file": m.Path, "current": c.Text(), "target": r.Config.Goal(qa.L1, m.Path), "gap": qa.FormatRanges(m.Ranges)})
		}
	}
}

func (r Recorder) tellLayer(o task.Outcome, row task.Row, b *baseline.Baseline, post func(string, string, ...any)) {
	l := o.Value.Layer
	r.file("results/run-"+string(row.Layer)+".json", artifact.LayerOf(*l, b.Framework()))
	r.Notes.Note(r.Session.Memory.Remember(task.Executor, "execution_results/"+string(row.Layer), artifact.LayerOf(*l, b.Framework())))
	if l.State != "measured" {
		return
	}
	kind := "tests_failed"
	if passed(*l) {
		kind = "tests_passed"
	}
	percent := l.Patch.Percentage()
	r.discover(o.ID, "quality_metric", map[string]any{"dimension": "pass_rate " + string(l.Layer), "score": l.PassRate, "details": o.Value.Findings})
	r.discover(o.ID, "quality_metric", map[string]any{"dimension": "coverage " + string(l.Layer), "score": percent, "details": fmt.Sprintf("target %g %%", l.Target)})
	post(kind, "%s", o.Value.Findings)
	if l.Patch != nil {
		post("coverage_report", "%s patch coverage %s, target %g %%", l.Layer, l.Patch.Text(), l.Target)
	}
	for _, f := range b.Tests().Failing {
		if f.Triage == qa.NewFailure || f.Triage == qa.UnknownFailure {
			r.discover(o.ID, "defect_found", map[string]any{"file": f.Case.File, "line": f.Case.Line, "pattern": quality.DefectKind(f.Case.Message), "description": f.Case.Message, "rule": f.Case.ID()})
		}
	}
}

// passRate is the share of tests that has to pass for a layer to be called passed.
const passRate = 0.95

// passed is the rule for a layer whose tests are done: nearly all pass, and the target
// is reached where coverage is known. A test that newly fails is no rest to live with.
func passed(l qa.LayerResult) bool {
	return l.PassRate != nil && *l.PassRate >= passRate && l.NewFailures == 0 && (l.Patch == nil || l.Patch.Total == 0 || l.Patch.Reaches(l.Target))
}

// tellTrial writes the kept tests, what was repaired and what the tests prove.
func (r Recorder) tellTrial(o task.Outcome, row task.Row) {
	t := o.Value.Trial
	if t == nil {
		return
	}
	dirs := map[qa.Layer]string{qa.L1: "L1-unit", qa.L2: "L2-integration", qa.L3: "L3-e2e"}
	counts, about, layer := map[string]int{}, map[string]string{}, map[string]qa.Layer{}
	for _, g := range t.Tests {
		if g.Kept {
			counts[g.Path]++
			about[g.Path], layer[g.Path] = g.Source, g.Layer
		}
		if g.Kept && g.Repairs > 0 {
			r.discover(o.ID, "fix_applied", map[string]any{"test_file": g.Path, "fix_type": "repair", "description": fmt.Sprintf("%s after %d repairs", g.Name, g.Repairs)})
		}
	}
	for _, path := range slices.Sorted(maps.Keys(t.Files)) {
		r.Notes.Note(r.Session.WriteFile("tests/"+dirs[cmp.Or(row.Layer, layer[path])]+"/"+path, []byte(t.Files[path])))
		r.discover(o.ID, "test_generated", map[string]any{"file": path, "source_file": about[path], "test_count": counts[path]})
	}
	for _, p := range t.Proofs {
		if p.Regression {
			r.discover(o.ID, "defect_found", map[string]any{"file": p.Source, "line": 0, "pattern": quality.DefectKind(p.Message), "description": p.Message, "rule": "regression shown by " + p.Test})
		}
	}
	if row.Layer != "" {
		r.remember(row, t.Tests)
		return
	}
	for _, row.Layer = range []qa.Layer{qa.L1, qa.L2} { // remembered tests are of any
		r.remember(row, each.Where(t.Tests, func(g qa.GeneratedTest) bool { return g.Layer == row.Layer }))
	}
}
