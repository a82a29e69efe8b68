package mode

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
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
	if r.Output.Ours(mutantFile) != nil {
		return mutantCache{}
	}
	raw, err := r.Output.Read(mutantFile, maxShardFile)
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
	if err := r.Output.Write(mutantFile, raw); err != nil {
		return fmt.Errorf("keep mutants: %w", err)
	}
	return nil
}

// testsDigest is the digest of the project's own test files, empty when there
// are too many to look at. Reports do not always name files: those that the
// names say to be tests are among them.
func (r *run) testsDigest() string {
	files := r.code.Graph().Files()
	if len(files) >= related.Files {
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
