// Package assurance decides which generated tests earn their place. Start at
// [Chain.Run]; the gates are in their order:
//
//	G0  policy      path and syntax tree: nothing a test must not do
//	G1  duplicate   no test of the project or of this run does the same
//	G2  builds      it is collected, exactly it is executed, its types fit, and the
//	                linters have nothing against one that would be kept
//	G3  head        what it says on the changed code
//	G4  base        what it says on the code before the change
//	G5  stable      repeated and perturbed runs agree
//	G6  isolated    passes alone and in company, and no neighbour fails for it
//	G7  useful      covers a changed line nobody covered, kills a mutant nobody
//	    G8          killed, or captures the change
//	G9  assertions  each one matters: turned into its opposite, the test fails
//	G10 oracle      what it expects is not what a proof shows to be wrong
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

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/role/generator"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/source/edit"
	"github.com/org/qa-action/internal/source/mutant"
	"github.com/org/qa-action/internal/wording"
)

// The classes of the truth table of base and head.
const (
	guard      = "guard"                // pass, pass
	capturing  = "change-capturing"     // fail, pass
	regression = "regression-candidate" // pass, fail
	badOrOld   = "bad-or-old"           // fail, fail
	newAPI     = "new-api"              // does not build on base, pass
	newFails   = "new-code-fails"       // does not build on base, fail
)

// Chain holds what candidates are tried against.
type Chain struct {
	Trees
	Target executor.Target
	Keep   rooted.Place
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
	Mutants []mutant.Mutant
	// Repair is asked for a better version of candidates whose failure may be
	// repaired; nil never repairs. An error leaves the candidate dropped.
	Repair func(ctx context.Context, v Verdict) (Fix, error)
	Style
	// MaxRepairs bounds the repairs of one candidate.
	MaxRepairs int

	runs   int
	hashes map[string]string
}

// Style is what the project's own tools ask of a test file.
type Style struct {
	// Format gives a test file in the project's own style; nil leaves it as it
	// was placed.
	Format func(ctx context.Context, path string, text []byte) []byte
	// Types says what the type checker has against a test file as it stands in the
	// head tree; nil asks nobody.
	Types func(ctx context.Context, path string) []string
	// Lint says what the project's linters have against a test file as it stands in the
	// head tree; nil asks nobody.
	Lint func(ctx context.Context, path string, text []byte) []string
}

// trial is one candidate in its test file, with what a run on head said of it.
type trial struct {
	*Chain
	v    *Verdict
	name string // of the test
	head outcome
}

// Verdict is what became of one candidate.
type Verdict struct {
	qa.GeneratedTest
	Candidate generator.Candidate
	Proof     *qa.Proof
	Killed    []string // ids of mutants
	Beheld    []string // those that a proof notices
	Lines     map[string][]int
	Tie       string // of a proof to the finding that it names

	bent    bool      // a repair changed what it feeds or expects
	noticed bool      // an assertion failed on a mutant
	missed  bool      // an assertion failed where nothing was returned
	former  string    // how it was seen to notice what it was evidence of
	runs    int       // that agreed
	ids     []qa.Case // the cases that it is in reports
	first   outcome   // on head
	placed  []byte    // the test file with it
}

func (v *Verdict) drop(gate, format string, args ...any) bool {
	v.Kept, v.Gate, v.Reason = false, gate, fmt.Sprintf(format, args...)
	return false
}

// Run tries all candidates and leaves the accepted ones, and nothing else, in
// the head tree. Files maps test files to their content with what was accepted.
func (c *Chain) Run(ctx context.Context, candidates []generator.Candidate) (verdicts []Verdict, files map[string][]byte, err error) {
	c.hashes, c.added, c.bases = map[string]string{}, map[string][]byte{}, map[string][]byte{}
	if c.digest, err = c.Head.Digest(ctx); err != nil {
		return nil, c.added, err
	}
	for _, cand := range candidates {
		v, err := c.try(ctx, cand)
		c.Options.Races = false
		if writable(cand.Path) {
			err = errors.Join(err, c.restore(cand.Path))
		}
		if err != nil {
			return verdicts, c.added, err
		}
		verdicts = append(verdicts, v)
	}
	if err := c.contradicted(ctx, verdicts); err != nil {
		return verdicts, c.added, err
	}
	minimise(verdicts)
	if err = c.rebuild(ctx, verdicts); err == nil {
		err = c.whole(ctx, verdicts)
	}
	return verdicts, c.added, err
}

