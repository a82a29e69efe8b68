package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/org/qa-action/bench/eval/measure"
	"github.com/org/qa-action/internal/qa"
)

// change is one case of the set: a folder below testdata/eval/case, or a line of a
// list of commits.
type change struct {
	ID        string `yaml:"-"`
	Library   string `yaml:"library"`
	Framework string `yaml:"framework"`
	Title     string `yaml:"title"`
	Body      string `yaml:"body"`
	Truth     *truth `yaml:"truth"` // nil for a clean change

	dir      string
	upstream *upstream // nil for a folder
}

// truth is what is wrong with a change.
type truth struct {
	measure.Place `yaml:",inline"`
	Kind          string `yaml:"kind"`
	// Cause is a regular expression: a finding that names the defect has one of
	// these words.
	Cause string `yaml:"cause"`
	// Oracle is where the hidden test goes.
	Oracle string `yaml:"oracle"`

	words *regexp.Regexp
	// places are known once a case of a list is laid out.
	places []measure.Place
}

// holds reports whether a finding is where the defect is.
func (t *truth) holds(f qa.Finding) bool {
	if t.File != "" {
		return t.Holds(f)
	}
	return slices.ContainsFunc(t.places, func(p measure.Place) bool { return p.Holds(f) })
}

// readCases reads the cases whose id matches only.
func readCases(set, only string) ([]change, error) {
	want, err := regexp.Compile(only)
	if err != nil {
		return nil, fmt.Errorf("select cases: %w", err)
	}
	if name := filepath.Join(set, listName); fileExists(name) {
		out, err := readList(name, want)
		if err == nil && len(out) == 0 {
			err = fmt.Errorf("no case of %s matches %q", name, only)
		}
		return out, err
	}
	entries, err := os.ReadDir(filepath.Join(set, "case"))
	if err != nil {
		return nil, fmt.Errorf("read cases: %w", err)
	}
	var out []change
	var errs []error
	for _, e := range entries {
		if !want.MatchString(e.Name()) {
			continue
		}
		c, err := readCase(filepath.Join(set, "case", e.Name()))
		out, errs = append(out, c), append(errs, err)
	}
	if len(out) == 0 && len(errs) == 0 {
		return nil, fmt.Errorf("no case of %s matches %q", set, only)
	}
	return out, errors.Join(errs...)
}

func fileExists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

func readCase(dir string) (change, error) {
	c := change{ID: filepath.Base(dir), dir: dir}
	name := filepath.Join(dir, "case.yaml")
	raw, err := os.ReadFile(name)
	if err != nil {
		return c, fmt.Errorf("read case %s: %w", c.ID, err)
	}
	dec := yaml.NewDecoder(strings.NewReader(string(raw)))
	dec.KnownFields(true)
	if err := dec.Decode(&c); err != nil {
		return c, fmt.Errorf("read %s: %w", name, err)
	}
	if !slices.Contains(frameworks(), c.Framework) {
		return c, fmt.Errorf("%s: unknown framework %q, expected one of %s", name, c.Framework, strings.Join(frameworks(), ", "))
	}
	if c.Truth == nil {
		return c, nil
	}
	if c.Truth.words, err = regexp.Compile("(?i)" + c.Truth.Cause); err != nil {
		return c, fmt.Errorf("%s: cause: %w", name, err)
	}
	if c.Truth.File == "" || c.Truth.Lines.Start == 0 || c.Truth.Oracle == "" {
		return c, fmt.Errorf("%s: truth needs file, lines and oracle", name)
	}
	return c, nil
}
