package baseline

import (
	"slices"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/assurance"
	"github.com/org/qa-action/internal/source/edit"
)

// through finds test files that ran and that no report names: another file loaded them,
// and reporters of JavaScript name the file that the runner was given.
type through struct {
	text   func(file string) []byte
	opened map[string]bool
	cases  []qa.Case
	tests  map[string][]titled
	// guests are the cases whose own file, as the report says, has no such test.
	guests []qa.Case
	looked bool
}

// titled is a test that cases are held against.
type titled struct {
	matches func(qa.Case) bool
	exact   bool
}

// shows reports that a file ran by way of another one: it was opened, and every test of
// it whose whole title can be read is in a report, beside a file that has no such test.
func (t *through) shows(file string) bool {
	if !t.opened[file] || !slices.Contains(language.Of(file).Project.Manifests, "package.json") {
		return false
	}
	exact := each.Where(t.of(file), func(test titled) bool { return test.exact })
	if len(exact) == 0 {
		return false
	}
	t.look()
	return !slices.ContainsFunc(exact, func(test titled) bool { return !slices.ContainsFunc(t.guests, test.matches) })
}

// of are the tests that a file defines; none where it cannot be read.
func (t *through) of(file string) []titled {
	if known, ok := t.tests[file]; ok {
		return known
	}
	var out []titled
	if src := t.text(file); src != nil {
		tests, _ := edit.Tests(file, src) // of a broken file nothing is known
		out = each.Of(tests, func(test edit.Test) titled {
			matches, exact := assurance.Within(test.Name)
			return titled{matches, exact}
		})
	}
	t.tests[file] = out
	return out
}

// look sorts out the guests, once.
func (t *through) look() {
	if t.looked {
		return
	}
	t.looked = true
	t.guests = each.Where(t.cases, func(k qa.Case) bool {
		return k.File != "" && !slices.ContainsFunc(t.of(k.File), func(test titled) bool { return test.matches(k) })
	})
}
