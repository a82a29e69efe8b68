package baseline

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

// A file that another one loads into a block of its own ran when it was opened and all
// that it defines is in the report of the other, which defines none of it.
func TestThrough(t *testing.T) {
	t.Parallel()
	const all, one, two, filled = "test/all.js", "test/issues/1.js", "test/issues/2.js", "test/issues/3.js"
	files := map[string]string{
		all:            "describe('Issues.', () => {\n  for (const f of files) require(f)\n  it('has its own', () => {})\n})\n",
		one:            "it('#1: keeps (all) of it', () => {})\ndescribe('deep', () => { it('too', () => {}) })\n",
		two:            "it('#2: is red', () => {})\nit('#2: is never red', () => {})\n",
		filled:         "for (const n of [1, 2]) it(`writes ${n}`, () => {})\n",
		"test/4.js":    "it('has its own', () => {})\n",
		"test/twin.js": "it('#1: keeps (all) of it', () => {})\n",
		"test/5.js":    "it('is broken\n",
		"test/6.txt":   "it('has its own')\n",
		"test/7.py":    "def test_x():\n    assert True\n",
	}
	k := func(suite, name, file string) qa.Case { return qa.Case{Suite: suite, Name: name, File: file} }
	report := []qa.Case{k("Issues.", "has its own", all), k("Issues.", "#1: keeps (all) of it", all), k("Issues. deep", "too", all), k("Issues.", "writes 1", all), k("Issues.", "#2: is red", all)}
	for name, c := range map[string]struct {
		file   string
		cases  []qa.Case
		opened bool
		want   bool
		others []string // that were opened, too
	}{
		"loaded":                     {one, report, true, true, nil},
		"not opened":                 {one, report, false, false, nil},
		"a test is missing":          {one, report[:2], true, false, nil},
		"only the first was run":     {two, report, true, false, nil},
		"no title can be read":       {filled, report, true, false, nil},
		"the other defines it":       {"test/4.js", report, true, false, nil},
		"it cannot be read":          {"test/5.js", report, true, false, nil},
		"no program":                 {"test/6.txt", report, true, false, nil},
		"another language":           {"test/7.py", report, true, false, nil},
		"the report names it itself": {one, []qa.Case{k("", "#1: keeps (all) of it", one), k("deep", "too", one)}, true, false, nil},
		"a twin may have run alone":  {one, report, true, false, []string{"test/twin.js"}},
		"both twins ran":             {one, append(report, report[1]), true, true, []string{"test/twin.js"}},
		"no report":                  {one, nil, true, false, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			through := through{text: func(file string) []byte { return []byte(files[file]) }, cases: c.cases}
			if c.opened {
				through.opened = append([]string{c.file}, c.others...)
			}
			assert.Equal(t, through.shows(c.file), c.want)
		})
	}
}
