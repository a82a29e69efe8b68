package baseline

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/session"
)

// Measurement is the content of <dir>/measured.json: one target's own suite
// as it was run, with raw counters, so that neither a resumed run nor a merge
// of shards has to run it again.
type Measurement struct {
	// Inputs is the digest of what the numbers depend on beyond the session's
	// key; a measurement with other inputs is not used.
	Inputs   string            `json:"inputs"`
	Target   executor.Target   `json:"target"`
	Baseline executor.Baseline `json:"baseline"`
	Head     *Counters         `json:"head_coverage"`
	Base     *Counters         `json:"base_coverage"`
}

// Counters is a coverage with its lines, which the report leaves out.
type Counters struct {
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

// CountersOf are those of a coverage, nil when it is unknown.
func CountersOf(c *qa.Coverage) *Counters {
	if c == nil {
		return nil
	}
	out := &Counters{Coverage: c, Files: make([]fileCounters, 0, len(c.Files))}
	for _, f := range c.Files {
		out.Files = append(out.Files, fileCounters{FileCoverage: f, Lines: f.Lines, Funcs: f.Funcs, Arms: f.Arms, Units: f.Units})
	}
	return out
}

// WithLines is the way back of [CountersOf].
func (c *Counters) WithLines() *qa.Coverage {
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

func measurementOf(inputs string, b executor.Baseline) Measurement {
	m := Measurement{Inputs: inputs, Target: b.Target, Baseline: b, Head: CountersOf(b.Head.Coverage)}
	if b.Base != nil {
		m.Base = CountersOf(b.Base.Coverage)
	}
	return m
}

// restore gives the baseline back as it was measured.
func (m Measurement) restore() executor.Baseline {
	b := m.Baseline
	b.Target = m.Target
	b.Head.Coverage = m.Head.WithLines()
	if b.Base != nil {
		base := *b.Base
		base.Coverage = m.Base.WithLines()
		b.Base = &base
	}
	return b
}

// Decode reads a measurement back.
func Decode(raw []byte) (Measurement, error) {
	var m Measurement
	if err := json.Unmarshal(raw, &m); err != nil {
		return m, fmt.Errorf("read measurement: %w", err)
	}
	return m, nil
}

// measuredFile is where the measurement of a target is kept in the session.
func measuredFile(target string) string {
	return "results/baseline/" + session.Segment(target) + "/measured.json"
}

// recalled runs a target's own suite, or takes what an interrupted run of this
// session measured. It is called by the baseline's goroutine: the file it
// writes is its own, nothing else of the session is touched.
func (m measurer) recalled(t executor.Target, work func() (executor.Baseline, error)) (executor.Baseline, error) {
	name, inputs := measuredFile(t.Name), m.inputs(t)
	if kept := m.kept(t); kept != nil {
		fmt.Fprintf(m.Progress, "baseline: %s was measured before the interruption\n", t.Name)
		return kept.restore(), nil
	}
	b, err := work()
	m.localSources(b.Head.Coverage)
	if b.Base != nil {
		m.localSources(b.Base.Coverage)
	}
	if err != nil {
		return b, err
	}
	raw, err := json.Marshal(measurementOf(inputs, b))
	if err != nil {
		return b, fmt.Errorf("keep the measurement of %s: %w", t.Name, err)
	}
	if err := m.Session.WriteFile(name, raw); err != nil {
		return b, fmt.Errorf("keep the measurement of %s: %w", t.Name, err)
	}
	return b, nil
}

// kept is what an interrupted run of this session measured of a target. One that
// cannot be read counts as none: the suite runs again.
func (m measurer) kept(t executor.Target) *Measurement {
	raw, err := m.Session.ReadFile(measuredFile(t.Name))
	if err != nil {
		return nil
	}
	kept, err := Decode(raw)
	if err != nil || kept.Inputs != m.inputs(t) {
		return nil
	}
	return &kept
}

// localSources names report copies by their place in the session: the report
// is read on other machines.
func (m measurer) localSources(c *qa.Coverage) {
	if c == nil {
		return
	}
	for i, s := range c.Sources {
		if rel, err := filepath.Rel(m.Session.Dir(), s.Path); err == nil && filepath.IsLocal(rel) {
			c.Sources[i].Path = filepath.ToSlash(rel)
		}
	}
}

// key names what a target's outcome on a commit follows from beside that commit.
func (m measurer) key(t executor.Target) string {
	raw, err := json.Marshal(t)
	if err != nil || m.place == "" {
		return ""
	}
	return session.Digest(raw, []byte(m.Version), []byte(m.place), []byte(m.Config.SetupCommand), []byte(m.Config.Install), fmt.Append(nil, m.Config.Packages()))
}

// inputs is the digest of what a target's numbers depend on.
func (m measurer) inputs(t executor.Target) string {
	raw, err := json.Marshal(t)
	if err != nil { // plain data: it cannot happen, and no digest fits
		return ""
	}
	return session.Digest(raw, []byte(m.Version), []byte(m.Change.Base))
}
