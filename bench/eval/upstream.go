package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/org/qa-action/bench/eval/measure"
	"github.com/org/qa-action/internal/qa"
)

// listName is the file of a set whose cases are commits of public libraries. It
// holds names alone: the code is taken from clones.
const listName = "list.yaml"

// list is the file as it is written.
type list struct {
	Libraries map[string]*library `yaml:"libraries"`
	Cases     []upstream          `yaml:"cases"`
}

// library is a public repository and what its tests need.
type library struct {
	Repository string `yaml:"repository"` // owner/name
	Framework  string `yaml:"framework"`
	// Packages are what pip installs for the tests, Manifest is the commit whose
	// package.json and lock file npm installs for all cases; go needs neither.
	Packages []string `yaml:"packages"`
	Manifest string   `yaml:"manifest"`
	// Sources is the folder from which tests of Python import the library.
	Sources string `yaml:"sources"`
	// Arguments stand in every call of the test program, Suite only in one that
	// runs all tests.
	Arguments []string `yaml:"arguments"`
	Suite     []string `yaml:"suite"`
	// Absent are large files that clones may lack and the tests do not need.
	Absent []string `yaml:"absent"`

	name string
}

// origin is how a change is made of a commit.
type origin string

const (
	// putBack is a fix undone: base is the commit without its tests, head the
	// same with the listed files as they were before it.
	putBack origin = "put back"
	// honest is the commit itself, on its parent.
	honest origin = "clean"
	// weakened is a change that makes tests weaker: the commit on its parent with
	// edits of its tests, or a fix undone together with its tests.
	weakened origin = "weakened"
)

// upstream is one case of the list.
type upstream struct {
	Name       string   `yaml:"name"`
	Library    string   `yaml:"library"`
	Commit     string   `yaml:"commit"`
	Before     string   `yaml:"before"` // what the case goes back to; default: the commit's parent
	Origin     origin   `yaml:"origin"`
	Kind       string   `yaml:"kind"`
	Difficulty string   `yaml:"difficulty"`
	Title      string   `yaml:"title"` // empty for a clean change: the commit has one
	Body       string   `yaml:"body"`
	Undo       []string `yaml:"undo"`   // files of the product as before the commit
	Hidden     []string `yaml:"hidden"` // files of the tests, likewise
	// Select are the files of Hidden that a test program is given; default: those
	// that look like tests.
	Select []string `yaml:"select"`
	Edits  []edit   `yaml:"edits"`

	library *library
}

// edit takes lines away from a file of tests and puts words of ours there.
type edit struct {
	File  string   `yaml:"file"`
	Lines qa.Range `yaml:"lines"`
	Put   string   `yaml:"put"`
}

var (
	repositoryName = regexp.MustCompile(`^[\w.-]+/[\w.-]+$`)
	commitID       = regexp.MustCompile(`^[0-9a-f]{40}$`)
	difficulties   = []string{"easy", "medium", "hard"}
)

// readList reads the cases of a list whose name matches only.
func readList(name string, only *regexp.Regexp) ([]change, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var l list
	dec := yaml.NewDecoder(f)
	dec.KnownFields(true)
	if err := dec.Decode(&l); err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	for key, lib := range l.Libraries {
		lib.name = key
		if !repositoryName.MatchString(lib.Repository) || !slices.Contains(frameworks(), lib.Framework) {
			return nil, fmt.Errorf("%s: %s needs owner/name and one of the frameworks %v", name, key, frameworks())
		}
		if slices.ContainsFunc(lib.Absent, func(name string) bool { return !filepath.IsLocal(name) }) {
			return nil, fmt.Errorf("%s: %s: %q is no file of the repository", name, key, lib.Absent)
		}
		npm := lib.Framework != "gotest" && lib.Framework != "pytest"
		if npm != commitID.MatchString(lib.Manifest) {
			return nil, fmt.Errorf("%s: %s: a commit as manifest is for npm, and npm needs one", name, key)
		}
	}
	var out []change
	var errs []error
	seen := map[string]bool{}
	for _, u := range l.Cases {
		u.library = l.Libraries[u.Library]
		if err := u.valid(seen[u.Name]); err != nil {
			errs = append(errs, fmt.Errorf("%s: %s: %w", name, u.Name, err))
			continue
		}
		seen[u.Name] = true
		if only.MatchString(u.Name) {
			out = append(out, u.change())
		}
	}
	return out, errors.Join(errs...)
}

