package mode

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
)

// measurement is the content of <dir>/measured.json: one target's own suite
// as it was run, with raw counters, so that neither a resumed run nor a merge
// of shards has to run it again.
type measurement struct {
	// Inputs is the digest of what the numbers depend on beyond the session's
	// key; a measurement with other inputs is not used.
	Inputs   string            `json:"inputs"`
	Target   executor.Target   `json:"target"`
	Baseline executor.Baseline `json:"baseline"`
	Head     *counters         `json:"head_coverage"`
	Base     *counters         `json:"base_coverage"`
}

// counters is a coverage with its lines, which the report leaves out.
type counters struct {
	*qa.Coverage
	Files []fileCounters `json:"files"`
}

type fileCounters struct {
	qa.FileCoverage
	Lines []qa.LineHit `json:"line_hits"`
	Funcs []qa.FuncHit `json:"function_hits,omitempty"`
	Arms  []qa.UnitHit `json:"arms,omitempty"`
	Units []qa.UnitHit `json:"units,omitempty"`
}

func countersOf(c *qa.Coverage) *counters {
	if c == nil {
		return nil
	}
	out := &counters{Coverage: c, Files: make([]fileCounters, 0, len(c.Files))}
	for _, f := range c.Files {
		out.Files = append(out.Files, fileCounters{FileCoverage: f, Lines: f.Lines, Funcs: f.Funcs, Arms: f.Arms, Units: f.Units})
	}
	return out
}

// coverage is the way back of countersOf.
func (c *counters) coverage() *qa.Coverage {
	if c == nil || c.Coverage == nil {
		return nil
	}
	out := *c.Coverage
	out.Files = make([]qa.FileCoverage, 0, len(c.Files))
	for _, f := range c.Files {
		file := f.FileCoverage
		file.Lines, file.Funcs, file.Arms, file.Units = f.Lines, f.Funcs, f.Arms, f.Units
		out.Files = append(out.Files, file)
	}
	return &out
}

func measurementOf(inputs string, b executor.Baseline) measurement {
	m := measurement{Inputs: inputs, Target: b.Target, Baseline: b, Head: countersOf(b.Head.Coverage)}
	if b.Base != nil {
		m.Base = countersOf(b.Base.Coverage)
	}
	return m
}

// restore gives the baseline back as it was measured.
func (m measurement) restore() executor.Baseline {
	b := m.Baseline
	b.Target = m.Target
	b.Head.Coverage = m.Head.coverage()
	if b.Base != nil {
		base := *b.Base
		base.Coverage = m.Base.coverage()
		b.Base = &base
	}
	return b
}

func decodeMeasurement(raw []byte) (measurement, error) {
	var m measurement
	if err := json.Unmarshal(raw, &m); err != nil {
		return m, fmt.Errorf("read measurement: %w", err)
	}
	return m, nil
}

// measuredFile is where the measurement of a target is kept in the session.
func measuredFile(target string) string {
	return "results/baseline/" + safeName(target) + "/measured.json"
}

// measure runs a target's own suite, or takes what an interrupted run of this
// session measured. It is called by the baseline's goroutine: the file it
// writes is its own, nothing else of the session is touched.
func (r *run) measure(t executor.Target, inputs string, work func() (executor.Baseline, error)) (executor.Baseline, error) {
	name := measuredFile(t.Name)
	if raw, err := r.session.ReadFile(name); err == nil {
		// One that cannot be read counts as none: the suite runs again.
		if m, err := decodeMeasurement(raw); err == nil && m.Inputs == inputs {
			fmt.Fprintf(r.Progress, "baseline: %s was measured before the interruption\n", t.Name)
			return m.restore(), nil
		}
	}
	b, err := work()
	r.localSources(b.Head.Coverage)
	if b.Base != nil {
		r.localSources(b.Base.Coverage)
	}
	if err != nil {
		return b, err
	}
	raw, err := json.Marshal(measurementOf(inputs, b))
	if err != nil {
		return b, fmt.Errorf("keep the measurement of %s: %w", t.Name, err)
	}
	if err := r.session.WriteFile(name, raw); err != nil {
		return b, fmt.Errorf("keep the measurement of %s: %w", t.Name, err)
	}
	return b, nil
}

// localSources names report copies by their place in the session: the report
// is read on other machines.
func (r *run) localSources(c *qa.Coverage) {
	if c == nil {
		return
	}
	for i, s := range c.Sources {
		if rel, err := filepath.Rel(r.session.Dir(), s.Path); err == nil && filepath.IsLocal(rel) {
			c.Sources[i].Path = filepath.ToSlash(rel)
		}
	}
}

// measureInputs is the digest of what a target's numbers depend on.
func (r *run) measureInputs(t executor.Target) string {
	raw, err := json.Marshal(t)
	if err != nil { // plain data: it cannot happen, and no digest fits
		return ""
	}
	return digestOf(raw, []byte(r.Version), []byte(r.Change.Base))
}
