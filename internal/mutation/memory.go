package mutation

import (
	"encoding/json"
	"fmt"

	"github.com/org/qa-action/internal/output"
)

// Known is what became of mutants when the project's tests were as they are now:
// status by mutant. A mutant is named by its line's text, so that a line that only
// moved keeps its verdict.
type Known map[string]string

// memoryFile is below the output directory: the mutants of the last run.
const (
	memoryFile = "mutants.json"
	maxMemory  = 256 << 20 // bytes of it
)

type remembered struct {
	Tests   string `json:"tests"` // digest of the test files
	Mutants Known  `json:"mutants"`
}

// Recall gives the verdicts of the last run over tests of a digest, none when a
// test changed since then or the digest is empty.
func Recall(dir *output.Dir, tests string) Known {
	var f remembered
	if dir.Ours(memoryFile) != nil {
		return Known{}
	}
	raw, err := dir.Read(memoryFile, maxMemory)
	if err != nil || json.Unmarshal(raw, &f) != nil || f.Tests == "" || f.Tests != tests || f.Mutants == nil {
		return Known{}
	}
	return f.Mutants
}

// Keep writes atomically: a killed run leaves the old file or the new.
func (k Known) Keep(dir *output.Dir, tests string) error {
	raw, err := json.Marshal(remembered{Tests: tests, Mutants: k})
	if err != nil {
		return fmt.Errorf("keep mutants: %w", err)
	}
	if err := dir.Write(memoryFile, raw); err != nil {
		return fmt.Errorf("keep mutants: %w", err)
	}
	return nil
}
