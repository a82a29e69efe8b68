// Package assurance decides which generated tests earn their place. Start at
// [Chain.Run]; the gates are in their order:
//
//	G0  policy      path and syntax tree: nothing a test must not do
//	G1  duplicate   no test of the project or of this run does the same
//	G2  builds      it is collected, and exactly it is executed
//	G3  head        what it says on the changed code
//	G4  base        what it says on the code before the change
//	G5  stable      repeated and perturbed runs agree
//	G7  useful      covers a changed line nobody covered, kills a mutant nobody
//	    G8          killed, or captures the change
//	G9  assertions  each one matters: turned into its opposite, the test fails
//	G11 minimal     nothing it does is done by another accepted test
//	G12 suite       the whole suite is as green with it as without
//
// A candidate that fails a gate is dropped with the gate and the reason. One
// that passes on base and fails on head is not dropped but kept apart: stable
// failures are proof of a regression, and never repaired. Everything is decided
// by running; the model has no say.
package assurance

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/role/generator"
	"github.com/org/qa-action/internal/source"
)

// Tree is a private copy whose files can be changed.
type Tree interface {
	executor.Tree
	Write(name string, data []byte) error
	Remove(name string) error
}

// The classes of the truth table of base and head.
const (
	Guard      = "guard"                // pass, pass
	Capturing  = "change-capturing"     // fail, pass
	Regression = "regression-candidate" // pass, fail
	BadOrOld   = "bad-or-old"           // fail, fail
	NewAPI     = "new-api"              // does not build on base, pass
)

// Chain holds what candidates are tried against.
type Chain struct {
	Target     executor.Target
	Head, Base Tree // Base is nil when there is none
	Keep       string
	// Read gives a file of head as it was before any test was generated.
	Read func(path string) ([]byte, error)
	// Change and Covered decide what is new: Covered are the changed lines
	// that the project's own tests run.
	Change  []qa.FileChange
	Covered map[string][]int
	// Known are import paths that the project's tests use.
	Known   []string
	Repeat  int
	Options executor.Options // timeout and live output of each run
	// Failing are ids of the project's tests that fail without any of ours.
	Failing map[string]bool
	// Mutants are the diff mutants that the project's own tests let live.
	Mutants []source.Mutant
	// Repair is asked for a better version of candidates whose failure may be
	// repaired; nil never repairs.
	Repair func(ctx context.Context, c generator.Candidate, why string) (generator.Candidate, bool)
	// MaxRepairs bounds the repairs of one candidate.
	MaxRepairs int

	runs   int
	hashes map[string]string
	added  map[string][]byte // test files with the accepted tests in them
}

// Verdict is what became of one candidate.
type Verdict struct {
	qa.GeneratedTest
	Candidate generator.Candidate
	Proof     *qa.Proof
	Killed    []string // ids of mutants
	Lines     map[string][]int
}

func (v *Verdict) drop(gate, format string, args ...any) bool {
	v.Kept, v.Gate, v.Reason = false, gate, fmt.Sprintf(format, args...)
	return false
}

// Run tries all candidates and leaves the accepted ones, and nothing else, in
// the head tree. Files maps test files to their content with what was accepted.
func (c *Chain) Run(ctx context.Context, candidates []generator.Candidate) (verdicts []Verdict, files map[string][]byte, err error) {
	c.hashes, c.added = map[string]string{}, map[string][]byte{}
	for _, cand := range candidates {
		v, err := c.try(ctx, cand)
		if restoreErr := c.restore(cand.Path); restoreErr != nil {
			return verdicts, c.added, errors.Join(err, restoreErr)
		}
		if err != nil {
			return verdicts, c.added, err
		}
		verdicts = append(verdicts, v)
	}
	c.minimise(verdicts)
	if err := c.rebuild(verdicts); err != nil {
		return verdicts, c.added, err
	}
	if err := c.whole(ctx, verdicts); err != nil {
		return verdicts, c.added, err
	}
	return verdicts, c.added, nil
}

// try takes one candidate through the gates up to G9, with repairs where the
// truth table allows them.
func (c *Chain) try(ctx context.Context, cand generator.Candidate) (Verdict, error) {
	for repairs := 0; ; repairs++ {
		v := Verdict{Candidate: cand, GeneratedTest: qa.GeneratedTest{
			Name: cand.Name, Path: cand.Path, Layer: cand.Layer, Lane: cand.Lane, Target: cand.Target, Code: cand.Code, Repairs: repairs,
		}}
		repairable, err := c.judge(ctx, &v)
		if err != nil || !repairable || c.Repair == nil || repairs >= c.MaxRepairs {
			return v, err
		}
		next, ok := c.Repair(ctx, cand, v.Gate+": "+v.Reason)
		if !ok {
			return v, nil
		}
		// Only the text of the test itself may change: not its file, its target
		// or its lane.
		next.Path, next.Source, next.Target, next.Lane, next.Layer, next.Package, next.Finding = cand.Path, cand.Source, cand.Target, cand.Lane, cand.Layer, cand.Package, cand.Finding
		if len(next.Code) == 0 || !c.asMany(cand, next) {
			return v, nil
		}
		cand = next
	}
}

// asMany refuses a repair that asserts less than what it repairs.
func (c *Chain) asMany(before, after generator.Candidate) bool {
	return assertions(after) >= assertions(before)
}

func assertions(c generator.Candidate) int {
	placed, err := source.Place(nil, c.Path, c.New())
	if err != nil {
		return 0
	}
	tests, err := source.Tests(c.Path, placed)
	if err != nil {
		return 0
	}
	n := 0
	for _, t := range tests {
		n += len(t.Assertions)
	}
	return n
}