func (u upstream) valid(twice bool) error {
	tests := len(u.Hidden) + len(u.Edits)
	switch {
	case u.Name == "" || twice:
		return errors.New("a case needs a name of its own")
	case u.library == nil:
		return fmt.Errorf("unknown library %q", u.Library)
	case !commitID.MatchString(u.Commit):
		return fmt.Errorf("commit %q has no 40 digits", u.Commit)
	case u.Before != "" && !commitID.MatchString(u.Before):
		return fmt.Errorf("commit %q has no 40 digits", u.Before)
	case u.Kind == "":
		return errors.New("a case needs a kind")
	case u.Origin == honest && (u.Title != "" || len(u.Undo)+tests > 0):
		return errors.New("a clean change is its commit and nothing else")
	case u.Origin == honest:
		return nil
	case u.Title == "" || u.Body == "":
		return errors.New("a change of ours needs title and body")
	case !slices.Contains(difficulties, u.Difficulty):
		return fmt.Errorf("difficulty %q, expected one of %v", u.Difficulty, difficulties)
	case u.Origin == putBack && (len(u.Undo) == 0 || len(u.Hidden) == 0 || len(u.Edits) > 0):
		return errors.New("a fix that is put back needs undo and hidden, and no edits")
	case u.Origin == weakened && (tests == 0 || (len(u.Undo) > 0) != (len(u.Hidden) > 0) || len(u.Hidden) > 0 && len(u.Edits) > 0):
		return errors.New("weakened tests need edits, or undo and hidden")
	case u.Origin != putBack && u.Origin != weakened:
		return fmt.Errorf("unknown origin %q", u.Origin)
	}
	for _, name := range slices.Concat(u.Undo, u.Hidden, u.Select) {
		if !filepath.IsLocal(name) {
			return fmt.Errorf("%q is no file of the repository", name)
		}
	}
	for _, e := range u.Edits {
		if !filepath.IsLocal(e.File) || e.Lines.Start < 1 || e.Lines.End < e.Lines.Start {
			return fmt.Errorf("no lines %v of %q", e.Lines, e.File)
		}
	}
	return nil
}

// change is the case as the rest of the program knows it. Where its defect is
// shows once it is laid out.
func (u upstream) change() change {
	c := change{ID: u.Name, Library: u.Library, Framework: u.library.Framework, Title: u.Title, Body: u.Body, upstream: &u}
	if u.Origin != honest {
		c.Truth = &truth{Place: measure.Place{}, Kind: u.Kind, words: regexp.MustCompile("")}
	}
	return c
}

// before is the state without the commit, or without all since [upstream.Before].
func (u upstream) before() string { return cmp.Or(u.Before, u.Commit+"^") }

// selected are the files whose tests show the defect, as the test program wants
// them: packages for go test.
func (u upstream) selected() []string {
	files := u.Select
	if len(files) == 0 {
		for _, name := range u.tests() {
			if testFile[u.library.Framework].MatchString(name) {
				files = append(files, name)
			}
		}
	}
	if u.library.Framework != "gotest" {
		return files
	}
	var packages []string
	for _, name := range files {
		packages = append(packages, "./"+filepath.ToSlash(filepath.Dir(name)))
	}
	slices.Sort(packages)
	return slices.Compact(packages)
}

// tests are the files of tests in which the case differs from its commit.
func (u upstream) tests() []string {
	names := slices.Clone(u.Hidden)
	for _, e := range u.Edits {
		names = append(names, e.File)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// testFile says which files of a framework hold tests; fixtures lie beside them.
var testFile = map[string]*regexp.Regexp{
	"gotest": regexp.MustCompile(`_test\.go$`),
	"pytest": regexp.MustCompile(`(^|/)(test_[^/]*|[^/]*_test|tests)\.py$`),
	"jest":   script, "mocha": script, "vitest": script,
}

var script = regexp.MustCompile(`\.[cm]?[jt]sx?$`)
