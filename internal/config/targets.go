package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
)

// Step is a command line of the configuration with the directory it runs in.
type Step struct {
	Name    string // of the package, empty for the input's own
	Dir     string
	Command string
}

// Packages are the targets below the working directory: the others are another
// shard's.
func (c *Config) Packages() []Target {
	return slices.DeleteFunc(slices.Clone(c.Targets), func(t Target) bool { return !qa.Below(t.Dir, c.WorkingDirectory) })
}

// EndToEnd are the commands that run end-to-end tests.
func (c *Config) EndToEnd() []Step {
	var out []Step
	if c.E2eCommand != "" {
		out = append(out, Step{Dir: c.WorkingDirectory, Command: c.E2eCommand})
	}
	for _, t := range c.Packages() {
		if t.E2eCommand != "" {
			out = append(out, Step{t.Name, t.Dir, t.E2eCommand})
		}
	}
	return out
}

// Goals are the coverage targets that packages have of their own for a layer.
func (c *Config) Goals(l qa.Layer) []qa.Goal {
	var out []qa.Goal
	for _, t := range c.Packages() {
		if t.Coverage != nil {
			out = append(out, qa.Goal{Name: t.Name, Dir: t.Dir, Target: t.Coverage[l]})
		}
	}
	return out
}

// Goal is the coverage target of a layer that holds for a file.
func (c *Config) Goal(l qa.Layer, path string) float64 {
	if g, ok := qa.GoalOf(c.Goals(l), path); ok {
		return g.Target
	}
	return c.Coverage[l]
}

// checkTargets validates what the config file says of monorepo packages.
func (p *parser) checkTargets(c *Config) {
	seen := map[string]bool{}
	for i := range c.Targets {
		t := &c.Targets[i]
		at := value{where: fmt.Sprintf("%s: targets[%d]", c.File, i)}
		clean, err := inside(t.Dir)
		if err != nil {
			p.fail(at, "dir: %v", err)
		}
		t.Dir = clean
		t.Name = cmp.Or(t.Name, t.Dir)
		if seen[t.Name] {
			p.fail(at, "name %q is used twice", t.Name)
		}
		seen[t.Name] = true
		p.among(at, "framework", t.Framework)
		p.among(at, "install", t.Install)
		t.Framework = cmp.Or(t.Framework, c.Framework)
		t.Install = cmp.Or(t.Install, c.Install)
		t.TestCommand = cmp.Or(t.TestCommand, c.TestCommand)
		t.TestReport = cmp.Or(t.TestReport, strings.Join(c.TestReport, ","))
		t.CoverageFile = cmp.Or(t.CoverageFile, strings.Join(c.CoverageFile, ","))
		if t.Framework == "command" && t.TestCommand == "" {
			p.fail(at, "framework command needs test-command")
		}
		if t.Targets != "" {
			at.text = t.Targets
			t.Coverage = p.targets(at)
		}
	}
}

// among holds a key of a package to what the input of that name may be.
func (p *parser) among(at value, name, text string) {
	if valid := valid(name); text != "" && !slices.Contains(valid, text) {
		p.fail(at, "%s: unknown value %q, expected one of %s", name, text, strings.Join(valid, ", "))
	}
}
