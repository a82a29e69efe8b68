package assurance_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/assurance"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/role/generator"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/source/mutant"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

func TestMain(m *testing.M) {
	if handled, exit := runtime.MaybeSandbox(os.Args); handled {
		os.Exit(exit)
	}
	os.Exit(m.Run())
}

// bank is where the labelled candidates are; its README says what the lines of
// a case mean.
const bank = "../../../testdata/assurance"

// labelled is one candidate and what is right to do with it.
type labelled struct {
	name, kind string
	good       bool
	proof      bool     // good means: kept apart as proof of a regression
	gates      []string // of a bad one: where it may be dropped
	with       []string // cases that are tried before it in the same run
	quick      bool     // part of the subset
	candidate  generator.Candidate
}

func readBank(t *testing.T, name string) map[string]labelled {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(bank, name, "*.txtar"))
	assert.NilError(t, err)
	cases := map[string]labelled{}
	for _, file := range files {
		base := strings.TrimSuffix(filepath.Base(file), ".txtar")
		archive, err := txtar.ParseFile(file)
		assert.NilError(t, err)
		cases[base] = parseCase(t, base, archive)
	}
	assert.Assert(t, len(cases) > 0, "no cases of %s", name)
	return cases
}

func parseCase(t *testing.T, name string, a *txtar.Archive) labelled {
	t.Helper()
	l := labelled{name: name}
	c := &l.candidate
	c.Layer, c.Lane = qa.L1, generator.Hardening
	for line := range strings.Lines(string(a.Comment)) {
		key, value, found := strings.Cut(strings.TrimSpace(line), ": ")
		if !found {
			continue
		}
		switch key {
		case "label":
			l.good, l.proof = value != "bad", value == "proof"
			assert.Assert(t, slices.Contains([]string{"good", "bad", "proof"}, value), "%s: label %q", name, value)
		case "kind":
			l.kind = value
		case "gate":
			l.gates = strings.Fields(value)
		case "with":
			l.with = strings.Fields(value)
		case "quick":
			l.quick = value == "yes"
		case "path":
			c.Path = value
		case "source":
			c.Source = value
		case "target":
			c.Target = value
		case "package":
			c.Package = value
		case "lane":
			c.Lane = value
		case "finding":
			c.Finding = value
		case "in":
			c.In = value
		default:
			t.Fatalf("%s: unknown key %q", name, key)
		}
	}
	for _, f := range a.Files {
		switch f.Name {
		case "imports":
			c.Imports = slices.Collect(func(yield func(string) bool) {
				for line := range strings.Lines(string(f.Data)) {
					if line = strings.TrimSpace(line); line != "" && !yield(line) {
						return
					}
				}
			})
		case "code":
			c.Code = string(f.Data)
		}
	}
	assert.Assert(t, c.Code != "" && c.Path != "" && l.kind != "" && (l.good || len(l.gates) > 0), "%s: incomplete", name)
	return l
}

// arena is a project with a change: its two trees and what is known of it.
type arena struct {
	head, base *runtime.Workspace
	root       string
	target     executor.Target
	change     []qa.FileChange
	covered    map[string][]int
	mutants    []mutant.Mutant
	keep       rooted.Place
}

// perFunction is the number of mutants of one function; the product has no such
// bound, here it saves time.
const perFunction = 5

// open lays both sides of the bank's change over the sample project.
func open(t *testing.T, name string) *arena {
	t.Helper()
	repo := fixture.New(t, name)
	lay := func(side string) string {
		a, err := txtar.ParseFile(filepath.Join(bank, name, "change", side+".txtar"))
		assert.NilError(t, err)
		for _, f := range a.Files {
			repo.Write(f.Name, string(f.Data))
		}
		return repo.Commit(side)
	}
	base := lay("base")
	lay("head")
	a := &arena{root: repo.Dir, keep: fixture.Place(t, t.TempDir())}
	cache := filepath.Join(os.TempDir(), "qa-e2e-cache")
	assert.NilError(t, os.MkdirAll(cache, 0o755))
	var err error
	a.head, err = runtime.Open(t.Context(), runtime.Options{Driver: "host", Root: repo.Dir, Cache: cache, Install: "never"})
	assert.NilError(t, err)
	t.Cleanup(func() { assert.Check(t, a.head.Close()) })
	a.base, err = a.head.At(t.Context(), base)
	assert.NilError(t, err)
	t.Cleanup(func() { assert.Check(t, a.base.Close()) })

	found, err := framework.Detect(a.head.Dir(), ".")
	assert.NilError(t, err)
	i := slices.IndexFunc(found, func(d adapter.Detection) bool { return d.Framework == name })
	assert.Assert(t, i >= 0, "%s not found", name)
	a.target = executor.Target{Name: name, Dir: ".", Framework: found[i]}
	ch, err := change.FromGit(t.Context(), change.Options{Dir: repo.Dir, Base: base})
	assert.NilError(t, err)
	a.change = ch.Of(qa.KindSource)
	a.measure(t)
	return a
}

