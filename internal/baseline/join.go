package baseline

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/checks"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/past"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/targets"
)

// Summary is what a merge must know of a baseline beyond its measurements.
type Summary struct {
	Driver  string            `json:"driver"`
	Levels  []string          `json:"levels"`
	Also    map[string]string `json:"also"`
	Checked []checks.Outcome  `json:"checked,omitempty"`
	// Prepared and Unprepared are those of the baseline.
	Prepared   []string `json:"prepared,omitempty"`
	Unprepared string   `json:"unprepared,omitempty"`
	// Doubt is that of the baseline.
	Doubt string `json:"doubt,omitempty"`
	// Missing are the rows of targets that could not be measured.
	Missing []qa.TargetRow `json:"missing"`
	// Split is that of the baseline.
	Split Split `json:"split,omitzero"`
	// Command says what is known against a test command that the change wrote.
	Command string `json:"command,omitempty"`
}

// Summary sums the baseline of a run up that is over.
func (b *Baseline) Summary() Summary {
	s := Summary{Driver: b.Driver, Levels: b.Levels, Prepared: b.Prepared, Unprepared: b.Unprepared, Doubt: b.Doubt, Also: b.Also, Checked: b.Checked, Split: b.Split, Command: b.Command}
	measured := map[string]bool{}
	for _, run := range b.Runs {
		measured[run.Target.Name] = true
	}
	for _, row := range b.Rows {
		if !measured[row.Name] {
			s.Missing = append(s.Missing, row)
		}
	}
	return s
}

// Part is what one shard measured.
type Part struct {
	Summary
	Measured []Measurement
	// Unneeded says on what evidence it ran no test.
	Unneeded string
}

// Join is the baseline that one run of all targets would have had.
func Join(o Options, parts []Part) *Baseline {
	b := &Baseline{Found: targets.Found{Also: map[string]string{}}}
	measured, said := map[string][]executor.Baseline{}, []string(nil)
	for _, p := range parts {
		if b.Driver == "" {
			b.Driver, b.Levels, b.Prepared, b.Unprepared = p.Driver, p.Levels, p.Prepared, p.Unprepared
		}
		if b.Doubt == "" {
			b.Doubt = p.Doubt
		}
		maps.Copy(b.Also, p.Also)
		if p.Command != "" && !slices.Contains(said, p.Command) {
			said = append(said, p.Command)
		}
		b.Checked = checks.Join(b.Checked, p.Checked)
		for _, m := range p.Measured {
			measured[m.Target.Name] = append(measured[m.Target.Name], m.restore())
		}
	}
	b.Command = strings.Join(said, "; ")
	for _, name := range slices.Sorted(maps.Keys(measured)) {
		run := joinParts(measured[name])
		divided := !parts[0].Split.Whole() && Divisible(run.Target.Framework) // no part knows what none ran
		if base, known := o.Past.StandsFor(name, o.Change.Base, run.Key, run.Target.Framework.Coverage); known && run.Remembered && (divided || len(measured[name]) > 1) {
			past.CompareWith(&run, base)
			b.Command = unran(b.Command, "not run", each.Where(executor.Gone(base.PassedBeside(o.Touches), run.Head.Suite), o.untouched))
		} else if divided {
			comparison{Options: o, b: b}.left("not run", executor.Dropped(run))
		}
		o.Past.SetAside(run.Tests.Failing)
		b.Runs, b.Targets = append(b.Runs, run), append(b.Targets, run.Target)
	}
	measurer{Options: o, b: b}.settle("", "")
	for _, p := range parts {
		b.Rows = append(b.Rows, p.Missing...)
	}
	if len(b.Runs) > 0 {
		return b
	}
	if b.Unneeded = Unneeded(parts); b.Unneeded != "" {
		b.Coverage.Reason = notNeeded
	}
	return b
}

// Unneeded says on what evidence none of the shards ran a test; empty when one of
// them did, or should have.
func Unneeded(parts []Part) string {
	why := ""
	for _, p := range parts {
		if p.Unneeded == "" {
			return ""
		}
		why = p.Unneeded
	}
	return why
}

// untouched reports whether the change wrote no test file of the file or package that an
// id begins with, as far as its name tells.
func (o Options) untouched(id string) bool {
	unit, _, _ := strings.Cut(id, " > ")
	if o.Text(unit) != nil {
		return true
	}
	dir := o.folderOf(unit)
	return !slices.ContainsFunc(o.Change.Files, func(f qa.FileChange) bool { return f.Kind == qa.KindTest && path.Dir(f.BasePath()) == dir })
}

// folderOf is the folder of a package by the end of its path, also one that the change
// took away; "." is the root.
func (o Options) folderOf(unit string) string {
	for dir := unit; ; {
		info, err := o.Stat(dir)
		if err == nil && info.IsDir() || slices.ContainsFunc(o.Change.Files, func(f qa.FileChange) bool { return path.Dir(f.BasePath()) == dir }) {
			return dir
		}
		_, rest, more := strings.Cut(dir, "/")
		if !more {
			return "."
		}
		dir = rest
	}
}
