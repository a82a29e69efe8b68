package generator

import (
	"context"
	"errors"
	"fmt"

	"github.com/org/qa-action/internal/llm"
	"github.com/org/qa-action/internal/qa"
)

// Correction is what the model answers about a test that was refused.
type Correction struct {
	Reason string `json:"reason" jsonschema:"what went wrong and why, in at most two sentences"`
	Wrong  string `json:"wrong" jsonschema:"test or product"`
	Test   Test   `json:"test"`
}

// The answers to "is the test wrong or the product?".
const (
	wrongTest    = "test"
	wrongProduct = "product"
)

// Objection begins the reason of a test that is right in all but its form: a linter of the
// project refuses it.
const Objection = "the project's linter objects: "

// ErrNoRepair says that a model gave no answer that can be tried.
var ErrNoRepair = errors.New("no usable repair")

// Refused is a test that a gate refused, for another attempt.
type Refused struct {
	Subject
	Candidate Candidate
	Kind      string // of the failure: "assertion mismatch", "missing import"
	Why       string // the gate and what it saw: hostile
	Attempt   int    // how many repairs came before
	Form      bool   // nothing but its form is wrong: what it tests need not be shown again
}

// Meant is the finding that the test was written for, nil when there is none.
func (r Refused) Meant() *qa.Finding {
	if f, ok := r.finding(r.Candidate.Finding); ok {
		return &f
	}
	return nil
}

// Repair asks once for a corrected version of a test and whether the test is
// wrong or the product. With product true the test stays as it is. What the
// candidate is for (file, layer, lane, finding) is never the model's to change.
func (m Model) Repair(ctx context.Context, r Refused) (again Candidate, product bool, err error) {
	question := "repair.md"
	if r.Form {
		question = "form.md"
	}
	text, err := render(question, r)
	if err != nil {
		return r.Candidate, false, err
	}
	reply, err := m.Mend(ctx, llm.Request{Job: "repair/" + string(r.Layer), System: system, Prompt: text, Variant: r.Attempt})
	if err != nil {
		return r.Candidate, false, fmt.Errorf("repair %s: %w", r.Candidate.Name, err)
	}
	switch reply.Wrong {
	case wrongProduct:
		return r.Candidate, true, nil
	case wrongTest:
		again = r.Candidate
		again.Name, again.Imports, again.In, again.Code, again.Why = reply.Test.Name, reply.Test.Imports, reply.Test.In, reply.Test.Code, reply.Test.Why
		return again, false, nil
	}
	return r.Candidate, false, fmt.Errorf("repair %s: %w: neither test nor product is named as wrong, but %q", r.Candidate.Name, ErrNoRepair, reply.Wrong)
}
