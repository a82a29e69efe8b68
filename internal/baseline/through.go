package baseline

import (
	"slices"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/assurance"
	"github.com/org/qa-action/internal/source/edit"
)

// through finds test files that ran in a run and that its report does not name: another
// file loaded them, and reporters of JavaScript name the file that the runner was given.
type through struct {
	text   func(file string) []byte
	opened []string
	cases  []qa.Case
	// ran are the files that are found, once somebody asks.
	ran map[string]bool
}

// titled is a test that cases are held against.
type titled struct {
	file    string
	matches func(qa.Case) bool
	exact   bool
}

// shows reports that a file ran by way of another one.
func (t *through) shows(file string) bool {
	if !loadable(file) || !slices.Contains(t.opened, file) {
		return false
	}
	if t.ran == nil {
		t.ran = t.look()
	}
	return t.ran[file]
}

func loadable(file string) bool {
	return slices.Contains(language.Of(file).Project.Manifests, "package.json")
}

// look finds the files that were opened, are named by no case, and of which every test
// whose whole title can be read is in the report beside a file that has no such test.
// Where more tests have the title than the report has cases of it, it shows none of them.
func (t *through) look() map[string]bool {
	named := each.Set(each.Of(t.cases, func(k qa.Case) string { return k.File }))
	var waiting []titled
	for _, file := range t.opened {
		if loadable(file) && !named[file] {
			waiting = append(waiting, each.Where(t.of(file), func(test titled) bool { return test.exact })...)
		}
	}
	found := map[int]bool{}
	if len(waiting) > 0 {
		for _, same := range t.guests() {
			var meant []int
			for i, test := range waiting {
				if test.matches(same[0]) {
					meant = append(meant, i)
				}
			}
			if len(meant) <= len(same) {
				for _, i := range meant {
					found[i] = true
				}
			}
		}
	}
	out := map[string]bool{}
	for i, test := range waiting {
		all, before := out[test.file]
		out[test.file] = found[i] && (all || !before)
	}
	return out
}

// guests are the cases whose own file, as the report says, has no such test, those of
// one title together.
func (t *through) guests() map[string][]qa.Case {
	tests := map[string][]titled{}
	out := map[string][]qa.Case{}
	for _, k := range t.cases {
		own, known := tests[k.File]
		if !known {
			own = t.of(k.File)
			tests[k.File] = own
		}
		if k.File != "" && !slices.ContainsFunc(own, func(test titled) bool { return test.matches(k) }) {
			title := k.Suite + "\x00" + k.Name
			out[title] = append(out[title], k)
		}
	}
	return out
}

// of are the tests that a file defines; none where it cannot be read.
func (t *through) of(file string) []titled {
	src := t.text(file)
	if src == nil {
		return nil
	}
	tests, _ := edit.Tests(file, src) // of a broken file nothing is known
	return each.Of(tests, func(test edit.Test) titled {
		matches, exact := assurance.Within(test.Name)
		return titled{file, matches, exact}
	})
}
