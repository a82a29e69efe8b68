package generator

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/llm"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
	"github.com/org/qa-action/internal/related"
	"github.com/org/qa-action/internal/wording"
)

// Bounds of what one request shows a model.
const (
	shownTests   = 3000 // characters of an existing test file, for one function
	moreTests    = 1000 // and for each further one that is asked about with it
	examples     = 3    // test files shown for style where there is none yet
	shownBegin   = 600  // characters of all but the first of them
	perRound     = 6    // functions asked about per round
	elsewhere    = 6    // findings of the change that are named beside a function's own
	shownAround  = 3000 // characters of callers and callees
	shownFailure = 2000 // characters of a refused test's failure
)

// Writer asks for tests of the functions that the strategist chose.
type Writer struct {
	checkout.Checkout
	Config *config.Config
	Code   *related.Code
	Client *llm.Client
	Warn   func(format string, args ...any)
	// Lessons are what earlier runs learnt about tests, by file under test, newest last.
	Lessons map[string][]string
}

// model is the client, bound.
func (w Writer) model(ctx context.Context) Model {
	return Model{
		Ask:  llm.Asker[Reply](w.Client),
		Mend: llm.Asker[Correction](w.Client),
		Look: func(names []string) string { return w.Code.Look(ctx, names) },
	}
}

// Written is what a model answered, and why functions in focus were not asked about.
type Written struct {
	Tests []Candidate
	Alike []string // mutants that it holds for no wrong versions, by id
	Left  []string
}

// Write asks for tests of the riskiest functions of a round. One that was on trial
// before is not among them.
func (w Writer) Write(ctx context.Context, layer qa.Layer, round int, k Known) (out Written, err error) {
	var subjects []Subject
	chosen, left := w.chosen(layer, round, k)
	for _, f := range chosen {
		s, err := w.subject(ctx, layer, f, k)
		if err == nil && layer == qa.L2 && s.closed() {
			err = errors.New("its unit tests leave nothing open")
		}
		if err != nil {
			w.Warn("no tests for %s: %v", f.Symbol, err)
			continue
		}
		s.Round = round
		subjects = append(subjects, s)
	}
	out.Left = left
	out.Tests, out.Alike, err = w.model(ctx).Write(ctx, w.shared(subjects, k))
	out.Tests = slices.DeleteFunc(out.Tests, k.tried)
	return out, err
}

// shared shows functions that are asked about together the same of their test file: what
// their question says of it is said once.
func (w Writer) shared(subjects []Subject, k Known) (out []Subject) {
	for _, b := range grouped(subjects) {
		if len(b) > 1 {
			place := w.place(b[0].TestPath, b[0].Focus, b.symbols(), k)
			for i := range b {
				b[i].TestPlace = place
			}
		}
		out = append(out, b...)
	}
	return out
}

// Crosses tells whether there is a function for integration tests.
func (w Writer) Crosses(k Known) bool {
	return slices.ContainsFunc(k.Strategy.Focus, func(f qa.Focus) bool { return len(w.entries(f, k)) > 0 })
}

// Failure is why a test was refused, and what the same test does with the code
// before the change.
type Failure struct {
	Gate, Reason string
	Repairs      int
	Fails        bool // on head
	Base         qa.Status
}

// Repair asks for a corrected test; product says that the model holds the test to
// be right. What may be corrected was decided by the chain; what comes back
// starts again at its first gate.
func (w Writer) Repair(ctx context.Context, layer qa.Layer, c Candidate, why Failure, k Known) (again Candidate, product bool, err error) {
	f, ok := k.home(c.Source, c.Target)
	if !ok {
		return Candidate{}, false, errors.New("what it tests is not in focus any more")
	}
	s, err := w.subject(ctx, layer, f, k)
	if err != nil {
		return Candidate{}, false, err
	}
	refused := Refused{Subject: s, Candidate: c, Attempt: why.Repairs, Why: wording.Excerpt(why.Gate+": "+why.Reason, shownFailure), Form: strings.HasPrefix(why.Reason, Objection)}
	if why.Fails {
		refused.Kind = quality.DefectKind(why.Reason)
		refused.Why += fmt.Sprintf("\nThe same test with the code before the change: %s", cmp.Or(why.Base, qa.NotRun))
	}
	return w.model(ctx).Repair(ctx, refused)
}
