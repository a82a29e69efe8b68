// Package scan finds problems in a change without a model. Start at [Run].
//
// An [Engine] is a value: what it looks at, and one function that turns a
// [Pass] into [Hit]s. Engines know nothing of the pull request's rules. All of
// those live in the settling half, which makes [qa.Finding]s of hits in one
// fixed order: locate and quote (our code reads the file, no engine is
// believed), look the rule up in rules.csv, merge what several engines say of
// one place, decide what is new, apply dismissals, rank, cut.
//
// Adding an engine is one file, one line in the map of engine.go, its rules in
// rules.csv, and one folder under testdata/scan with a bad and a good half.
package scan

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// Request says what to scan and lends the scan its hands: everything that
// touches the world beyond reading AbsRoot is a function value.
type Request struct {
	// AbsRoot is the checkout, which nothing but us writes: all text that is
	// judged and quoted is read from it.
	AbsRoot string
	// ExecRoot is where programs see the checkout, a private copy that the
	// repository's code may have changed meanwhile. Empty is AbsRoot.
	ExecRoot string
	Change   qa.Change

	// Perspectives limits the scan; empty means all, with ux only when files
	// of a user interface changed.
	Perspectives []qa.Perspective
	// Engines limits the scan to these names; "-name" leaves one out.
	Engines []string
	// Within limits the scan to files below these directories; empty is all.
	Within []string
	// Exclude holds globs (doublestar) of paths that are not scanned.
	Exclude     []string
	MinSeverity qa.Severity // empty is Low
	Linters     []Linter    // the user's own

	// Coverage is the measured coverage of head, nil when unknown.
	Coverage *qa.Coverage
	// Patch is the coverage of the changed lines, nil when unknown.
	Patch *qa.PatchCoverage

	Dismissals    []byte // content of the dismissals file, see [parseDismissals]
	Codeowners    []byte // content of CODEOWNERS
	KnownPatterns []qa.Pattern

	// Base gives a file's content on the base commit, fs.ErrNotExist when it
	// had none. Nil when base is not at hand: then nothing can be recognised
	// as having stood before, and only changed lines and functions decide.
	Base func(path string) ([]byte, error)
	// Outline gives the functions of a source file. Nil switches enclosing
	// functions and the engines that need them off.
	Outline func(path string, src []byte) (qa.Outline, error)
	// Exec runs a program behind the walls that fit the run. Nil is
	// [process.Run]: for the user's own machine.
	Exec func(context.Context, process.Command) (process.Result, error)
	// ToolPath finds a program by name. Nil is [process.LookPath].
	ToolPath func(name string) (string, error)
	// Env is the environment of the programs, "K=V"; nil is an empty one.
	Env []string
	// Network lets the Go toolchain download modules; without it a missing
	// module is the engine's reason for not having run.
	Network bool
	// TempDir holds base versions of files for programs that compare; it must
	// be readable to whoever Exec runs as. Empty is the system's.
	TempDir string

	Timeout time.Duration // per engine; zero is [defaultTimeout]
	Now     time.Time     // decides which dismissals expired
}

// defaultTimeout limits an engine unless the request says otherwise.
const defaultTimeout = 3 * time.Minute

// Result is what a scan found and what it did.
type Result struct {
	// Findings are ranked: new ones first, then the worst. Known ones stood
	// before the change and are meant to be folded.
	Findings []qa.Finding `json:"findings"`
	// Cut holds what MinSeverity left out, so that [Join] can decide again.
	Cut     []qa.Finding `json:"cut,omitempty"`
	Engines []qa.Engine  `json:"engines"`
	// Folded counts what is not shown by reason: "below min-severity medium".
	Folded map[string]int `json:"folded"`
	// Skipped names files that were not looked at and why.
	Skipped map[string]string `json:"skipped"`
	// Warnings are loud: unreadable places, ignored dismissals.
	Warnings []string `json:"warnings"`
}

// Run scans the change with every engine that applies. A failing engine is a
// row in Result.Engines, never an error: an error means that the request
// itself is wrong (unknown engine, malformed dismissals) or ctx ended.
func Run(ctx context.Context, req Request) (Result, error) {
	req = req.withDefaults()
	picked, err := pick(req)
	if err != nil {
		return Result{}, err
	}
	rules, err := req.settlement()
	if err != nil {
		return Result{}, err
	}
	tree, err := load(req)
	if err != nil {
		return Result{}, err
	}
	slots := runAll(ctx, req, tree, picked)
	if ctx.Err() != nil {
		return Result{}, fmt.Errorf("scan: %w", context.Cause(ctx))
	}
	yield(slots)
	markGaps(req, tree, slots)
	markBase(ctx, req, tree, slots)
	var hits []Hit
	for _, s := range slots {
		hits = append(hits, s.hits...)
	}
	res := settle(req, rules, tree, hits)
	res.Engines = engineRows(slots, res)
	return res, nil
}

// Settle makes findings of hits that were made elsewhere, by the same rules as
// the engines' (quote, fingerprint, what is new, dismissals, owners).
func Settle(req Request, hits []Hit) (Result, error) {
	req = req.withDefaults()
	rules, err := req.settlement()
	if err != nil {
		return Result{}, err
	}
	tree, err := load(req)
	if err != nil {
		return Result{}, err
	}
	return settle(req, rules, tree, hits), nil
}

func (r Request) withDefaults() Request {
	if r.MinSeverity == "" {
		r.MinSeverity = qa.Low
	}
	if r.Timeout <= 0 {
		r.Timeout = defaultTimeout
	}
	if r.ExecRoot == "" {
		r.ExecRoot = r.AbsRoot
	}
	if r.Exec == nil {
		r.Exec = process.Run
	}
	if r.ToolPath == nil {
		r.ToolPath = process.LookPath
	}
	return r
}

// settlement holds what settling needs, parsed and checked before any engine
// starts.
type settlement struct {
	dismissals map[string]qa.Dismissal
	owners     owners
	warnings   []string
}

func (r Request) settlement() (settlement, error) {
	dismissals, err := parseDismissals(r.Dismissals)
	if err != nil {
		return settlement{}, fmt.Errorf("scan: %w", err)
	}
	out := settlement{dismissals: dismissals}
	if out.owners, err = parseOwners(r.Codeowners); err != nil {
		// The host ignores what it cannot read of this file; so do we, aloud.
		out.warnings = append(out.warnings, "owners are not shown: "+wording.Cut(strings.TrimSpace(wording.Plain(err.Error())), 300))
	}
	return out, nil
}
