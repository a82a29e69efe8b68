package assurance

import (
	"context"
	"fmt"
	"slices"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/generator"
	"github.com/org/qa-action/internal/source/edit"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/policy"
)

// Fix is an answer about a refused test: another version of it, or that the
// code under test is wrong and the test stays.
type Fix struct {
	Candidate generator.Candidate
	Product   bool
}

// suspect keeps a test that fails on head apart, as evidence that somebody who
// knows the product should judge: it is neither repaired nor kept, and base does
// not speak for it. A test that did not run, or could not be judged, shows
// nothing.
func (c *Chain) suspect(ctx context.Context, v *Verdict) error {
	if v.placed == nil || v.Head != qa.Failed || v.first.errored {
		v.Reason += "; the product is said to be wrong, which a test that did not run cannot show"
		return nil
	}
	if err := c.Head.Write(v.Path, v.placed); err != nil {
		return err
	}
	return trial{c, v, v.Name, v.first}.evidence(ctx)
}

// guard decides about a repair before it is tried. refused says why it is none;
// bent says that it expects or feeds something else than the test it repairs,
// which only the code before the change can justify.
func (c *Chain) guard(before, after generator.Candidate) (refused string, bent bool) {
	for _, kept := range []struct{ what, was, is string }{
		{"file", before.Path, after.Path},
		{"file under test", before.Source, after.Source},
		{"target", before.Target, after.Target},
		{"lane", before.Lane, after.Lane},
		{"layer", string(before.Layer), string(after.Layer)},
		{"finding", before.Finding, after.Finding},
	} {
		if kept.is != kept.was {
			return fmt.Sprintf("it changes the %s from %q to %q", kept.what, kept.was, kept.is), false
		}
	}
	// What the file imports and sets up decides what a test looks at.
	now, _ := c.current(before.Path) // none is a new file
	was, err := edit.Place(now, before.Path, before.Alone(now))
	if err != nil {
		return "", false // there was no test that could be weakened
	}
	is, err := edit.Place(now, after.Path, after.Alone(now))
	if err != nil {
		return fmt.Sprintf("it cannot be placed: %v", err), false
	}
	others := names(before.Path, now)
	if a, b := fresh(before.Path, was, others), fresh(before.Path, is, others); !slices.Equal(a, b) {
		return fmt.Sprintf("it makes %q of the test %q", b, a), false
	}
	violations, err := policy.Check(before.Path, was, is, append(slices.Clone(c.Known), imports(before.Path, was)...))
	if err != nil {
		return err.Error(), false
	}
	for _, v := range violations {
		if v.Gate != policy.GateOracle {
			return v.Rule + ": " + v.Message, false
		}
		bent = true
	}
	if a, b := assertions(before.Path, was), assertions(after.Path, is); b < a {
		return fmt.Sprintf("it has %d assertions instead of %d", b, a), false
	}
	return "", bent || !slices.Equal(literals(before.Code), literals(after.Code))
}

func imports(path string, src []byte) []string {
	parsed, _ := outline.Parse(path, src) // what cannot be read has none
	return each.Of(parsed.Imports, func(i qa.Import) string { return i.Path })
}

func assertions(path string, src []byte) int {
	tests, _ := edit.Tests(path, src)
	n := 0
	for _, t := range tests {
		n += len(t.Assertions)
	}
	return n
}

var literal = pattern.New("\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\\n])*'|`[^`]*`|\\b\\d[\\w.]*|\\b(?:true|false|null|nil|undefined|True|False|None)\\b")

// literals are the values that a test's text names, in order: what it feeds and
// what it expects.
func literals(code string) []string { return literal.FindAllString(code, -1) }

// undefined is how a failure says that a name stands for nothing: such a test
// never came to what it expects. Mocha's report leaves out what kind of error it is.
var undefined = pattern.New(`(?:ReferenceError|fails on head): [A-Za-z_$][\w$]* is not defined|NameError: name '\w+' is not defined`)
