package assemble

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/org/qa-action/internal/checks"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/finding"
)

func (a Assembly) manifest(p *qa.Report, joined finding.Result) {
	m := &p.Manifest
	m.Tool, m.Version, m.Skipped = "qa", a.Version, map[string]string{}
	m.Cuts = a.Notes.Cuts()
	m.Engines, m.Warnings = a.bothTimes(joined.Engines), slices.Concat(joined.Warnings, a.Notes.Warnings(), a.Refused)
	for path, why := range joined.Skipped {
		m.Skipped[path] = why
	}
	for why, n := range joined.Folded {
		m.Skipped["findings "+why] = fmt.Sprint(n)
	}
	for _, e := range joined.Engines {
		for path, why := range e.Unseen {
			m.Skipped[path] = "not reviewed by the " + e.Name + ": " + why
		}
	}
	for _, f := range a.Change.Files {
		switch {
		case f.Generated:
			m.Skipped[f.Path] = "generated, vendored or minified"
		case f.Binary:
			m.Skipped[f.Path] = "binary"
		case f.Submodule:
			m.Skipped[f.Path] = "submodule"
		default:
			if m.Skipped[f.Path] == "" {
				m.Reviewed = append(m.Reviewed, f.Path)
			}
		}
	}
	if a.Baseline != nil {
		m.CommandChanged = a.Baseline.Command
		m.Checks, m.Checked = checks.Rows(a.Baseline.Checked)
		m.Targets, m.Runtime, m.Isolation, m.Prepared = a.Baseline.Rows, a.Baseline.Driver, a.Baseline.Levels, a.Baseline.Prepared
		for _, what := range slices.Sorted(maps.Keys(a.Baseline.Also)) {
			m.Skipped[what] = a.Baseline.Also[what]
			m.Unrun = append(m.Unrun, what+": "+m.Skipped[what])
		}
	}
	for _, row := range a.State.Rows {
		o := a.State.Outcomes[row.ID]
		t := qa.TaskRow{ID: row.ID, Role: row.Role, Layer: row.Layer, Wave: o.Wave, Status: cmp.Or(string(o.State), "pending"), Detail: o.Value.Findings}
		if o.Err != nil {
			t.Detail = o.Err.Error()
		}
		if o.Wave > 0 {
			t.Start, t.Seconds = o.Start.Sub(a.Time.Started).Seconds(), o.End.Sub(o.Start).Seconds()
		}
		m.Tasks = append(m.Tasks, t)
	}
	if a.Use != nil {
		m.Model = a.Use()
	} else if c := a.Config.Model.Configure; c != "" {
		m.Model.Error = c
	}
	if m.Model.Error == "" {
		m.Warnings = append(m.Warnings, a.Notes.Unsaid()...)
	}
	m.Seconds = a.Time.Now().Sub(a.Time.Started).Seconds()
}

// regressions are the findings of the second scan that the first did not have.
func (a Assembly) regressions(known []qa.Finding) []qa.Finding {
	if a.State.Regression == nil {
		return nil
	}
	var out []qa.Finding
	for _, f := range a.State.Regression.Findings {
		had := func(k qa.Finding) bool { return k.Fingerprint == f.Fingerprint }
		if !slices.ContainsFunc(known, had) && a.State.Kept.Files[f.Path] != "" {
			f.ID = "RESCAN-" + f.Fingerprint[:min(len(f.Fingerprint), 6)]
			out = append(out, f)
		}
	}
	return out
}

// bothTimes are the engines of the first scan, and of the second one where one
// of them did not look at what the run wrote.
func (a Assembly) bothTimes(first []qa.Engine) []qa.Engine {
	if a.State.Regression == nil {
		return first
	}
	out := slices.Clone(first)
	for _, again := range a.State.Regression.Engines {
		i := slices.IndexFunc(out, func(e qa.Engine) bool { return e.Name == again.Name })
		if i >= 0 && again.Gap != "" && out[i].Gap == "" {
			out[i].State, out[i].Gap, out[i].Reason = again.State, again.Gap, "with the kept tests in place: "+again.Reason
		}
	}
	return out
}