// decide judges a candidate, looks whether its runs changed files that are not
// theirs, which outweighs everything else, and accepts what is left.
func (c *Chain) decide(ctx context.Context, v *Verdict) (repairable bool, err error) {
	if repairable, err = c.judge(ctx, v); err != nil {
		return false, err
	}
	if clean, err := c.clean(ctx, v); err != nil || !clean {
		return false, err
	}
	if v.Kept {
		c.added[v.Path], c.accepted = v.placed, append(c.accepted, v.ids...)
		if hash, err := edit.Hash(v.Path, v.placed, v.Name); err == nil {
			c.hashes[hash] = v.Name
		}
	}
	return repairable, nil
}

// clean drops a test whose runs changed files that are not its own.
func (c *Chain) clean(ctx context.Context, v *Verdict) (bool, error) {
	changed, err := c.tampered(ctx, v.Path)
	if err != nil || len(changed) == 0 {
		return err == nil, err
	}
	v.Proof = nil
	return v.drop("G0", "changes product files: %s", listed(changed)), nil
}

func listed(paths []string) string {
	const shown = 5
	if len(paths) > shown {
		return fmt.Sprintf("%q and %d more", paths[:shown], len(paths)-shown)
	}
	return fmt.Sprintf("%q", paths)
}

// judge is one pass through G0 to G9. repairable says that the failure may be
// the test's own fault and is not evidence.
func (c *Chain) judge(ctx context.Context, v *Verdict) (repairable bool, err error) {
	placed, name, ok := c.policy(v)
	if !ok {
		return v.Gate != "G1", nil // what another test does needs no second version
	}
	v.placed = placed
	c.placed = map[string][]byte{v.Path: placed}
	c.Options.Races = v.Origin != nil && v.Origin.Races
	if err := c.Head.Write(v.Path, placed); err != nil {
		return false, err
	}
	head, err := c.outcome(ctx, c.Head, v, name)
	if err != nil {
		return false, err
	}
	if head.status == qa.NotRun || head.status == qa.BuildFailed {
		v.drop("G2", "it was not executed: %s", head.why)
		return true, nil
	}
	if wrong, err := c.mistyped(ctx, v); err != nil || wrong != "" {
		v.drop("G2", "its types do not fit: %s", wrong)
		return true, err
	}
	v.Head, v.ids, v.first = head.status, head.cases, head
	// Before it can do the same to base.
	if clean, err := c.clean(ctx, v); err != nil || !clean {
		return false, err
	}
	t := trial{c, v, name, head}
	base, err := t.compared(ctx)
	if err != nil {
		return false, err
	}
	v.Base = base.status
	if v.Base.Bad() && !c.known(v) && !(head.status == qa.Passed && reaches(v, base)) {
		v.Base = qa.BuildFailed // scripts notice at run time that something is not there
	}
	v.Class = class(v.Base, v.Head)
	if err := t.raced(ctx); err != nil {
		return false, err
	}
	if v.bent && v.Class != guard {
		v.drop("G10", "the repaired test feeds or expects something else than before, and base does not agree with it")
		return false, nil
	}
	if v.Origin != nil && v.Class != guard && v.Class != regression {
		v.drop("G4", "base does not pass it now, so nothing says any more that what it expects is right")
		return false, nil
	}
	if v.Class == regression || v.Class == badOrOld || v.Class == newFails {
		return t.failing(ctx)
	}
	for _, gate := range []func(context.Context) (bool, error){t.steady, t.useful, t.assert} {
		if ok, err := gate(ctx); err != nil || !ok {
			return false, err
		}
	}
	return t.keep(ctx)
}

