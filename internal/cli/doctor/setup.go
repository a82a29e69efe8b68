package doctor

import (
	"maps"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/inspect"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/scan/engine"
)

// Setup looks at the toolchains, frameworks and isolation that a run would have; err
// is why there would be none.
func (d *Doctor) Setup(setup inspect.Setup, err error) {
	if setup.Driver != "" {
		d.Fine("runtime", "%s: %s", setup.Driver, setup.Why)
	}
	if err != nil {
		d.Add(Problem, "runtime", "choose another runtime, or read the message: it names the cure", "%v", err)
		return
	}
	for _, t := range setup.Tools {
		d.toolchain(t, setup)
	}
	d.frameworks(setup)
	d.engines()
	for _, level := range setup.Levels {
		name, text, _ := strings.Cut(level, ": ")
		name, state, fix := "isolation "+name, OK, ""
		if strings.HasPrefix(text, "off") {
			state, fix = Warning, "the run goes on without this layer; a machine with user namespaces, Landlock and seccomp has them all"
		}
		d.Add(state, name, fix, "%s", text)
	}
}

func (d *Doctor) toolchain(t inspect.Toolchain, setup inspect.Setup) {
	asks := "no version asked for"
	if t.Spec != "" {
		asks = t.Source + " asks for " + t.Spec
	}
	switch {
	case t.Fault == "":
		d.Fine(t.Name, "%s; %s", t.Has, asks)
	case t.Has == "":
		d.Add(Problem, t.Name, "install "+t.Name+" "+t.Spec+", or let the action provide it with --runtime image", "%s; %s", t.Fault, asks)
	case t.Name == "node" && setup.Driver == "host" && len(setup.Installs) > 0:
		d.Fine(t.Name, "%s is what the host has; %s, and a run that installs fetches it", t.Has, asks)
	default:
		d.Add(Warning, t.Name, "put that version on PATH, or let the action provide it with --runtime image", "%s is what the %s has; %s", t.Has, setup.Driver, asks)
	}
}

func (d *Doctor) frameworks(setup inspect.Setup) {
	for _, t := range setup.Targets {
		f, name := t.Framework, "tests of "+t.Name
		what := strings.TrimSpace(f.Framework + " " + f.Version)
		if len(f.Evidence) > 0 {
			what += " (" + f.Evidence[0] + ")"
		}
		switch {
		case f.Framework == framework.Command.Name && f.Hint == (diagnosis.Diagnosis{}), f.Installed:
			d.Fine(name, "%s: %s", what, framework.CommandLine(f))
		case len(setup.Installs) > 0:
			d.Fine(name, "%s: a run installs first: %s", what, strings.Join(setup.Installs, "; "))
		default:
			d.Add(Warning, name, f.Hint.Cure, "%s: %s", what, f.Hint.Cause)
		}
		if !f.Installed {
			continue // what measures coverage comes with it, or its absence shows then
		}
		if f.Coverage {
			d.Fine("coverage of "+t.Name, "%s", strings.TrimSpace(f.Framework+" "+f.CoverageTool))
		} else {
			d.Add(Warning, "coverage of "+t.Name, strings.TrimPrefix(f.CoverageHint, "coverage "), "cannot be measured")
		}
	}
	for _, m := range setup.Missing {
		d.Add(Problem, "tests of "+m.Name, "name test-command and test-report, or framework and working-directory", "%s", m.Reason)
	}
	for _, what := range slices.Sorted(maps.Keys(setup.Also)) {
		d.Add(Warning, what, "", "not run: %s", setup.Also[what])
	}
}

// engines names programs that make the scan see more.
func (d *Doctor) engines() {
	var missing, install []string
	for _, t := range engine.Tools() {
		if _, err := process.LookPath(t.Name); err != nil {
			missing, install = append(missing, t.Name+" ("+t.Purpose+")"), append(install, t.Install)
		}
	}
	if len(missing) == 0 {
		d.Fine("engines", "every program that engines run is installed")
		return
	}
	d.Add(off, "engines", strings.Join(install, "; "), "not installed: %s", strings.Join(missing, ", "))
}