// measure runs the project's own tests: they are green, and say what the
// candidates may still gain.
func (a *arena) measure(t *testing.T) {
	t.Helper()
	own, err := executor.Suite(t.Context(), a.head, a.target, executor.Options{Name: "own", Keep: a.keep.Join("own"), Coverage: true, Timeout: 2 * time.Minute})
	assert.NilError(t, err)
	assert.Equal(t, own.Inconclusive, "", own.Tail)
	tally := own.Suite.Tally()
	assert.Assert(t, tally.Failed+tally.Errors == 0 && len(own.Suite.Problems) == 0 && own.Coverage != nil, "%+v\n%s", own, own.Tail)
	a.covered = map[string][]int{}
	for _, f := range a.change {
		src, err := a.read(f.Path)
		assert.NilError(t, err)
		file := own.Coverage.File(f.Path)
		assert.Assert(t, file != nil, "%s is not measured", f.Path)
		for _, l := range file.Lines {
			if l.Hits > 0 {
				a.covered[f.Path] = append(a.covered[f.Path], int(l.Line))
			}
		}
		parsed, err := outline.Parse(f.Path, src)
		assert.NilError(t, err)
		all, err := mutant.Make(f.Path, src, f.Added)
		assert.NilError(t, err)
		per := map[string]int{}
		for _, m := range all {
			in := parsed.Enclosing(m.Line)
			if in == nil || slices.Contains(a.covered[f.Path], m.Line) || per[in.Name] == perFunction {
				continue
			}
			per[in.Name]++
			a.mutants = append(a.mutants, m)
		}
	}
	assert.Assert(t, len(a.mutants) > 0)
}

func (a *arena) read(path string) ([]byte, error) {
	raw, err := os.ReadFile(filepath.Join(a.root, path))
	if err != nil && !os.IsNotExist(err) {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	if err != nil {
		return nil, fs.ErrNotExist
	}
	return raw, nil
}

// chain is a new chain over the arena; runs of one arena follow each other.
func (a *arena) chain(name string) *assurance.Chain {
	return &assurance.Chain{
		Target: a.target, Trees: assurance.Trees{Head: a.head, Base: a.base, Read: a.read}, Keep: a.keep.Join(name),
		Change: a.change, Covered: a.covered, Mutants: a.mutants, Repeat: 2, Failing: map[string]bool{},
		Options: executor.Options{Name: name, Timeout: 20 * time.Second},
	}
}

// try runs one case, with those it needs before it, and gives its verdict.
func (a *arena) try(t *testing.T, cases map[string]labelled, l labelled) assurance.Verdict {
	t.Helper()
	var candidates []generator.Candidate
	for _, name := range append(slices.Clone(l.with), l.name) {
		c, ok := cases[name]
		assert.Assert(t, ok, "%s needs %s", l.name, name)
		candidates = append(candidates, c.candidate)
	}
	verdicts, files, err := a.chain(l.name).Run(t.Context(), candidates)
	assert.NilError(t, err, l.name)
	assert.Equal(t, len(verdicts), len(candidates))
	v := verdicts[len(verdicts)-1]
	if v.Kept != strings.Contains(string(files[v.Path]), strings.TrimSpace(firstLine(l.candidate.Code))) && len(l.with) == 0 {
		t.Errorf("%s: kept is %v, but the file is\n%s", l.name, v.Kept, files[v.Path])
	}
	for path := range files { // the next case finds the project as it was
		raw, err := a.read(path)
		if err == nil {
			err = a.head.Write(path, raw)
		} else {
			err = a.head.Remove(path)
		}
		assert.NilError(t, err)
	}
	return v
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}
