package trials

import (
	"context"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/baseline"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/assurance"
	"github.com/org/qa-action/internal/role/generator"
	"github.com/org/qa-action/internal/source/edit"
	"github.com/org/qa-action/internal/wording"
)

// fewestWords is how many words announce something.
const fewestWords = 3

// announced are the words of the change that a model says announce what its test
// shows, empty when the change does not say them. They are the author's, whoever that
// is: a difference that is announced is still shown, and never passes for none.
func (r Runner) announced(ctx context.Context, c generator.Candidate) string {
	words := wording.Fold(strings.Trim(strings.TrimSpace(c.Announced), `"'`))
	if len(strings.Fields(words)) < fewestWords || !strings.Contains(wording.Fold(r.Said(ctx)), words) {
		return ""
	}
	return wording.Cut(words, 200)
}

// asserted is the test of the change that asserts the very behaviour which a proof
// shows to be another: a test that the change wrote, that passed on head, and that
// expects something else of the same call with the same arguments written out. Each
// assertion of the proof has to be about such a call, else it shows more than that.
func (r Runner) asserted(c generator.Candidate, b *baseline.Baseline) string {
	text, err := edit.Place(nil, c.Path, c.Alone(nil))
	if err != nil {
		return ""
	}
	alone, err := edit.Tests(c.Path, text)
	if err != nil || len(alone) != 1 {
		return ""
	}
	shows, err := edit.Expectations(c.Path, text, alone[0].Name)
	if err != nil || len(shows) == 0 {
		return ""
	}
	where := ""
	for _, e := range shows {
		other, test := "", ""
		if e.Subject != "" && mentions(e.Subject, c.Target) {
			other, test = r.expected(e.Subject, b)
		}
		switch {
		case test == "":
			return ""
		case other != e.Expected:
			where = test
		}
	}
	return where
}

// mentions reports whether a call is one of a function.
func mentions(call, symbol string) bool {
	callee, _, _ := strings.Cut(strings.TrimPrefix(call, "await "), "(")
	return callee[strings.LastIndexByte(callee, '.')+1:] == symbol[strings.LastIndexByte(symbol, '.')+1:]
}

// expected is what a test that the change wrote expects of a call, and where; the test
// passed on head.
func (r Runner) expected(call string, b *baseline.Baseline) (value, test string) {
	for _, f := range r.Change.Of(qa.KindTest) {
		src := r.Text(f.Path)
		all, err := edit.Tests(f.Path, src)
		if err != nil {
			continue
		}
		for _, t := range all {
			if !f.Touches(t.Lines) || !passed(b, f.Path, assurance.Names(f.Path, src, t.Name)) {
				continue
			}
			own, err := edit.Expectations(f.Path, src, t.Name)
			if err != nil {
				continue
			}
			for _, e := range own {
				if e.Subject == call && f.Touches(qa.Range{Start: e.Line, End: e.Line}) {
					return e.Expected, f.Path + ": " + t.Name
				}
			}
		}
	}
	return "", ""
}

// passed reports whether a test ran on head and passed, in all its cases.
func passed(b *baseline.Baseline, file string, names []string) bool {
	cases := slices.DeleteFunc(slices.Clone(b.Cases()), func(k qa.Case) bool { return !assurance.Matches(k, file, names...) })
	return len(cases) > 0 && !slices.ContainsFunc(cases, func(k qa.Case) bool { return k.Status != qa.Passed })
}
