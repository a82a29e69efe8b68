package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// finding is what is wrong with a cell, if anything.
type finding string

const (
	fine       finding = "ok"
	falseGreen finding = "FALSE GREEN"
	falseRed   finding = "FALSE RED"
	told       finding = "INCONCLUSIVE, true cause"
	untold     finding = "INCONCLUSIVE, no true cause"
	badStep    finding = "INCONCLUSIVE, next step does not help"
	refused    finding = "REFUSED, true cause" // no session: the run says why it could not begin
	broken     finding = "BROKEN"              // neither oracle nor product: the cell itself
)

// row is a cell with everything that came of it.
type row struct {
	cell
	head, base outcome
	answer     answer
	step       string // the next step that was carried out
	found      finding
	why        string // one clause
}

// judge holds the answer to the oracle.
func (r *row) judge() {
	newFailure := r.broke()
	if !r.asDeclared() {
		r.found = broken
		return
	}
	switch r.answer.verdict() {
	case "":
		r.judgeRefusal()
	case qa.Pass, qa.Conditional:
		r.judgeGreen(newFailure)
	case qa.Fail:
		r.judgeRed(newFailure)
	default:
		r.found, r.why = untold, short(r.answer.reason())
		if r.mayBeUnknown() {
			r.found = told
		}
	}
}

// asDeclared holds a fault to its table where everything is prepared.
func (r *row) asDeclared() bool {
	want := r.fault.Breaks
	if r.environment.Name != "prepared" || want == "either" || (want == "yes") == fails(r.head, r.base) {
		return true
	}
	r.why = fmt.Sprintf("the fault is to break the suite: %s; head %s, base %s", want, r.head, r.base)
	return false
}

// broke says whether the change breaks a test. Where the bare command runs
// other code than the change, what the fault does elsewhere is the truth.
func (r *row) broke() bool {
	if r.environment.Blind {
		return r.fault.Breaks == "yes"
	}
	return fails(r.head, r.base)
}

func (r *row) judgeGreen(newFailure bool) {
	best := cmp.Or(r.project.Best, r.fault.Best, qa.Pass) // what can be known of the project at all comes first
	switch {
	case newFailure:
		r.found, r.why = falseGreen, "the bare suite has a failure that base has not"
	case !r.environment.Blind && r.head.exit != 0 && !r.head.flaky && r.head.passed == 0:
		r.found, r.why = falseGreen, "no test passed"
	case slices.Index(claims, r.answer.verdict()) < slices.Index(claims, best):
		r.found, r.why = falseGreen, fmt.Sprintf("claims more than %s", best)
	default:
		r.found = fine
	}
}

// claims are the verdicts that blame nothing, the one that claims most first.
var claims = []qa.Verdict{qa.Pass, qa.Conditional, qa.Inconclusive}

func (r *row) judgeRed(newFailure bool) {
	switch {
	case newFailure, r.fault.Red:
		r.found = fine
	case !r.environment.Blind && (r.environment.Baseless || r.fault.Unproven) && r.head.exit != 0 && !r.head.flaky:
		r.found, r.why = fine, "base cannot be asked: unknown failures gate"
	default:
		r.found, r.why = falseRed, short(r.answer.reason())
	}
}

// judgeRefusal is for runs without a verdict: an error that names a true cause
// is an answer, anything else is a defect of the product or of the cell.
func (r *row) judgeRefusal() {
	r.found, r.why = broken, fmt.Sprintf("exit code %d: %s", r.answer.ExitCode, short(r.answer.Last))
	if r.answer.Report == nil && r.answer.ExitCode == 2 && r.mayBeUnknown() {
		r.found = refused
	}
}

func (r *row) mayBeUnknown() bool {
	words := r.answer.words()
	return r.environment.Cause.matches(words) || r.fault.Cause.matches(words)
}

// short is one bounded line that fits a table.
func short(s string) string { return wording.Line(strings.ReplaceAll(s, "|", "/"), 110) }
