package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"
	"gopkg.in/yaml.v3"

	"github.com/org/qa-action/internal/qa"
)

// pattern is a regular expression in YAML.
type pattern struct{ *regexp.Regexp }

func (p *pattern) UnmarshalYAML(n *yaml.Node) (err error) {
	p.Regexp, err = regexp.Compile("(?i)" + n.Value)
	return err
}

func (p pattern) matches(s string) bool { return p.Regexp != nil && p.MatchString(s) }

// fault is a kind of change; how it is made is the project's.
type fault struct {
	Name string `yaml:"name"`
	Says string `yaml:"says"`
	// Breaks says what the bare suite makes of it where everything is prepared:
	// yes, no, or either, when the runners differ.
	Breaks string `yaml:"breaks"`
	// Best is the best verdict that can be true, where PASS would claim too much.
	Best qa.Verdict `yaml:"best"`
	// Cause are the words of a true reason for INCONCLUSIVE.
	Cause pattern `yaml:"cause"`
	// Unproven says that a failure which base has too may gate, because the
	// change reaches what base would need to show it.
	Unproven bool `yaml:"unproven"`
	// Red says that FAIL is true as well: the command of base shows a failure
	// that head's no longer does.
	Red  bool     `yaml:"red"`
	Args []string `yaml:"args"`
}

// environment is what the machine or the history is like.
type environment struct {
	Name   string   `yaml:"name"`
	Says   string   `yaml:"says"`
	Faults []string `yaml:"faults"` // none named is all of them
	All    bool     `yaml:"all"`    // fits every project; else those that name it
	Cause  pattern  `yaml:"cause"`
	// Blind says that the bare command cannot see the change, because it runs
	// other code or does not start: the truth is what the fault does elsewhere.
	Blind bool `yaml:"blind"`
	// Baseless says that base cannot be run: a failure there is unknown, and gates.
	Baseless bool `yaml:"baseless"`
	// Uncommitted leaves the change in the working copy.
	Uncommitted bool `yaml:"uncommitted"`
	// Shallow keeps the newest commit only; the origin is out of reach.
	Shallow bool `yaml:"shallow"`
	// Warm leaves the caches of a run of base in the working copy, with every
	// file as old as before.
	Warm bool `yaml:"warm"`
	// Uninstalled removes what the bare command installed before the product runs.
	Uninstalled bool     `yaml:"uninstalled"`
	Repair      bool     `yaml:"repair"` // the next step of the report can be carried out here
	Base        []string `yaml:"base"`   // steps on both commits
	Tree        []string `yaml:"tree"`   // steps in the working copy before anything runs
	Args        []string `yaml:"args"`
}

// table is testdata/sound/table.yaml.
type table struct {
	Faults       []fault       `yaml:"faults"`
	Environments []environment `yaml:"environments"`
}

// project is a sample project: testdata/sound/<name>.txtar.
type project struct {
	Name  string            `yaml:"-"`
	Says  string            `yaml:"says"`
	Bare  [][]string        `yaml:"bare"`  // run one after the other until one fails
	Names []string          `yaml:"names"` // how the bare output names failing tests
	Deps  map[string]string `yaml:"deps"`  // folder → folder below testdata/repo
	Files map[string]string `yaml:"files"` // file → file below testdata/repo
	Tree  []string          `yaml:"tree"`  // steps in the working copy before anything runs
	Args  []string          `yaml:"args"`
	Best  qa.Verdict        `yaml:"best"`
	// Faults are the steps of each fault that fits the project.
	Faults map[string][]string `yaml:"faults"`
	// Environments are those that fit, with the steps of the project.
	Environments map[string]placed `yaml:"environments"`

	files []txtar.File
}

// placed is what an environment is in a project.
type placed struct {
	Base []string `yaml:"base"`
	Head []string `yaml:"head"` // steps of the change, beside the fault
	Tree []string `yaml:"tree"`
}

// cell is one square of the matrix.
type cell struct {
	project     *project
	fault       fault
	environment environment
	clone       *clone // nil for a sample project
}

func (c cell) id() string { return c.project.Name + "/" + c.fault.Name + "/" + c.environment.Name }

func readCells(set string) ([]cell, error) {
	var t table
	if err := decode(filepath.Join(set, "table.yaml"), nil, &t); err != nil {
		return nil, err
	}
	names, err := filepath.Glob(filepath.Join(set, "*.txtar"))
	if err != nil {
		return nil, err
	}
	var cells []cell
	var errs []error
	for _, name := range names {
		p, err := readProject(name)
		if err == nil {
			err = t.knows(p)
		}
		errs = append(errs, err)
		cells = append(cells, t.product(p)...)
	}
	return cells, errors.Join(errs...)
}

func readProject(name string) (*project, error) {
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read project: %w", err)
	}
	a := txtar.Parse(raw)
	p := &project{Name: strings.TrimSuffix(filepath.Base(name), ".txtar"), files: a.Files}
	return p, decode(name, a.Comment, p)
}

func decode(name string, raw []byte, into any) error {
	if raw == nil {
		var err error
		if raw, err = os.ReadFile(name); err != nil {
			return fmt.Errorf("read table: %w", err)
		}
	}
	dec := yaml.NewDecoder(bytes.NewReader(raw))
	dec.KnownFields(true)
	if err := dec.Decode(into); err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	return nil
}

// knows refuses a project with a fault or an environment of no meaning.
func (t table) knows(p *project) error {
	var errs []error
	for name := range p.Faults {
		if !slices.ContainsFunc(t.Faults, func(f fault) bool { return f.Name == name }) {
			errs = append(errs, fmt.Errorf("project %s: fault %q is not in table.yaml: %w", p.Name, name, fs.ErrNotExist))
		}
	}
	for name := range p.Environments {
		if !slices.ContainsFunc(t.Environments, func(e environment) bool { return e.Name == name }) {
			errs = append(errs, fmt.Errorf("project %s: environment %q is not in table.yaml: %w", p.Name, name, fs.ErrNotExist))
		}
	}
	return errors.Join(errs...)
}

// product lists the cells of a project, in the order of the tables.
func (t table) product(p *project) []cell {
	var out []cell
	for _, e := range t.Environments {
		own, named := p.Environments[e.Name]
		if !e.All && !named {
			continue
		}
		e.Base, e.Tree = slices.Concat(e.Base, own.Base), slices.Concat(e.Tree, own.Tree)
		for _, f := range t.Faults {
			if _, fits := p.Faults[f.Name]; fits && (len(e.Faults) == 0 || slices.Contains(e.Faults, f.Name)) {
				out = append(out, cell{project: p, fault: f, environment: e})
			}
		}
	}
	return out
}

// change are the steps from base to head.
func (c cell) change() []string {
	return slices.Concat(c.project.Environments[c.environment.Name].Head, c.project.Faults[c.fault.Name])
}

func matching(cells []cell, want *regexp.Regexp) []cell {
	return slices.DeleteFunc(cells, func(c cell) bool { return !want.MatchString(c.id()) })
}
