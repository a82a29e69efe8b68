// Package doctor says of each thing that a run needs whether it is there, and what
// to do where it is not. It is given what was found out, and changes nothing.
package doctor

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/org/qa-action/internal/wording"
)

// The states of a check. A warning is what a run would go on without, off what
// is not asked for.
const (
	OK      = "ok"
	Warning = "warning"
	Problem = "problem"
	off     = "off"
)

// Check is one row.
type Check struct {
	Name   string `json:"check"`
	State  string `json:"state"` // ok, warning, problem, off
	Detail string `json:"detail"`
	Fix    string `json:"fix,omitempty"`
	usage  bool   // a problem of usage or configuration, not of the machine
}

// Findings are the published shape of `qa doctor --json`.
type Findings struct {
	Problems int     `json:"problems"`
	Warnings int     `json:"warnings"`
	Checks   []Check `json:"checks"`
}

// Doctor collects what it finds.
type Doctor struct{ checks []Check }

// Add notes a row with what mends it, if anything does.
func (d *Doctor) Add(state, name, fix, format string, args ...any) {
	d.checks = append(d.checks, Check{Name: name, State: state, Detail: fmt.Sprintf(format, args...), Fix: fix})
}

// Fine notes what is as it should be.
func (d *Doctor) Fine(name, format string, args ...any) { d.Add(OK, name, "", format, args...) }

// Misused notes a problem that the user's own input or repository has.
func (d *Doctor) Misused(name, fix string, err error) {
	d.Add(Problem, name, fix, "%v", err)
	d.checks[len(d.checks)-1].usage = true
}

// Report prints the checks. It says how many problems there are, and whether one of
// them at least is of usage or configuration.
func (d *Doctor) Report(w io.Writer, asJSON bool) (problems int, usage bool, err error) {
	out := Findings{Checks: d.checks}
	for _, c := range d.checks {
		switch c.State {
		case Problem:
			out.Problems++
			usage = usage || c.usage
		case Warning:
			out.Warnings++
		}
	}
	return out.Problems, usage, out.print(w, asJSON)
}

func (f Findings) print(w io.Writer, asJSON bool) error {
	if asJSON {
		raw, err := json.MarshalIndent(f, "", "  ")
		if err != nil {
			return fmt.Errorf("print the checks: %w", err)
		}
		_, err = fmt.Fprintf(w, "%s\n", raw)
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, c := range f.Checks {
		fmt.Fprintf(t, "%s\t%s\t%s\n", c.State, wording.Line(c.Name, 40), wording.Line(c.Detail, 400))
		if c.Fix != "" {
			fmt.Fprintf(t, "\t\t→ %s\n", wording.Line(c.Fix, 400))
		}
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("print the checks: %w", err)
	}
	_, err := fmt.Fprintf(w, "\n%s, %s\n", wording.Count(f.Problems, "problem"), wording.Count(f.Warnings, "warning"))
	return err
}
