package baseline

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
)

// A file that another one loads into a block of its own ran when it was opened and all
// that it defines is in the report of the other, which defines none of it.
func TestThrough(t *testing.T) {
	t.Parallel()
	const all, one, two, filled = "test/all.js", "test/issues/1.js", "test/issues/2.js", "test/issues/3.js"
	files := map[string]string{
		all:          "describe('Issues.', () => {\n  for (const f of files) require(f)\n  it('has its own', () => {})\n})\n",
		one:          "it('#1: keeps (all) of it', () => {})\ndescribe('deep', () => { it('too', () => {}) })\n",
		two:          "it('#2: is red', () => {})\nit('#2: is never red', () => {})\n",
		filled:       "for (const n of [1, 2]) it(`writes ${n}`, () => {})\n",
		"test/4.js":  "it('has its own', () => {})\n",
		"test/5.js":  "it('is broken\n",
		"test/6.txt": "it('has its own')\n",
		"test/7.py":  "def test_x():\n    assert True\n",
	}
	k := func(suite, name, file string) qa.Case { return qa.Case{Suite: suite, Name: name, File: file} }
	report := []qa.Case{k("Issues.", "has its own", all), k("Issues.", "#1: keeps (all) of it", all), k("Issues. deep", "too", all), k("Issues.", "writes 1", all), k("Issues.", "#2: is red", all)}
	for name, c := range map[string]struct {
		file   string
		cases  []qa.Case
		opened bool
		want   bool
	}{
		"loaded":                     {one, report, true, true},
		"not opened":                 {one, report, false, false},
		"a test is missing":          {one, report[:2], true, false},
		"only the first was run":     {two, report, true, false},
		"no title can be read":       {filled, report, true, false},
		"the other defines it":       {"test/4.js", report, true, false},
		"it cannot be read":          {"test/5.js", report, true, false},
		"no program":                 {"test/6.txt", report, true, false},
		"another language":           {"test/7.py", report, true, false},
		"the report names it itself": {one, []qa.Case{k("", "#1: keeps (all) of it", one), k("deep", "too", one)}, true, false},
		"no report":                  {one, nil, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			through := through{
				text: func(file string) []byte { return []byte(files[file]) }, cases: c.cases, tests: map[string][]titled{},
				opened: map[string]bool{},
			}
			if c.opened {
				through.opened = each.Set([]string{c.file})
			}
			assert.Equal(t, through.shows(c.file), c.want)
		})
	}
}