// keep keeps a test that passed every gate, unless the project's linters object.
func (t trial) keep(ctx context.Context) (repairable bool, err error) {
	v := t.v
	if v.bent && len(v.Killed) == 0 {
		v.drop("G10", "the repaired test feeds or expects something else than before, and no mutant shows that it expects enough")
		return false, nil
	}
	if wrong, err := t.unclean(ctx); err != nil || wrong != "" {
		v.drop("G2", generator.Objection+"%s", wrong)
		return true, err
	}
	v.Kept, v.Reason, v.Lane = true, reason(v), generator.Hardening
	return false, nil
}

// class reads the truth table.
func class(base, head qa.Status) string {
	switch {
	case (base == qa.BuildFailed || base == qa.NotRun) && head == qa.Passed:
		return newAPI
	case base == qa.BuildFailed:
		return newFails
	case base == qa.Passed && head == qa.Passed:
		return guard
	case base.Bad() && head == qa.Passed:
		return capturing
	case base == qa.Passed && head.Bad():
		return regression
	}
	return badOrOld
}

// reason says why a test was kept and where its expectation comes from.
func reason(v *Verdict) string {
	why := "covers changed lines nobody covered"
	switch {
	case v.Class == capturing:
		why = "captures the change: fails on base"
	case v.former != "":
		why = "written for a regression that is fixed now: " + v.former
	case len(v.Killed) > 0:
		why = "kills " + wording.Count(len(v.Killed), "mutant") + " nobody killed"
	}
	switch v.Class {
	case guard:
		why += "; base agrees with its expectations"
	case newAPI:
		why += "; characterisation: its expectations were seen on head only"
	}
	// What the change announces is caught without a finding, and suspected of nothing.
	if c := v.Candidate; v.Origin == nil && v.Lane == generator.Catching && (c.Finding != "" || c.Difference != "") {
		why += "; the suspicion it was written for did not hold"
	}
	return why
}

// failing deals with a test that fails on head. It is evidence before it is
// anything else: the same failure every time, with base passing, proves a
// regression; failing on both sides, or where base has nothing like it, shows a
// finding it was written for.
func (t trial) failing(ctx context.Context) (repairable bool, err error) {
	wanted := t.v.Class == regression || t.v.Lane == generator.Catching && t.v.Candidate.Finding != ""
	if !wanted || t.head.errored {
		t.v.drop("G3", "fails on head: %s", t.head.why)
		return t.v.Class != regression, nil
	}
	return false, t.evidence(ctx)
}

// evidence makes a proof of a test that fails the same way every time.
func (t trial) evidence(ctx context.Context) error {
	ok, err := t.stable(ctx, qa.Failed)
	if err == nil && !ok { // a race is met now and then, unless it is watched for
		if ok, err = t.watch(ctx); err == nil && ok {
			ok, err = t.stable(ctx, qa.Failed)
		}
	}
	if err != nil || !ok {
		return err
	}
	t.v.Proof = &qa.Proof{Test: t.v.Name, Path: t.v.Path, Code: t.v.Code, Base: t.v.Base, Head: t.v.Head, Runs: t.v.runs, Message: t.head.why, Regression: t.v.Class == regression, Races: t.Options.Races}
	t.v.Gate = "G4"
	tie, err := t.tied(ctx)
	if err != nil {
		return err
	}
	t.v.Tie = tie
	if err := t.beholds(ctx); err != nil {
		return err
	}
	switch {
	case t.v.Class == regression:
		t.v.Reason = "evidence: passes on base, fails on head"
	case t.v.Base.Bad():
		t.v.Reason = "evidence: fails on base and on head"
	default:
		t.v.Reason = "evidence: fails on head, and base has nothing like it"
	}
	return nil
}