// judge is one pass through G0 to G9. repairable says that the failure may be
// the test's own fault and is not evidence.
func (c *Chain) judge(ctx context.Context, v *Verdict) (repairable bool, err error) {
	placed, name, ok := c.policy(v)
	if !ok {
		return true, nil
	}
	if err := c.Head.Write(v.Path, placed); err != nil {
		return false, err
	}
	head, cases, err := c.outcome(ctx, c.Head, v, name)
	if err != nil {
		return false, err
	}
	if head.status == qa.NotRun || head.status == qa.BuildFailed {
		v.drop("G2", "it was not executed: %s", head.why)
		return true, nil
	}
	v.Head = head.status
	v.Base, err = c.onBase(ctx, v, placed, name)
	if err != nil {
		return false, err
	}
	v.Class = class(v.Base, v.Head)
	switch v.Class {
	case Regression, BadOrOld:
		return c.failing(ctx, v, name, head)
	}
	if v.Lane == generator.Catching {
		v.Reason = "the suspicion did not hold: it passes on head"
	}
	if ok, err := c.stable(ctx, v, name, qa.Passed); err != nil || !ok {
		return false, err
	}
	if ok, err := c.useful(ctx, v, name, cases); err != nil || !ok {
		return false, err
	}
	if ok, err := c.assert(ctx, v, placed, name); err != nil || !ok {
		return false, err
	}
	v.Kept, v.Reason = true, reason(v)
	c.added[v.Path] = placed
	if hash, err := source.Hash(v.Path, placed, name); err == nil {
		c.hashes[hash] = name
	}
	return false, nil
}

// class reads the truth table.
func class(base, head qa.Status) string {
	switch {
	case base == qa.BuildFailed || base == qa.NotRun:
		if head == qa.Passed {
			return NewAPI
		}
		return BadOrOld
	case base == qa.Passed && head == qa.Passed:
		return Guard
	case head == qa.Passed:
		return Capturing
	case base == qa.Passed:
		return Regression
	}
	return BadOrOld
}

// reason says why a test was kept and where its expectation comes from.
func reason(v *Verdict) string {
	why := "covers changed lines nobody covered"
	switch {
	case len(v.Killed) > 0:
		why = fmt.Sprintf("kills %d mutants nobody killed", len(v.Killed))
	case v.Class == Capturing:
		why = "captures the change: fails on base"
	}
	switch v.Class {
	case Guard:
		return why + "; base agrees with its expectations"
	case NewAPI:
		return why + "; characterisation: its expectations were seen on head only"
	}
	return why
}

// failing deals with a test that fails on head. It is evidence before it is
// anything else: the same failure every time, with base passing, proves a
// regression; failing on both sides reproduces a finding it was written for.
func (c *Chain) failing(ctx context.Context, v *Verdict, name string, head outcome) (repairable bool, err error) {
	wanted := v.Class == Regression || v.Lane == generator.Catching && v.Candidate.Finding != "" && v.Base.Bad()
	if !wanted || head.errored {
		v.drop("G3", "fails on head: %s", head.why)
		return v.Class == BadOrOld, nil
	}
	if ok, err := c.stable(ctx, v, name, qa.Failed); err != nil || !ok {
		return false, err
	}
	v.Proof = &qa.Proof{Test: v.Name, Path: v.Path, Code: v.Code, Base: v.Base, Head: v.Head, Runs: c.Repeat + len(perturbations), Message: head.why, Regression: v.Class == Regression}
	v.Gate, v.Reason = "G4", "evidence: passes on base, fails on head"
	if v.Class == BadOrOld {
		v.Reason = "evidence: fails on base and on head"
	}
	return false, nil
}

// original is a test file as it was before this run, nil when there was none.
func (c *Chain) original(path string) ([]byte, error) {
	raw, err := c.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return raw, err
}

// current is a test file with what was accepted so far.
func (c *Chain) current(path string) ([]byte, error) {
	if raw, ok := c.added[path]; ok {
		return raw, nil
	}
	return c.original(path)
}

// restore puts a test file of the head tree back to what was accepted.
func (c *Chain) restore(path string) error {
	raw, err := c.current(path)
	if err != nil {
		return err
	}
	for _, tree := range []Tree{c.Head, c.Base} {
		if tree == nil {
			continue
		}
		if raw == nil {
			err = tree.Remove(path)
			if errors.Is(err, fs.ErrNotExist) {
				err = nil
			}
		} else {
			err = tree.Write(path, raw)
		}
		if err != nil {
			return fmt.Errorf("restore %s: %w", path, err)
		}
	}
	return nil
}

// rebuild places the kept tests anew, because dropped ones may stand between
// them, and writes the files.
func (c *Chain) rebuild(verdicts []Verdict) error {
	touched := map[string]bool{}
	c.added = map[string][]byte{}
	for i := range verdicts {
		v := &verdicts[i]
		touched[v.Path] = true
		if !v.Kept {
			continue
		}
		now, err := c.current(v.Path)
		if err != nil {
			return err
		}
		placed, err := source.Place(now, v.Path, v.Candidate.New())
		if err != nil {
			v.drop("G11", "cannot be placed beside the others: %v", err)
			continue
		}
		c.added[v.Path] = placed
	}
	for path := range touched {
		if err := c.restore(path); err != nil {
			return err
		}
	}
	return nil
}

// selection names one test of a file.
func selection(v *Verdict, cases []qa.Case) []framework.Selected {
	if len(cases) > 0 {
		return framework.Select(cases)
	}
	return []framework.Selected{{File: v.Path}}
}

func lineSet(m map[string][]int, path string, line int32) bool {
	return slices.Contains(m[path], int(line))
}
