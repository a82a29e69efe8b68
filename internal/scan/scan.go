// Package scan finds problems in a change without a model. Start at [Run].
//
// An [engine.Engine] is a value: what it looks at, and one function that turns an
// [engine.Pass] into [engine.Hit]s. Engines know nothing of the pull request's
// rules: those live in package finding, which makes [qa.Finding]s of hits. Here is
// what runs the engines side by side and says what nobody looked at.
//
// Adding an engine is one file in the room of its language, one line in the map of
// table.go, its rules in engine/rules.csv, and one folder under testdata/scan with
// a bad and a good half.
package scan

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/org/qa-action/internal/output"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/scan/engine"
	"github.com/org/qa-action/internal/scan/finding"
	"github.com/org/qa-action/internal/scan/linter"
)

// Request says what to scan and lends the scan its hands.
type Request struct {
	engine.Subject
	engine.Hands
	finding.Terms
	// Engines limits the scan to these names; "-name" leaves one out.
	Engines []string
	Linters []linter.Linter // the user's own
	// Kept is where the memory lies; nil is nowhere.
	Kept *output.Dir
}

// defaultTimeout limits an engine unless the request says otherwise.
const defaultTimeout = 3 * time.Minute

// Run scans the change with every engine that applies. A failing engine is a
// row in Result.Engines, never an error: an error means that the request
// itself is wrong (unknown engine, malformed dismissals) or ctx ended.
func Run(ctx context.Context, req Request) (finding.Result, error) {
	req = req.withDefaults()
	picked, err := pick(req)
	if err != nil {
		return finding.Result{}, err
	}
	tree, settle, err := prepare(req)
	if err != nil {
		return finding.Result{}, err
	}
	slots := runAll(ctx, req, tree, picked)
	if ctx.Err() != nil {
		return finding.Result{}, fmt.Errorf("scan: %w", context.Cause(ctx))
	}
	if !req.Beside && !tree.Foreign() {
		req.Memory.Believe()
	}
	yield(slots)
	markGaps(req, tree, slots)
	markBase(ctx, req, tree, slots)
	var hits []finding.Reported
	for _, s := range slots {
		hits = append(hits, s.hits...)
	}
	res := settle(hits)
	res.Engines = engineRows(slots, res)
	if err := keep(req.Kept, req.Memory); err != nil {
		res.Warnings = append(res.Warnings, err.Error())
	}
	return res, nil
}

// Settle makes findings of hits that were made elsewhere, by the same rules as
// the engines' (quote, fingerprint, what is new, dismissals, owners).
func Settle(req Request, hits []engine.Hit) (finding.Result, error) {
	req = req.withDefaults()
	_, settle, err := prepare(req)
	if err != nil {
		return finding.Result{}, err
	}
	reported := make([]finding.Reported, len(hits))
	for i, h := range hits {
		reported[i].Hit = h
	}
	return settle(reported), nil
}

// prepare reads the changed files, and what is made of hits in them.
func prepare(req Request) (tree *engine.Tree, settle func([]finding.Reported) finding.Result, err error) {
	rules, err := req.Terms.Settlement()
	if err != nil {
		return nil, nil, err
	}
	if tree, err = engine.Load(req.Subject); err != nil {
		return nil, nil, err
	}
	return tree, func(hits []finding.Reported) finding.Result { return finding.Settle(req.Subject, rules, tree, hits) }, nil
}

func (r Request) withDefaults() Request {
	if r.Timeout <= 0 {
		r.Timeout = defaultTimeout
	}
	r.ExecRoot = cmp.Or(r.ExecRoot, r.AbsRoot)
	if r.Exec == nil {
		r.Exec = process.Run
	}
	if r.ToolPath == nil {
		r.ToolPath = process.LookPath
	}
	return r
}
