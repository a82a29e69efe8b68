package mode

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/qa"
)

// mutantCache is what became of mutants when the project's tests were as they
// are now: status by mutant. A mutant is named by its line's text, so that a
// line that only moved keeps its verdict.
type mutantCache map[string]string

// cacheFile is below the output directory: the mutants of the last run.
type cacheFile struct {
	Tests   string      `json:"tests"` // digest of the test files
	Mutants mutantCache `json:"mutants"`
}

const mutantFile = "mutants.json"

// knownMutants gives the verdicts of the last run, none when a test changed
// since then.
func (r *run) knownMutants() mutantCache {
	var f cacheFile
	raw, err := os.ReadFile(filepath.Join(r.OutputDir, mutantFile))
	if err != nil || json.Unmarshal(raw, &f) != nil || f.Tests == "" || f.Tests != r.testsDigest() || f.Mutants == nil {
		return mutantCache{}
	}
	return f.Mutants
}

// keepMutants writes atomically: a killed run leaves the old file or the new.
func (r *run) keepMutants(known mutantCache) error {
	raw, err := json.Marshal(cacheFile{Tests: r.testsDigest(), Mutants: known})
	if err != nil {
		return fmt.Errorf("keep mutants: %w", err)
	}
	tmp, err := os.CreateTemp(r.OutputDir, mutantFile+".*")
	if err != nil {
		return fmt.Errorf("keep mutants: %w", err)
	}
	_, err = tmp.Write(raw)
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), filepath.Join(r.OutputDir, mutantFile))
	}
	if err != nil {
		return errors.Join(fmt.Errorf("keep mutants: %w", err), os.Remove(tmp.Name()))
	}
	return nil
}

// testsDigest is the digest of the project's own test files, empty when there
// are too many to look at. Reports do not always name files: those that the
// names say to be tests are among them.
func (r *run) testsDigest() string {
	files := r.imports().Files()
	if len(files) >= graphFiles {
		return ""
	}
	files = slices.DeleteFunc(files, func(f string) bool {
		kind, _, _ := change.Classify(f, nil)
		return kind != qa.KindTest
	})
	files = append(files, r.base.testFiles()...)
	slices.Sort(files)
	var parts [][]byte
	for _, name := range slices.Compact(files) {
		raw, err := r.read(name)
		if err != nil {
			continue // gone, or not in the checkout
		}
		parts = append(parts, []byte(name), raw)
	}
	return digestOf(parts...)
}

// reportMutants writes mutation.json: the mutants of the change in the
// mutation-testing report schema, version 2, which the viewers of that schema
// show. https://github.com/stryker-mutator/mutation-testing-elements
func (r *run) reportMutants() {
	if r.mutation == nil || len(r.mutation.All) == 0 {
		return
	}
	type place struct {
		Line   int `json:"line"`
		Column int `json:"column"`
	}
	type span struct {
		Start place `json:"start"`
		End   place `json:"end"`
	}
	type mutant struct {
		ID          string   `json:"id"`
		Operator    string   `json:"mutatorName"`
		Replacement string   `json:"replacement"`
		Location    span     `json:"location"`
		Status      string   `json:"status"`
		KilledBy    []string `json:"killedBy,omitempty"`
	}
	type file struct {
		Language string   `json:"language"`
		Source   string   `json:"source"`
		Mutants  []mutant `json:"mutants"`
	}
	type test struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	}
	type testFile struct {
		Tests []test `json:"tests"`
	}
	killers := map[string]string{}
	for _, t := range r.earlier() {
		for id, by := range t.Killers {
			killers[id] = by
		}
	}
	files, tests := map[string]*file{}, map[string]*testFile{}
	for _, m := range r.mutation.All {
		f := files[m.Path]
		if f == nil {
			src, err := r.read(m.Path)
			if err != nil {
				continue
			}
			_, language, _ := change.Classify(m.Path, nil)
			f = &file{Language: language, Source: string(src)}
			files[m.Path] = f
		}
		line, column := m.Line, m.Column
		if n := strings.Count(m.Original, "\n"); n > 0 {
			line, column = line+n, len(m.Original)-strings.LastIndexByte(m.Original, '\n')
		} else {
			column += len(m.Original)
		}
		out := mutant{ID: m.ID, Operator: m.Operator, Replacement: m.Replacement, Status: m.Status, Location: span{place{m.Line, m.Column}, place{line, column}}}
		if by := killers[m.ID]; by != "" && r.killed[m.ID] {
			out.Status, out.KilledBy = mutantKilled, []string{by}
			name, _, _ := strings.Cut(by, " > ")
			if tests[name] == nil {
				tests[name] = &testFile{}
			}
			if known := tests[name]; !slices.ContainsFunc(known.Tests, func(t test) bool { return t.ID == by }) {
				known.Tests = append(known.Tests, test{ID: by, Name: strings.TrimPrefix(by, name+" > ")})
			}
		}
		f.Mutants = append(f.Mutants, out)
	}
	r.file("mutation.json", map[string]any{
		"schemaVersion": "2", "thresholds": map[string]int{"high": 80, "low": 60}, "files": files, "testFiles": tests,
		"framework": map[string]string{"name": "qa", "version": r.Version},
	})
}
