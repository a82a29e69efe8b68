package generator

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/llm"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/mutant"
)

// Functions of one file whose tests go into one place are asked about together, and
// each test is on trial for the function that it names, else for the one whose finding
// it shows.
func TestFunctionsOfAFileAreAskedAboutTogether(t *testing.T) {
	t.Parallel()
	named := func(symbol, path, tests string) Subject {
		s := subject()
		s.Focus.Symbol, s.Focus.Path, s.TestPath, s.Findings = symbol, path, tests, nil
		return s
	}
	first, two := named("One", "a.go", "a_test.go"), named("Two", "a.go", "a_test.go")
	two.Findings = []qa.Finding{{ID: "SCOUT-ISSUE-2", Severity: qa.High, Message: "two is three"}}
	crossing := named("Three", "a.go", "a_test.go")
	crossing.Layer = qa.L2
	all := []Subject{first, named("Else", "b.go", "b_test.go"), two, crossing, named("Elsewhere", "a.go", "c_test.go"), named("Third", "a.go", "a_test.go"), named("Fourth", "a.go", "a_test.go")}
	for _, symbol := range []string{"Fifth", "Sixth", "Seventh"} {
		all = append(all, named(symbol, "a.go", "a_test.go"))
	}
	var got []string
	for _, b := range grouped(all) {
		got = append(got, strings.Join(b.symbols(), "+"))
	}
	assert.DeepEqual(t, got, []string{"One+Two+Third+Fourth+Fifth+Sixth", "Else", "Three", "Elsewhere", "Seventh"})

	m, asked := one(Reply{Tests: []Test{
		{Name: "a", Function: "Two"}, {Name: "b", Lane: Catching, Finding: "SCOUT-ISSUE-2"}, {Name: "c", Function: "Nobody", Finding: "SCOUT-ISSUE-9"}, {Name: "d", Function: "One", Lane: Catching, Finding: "SCOUT-ISSUE-2"},
		{Name: "e", Function: "Two", Lane: Catching, Finding: "SCOUT-ISSUE-9"}, {Name: "f", Function: "Two", Lane: Catching},
	}})
	written, _, err := m.Write(t.Context(), []Subject{first, two})
	assert.NilError(t, err)
	assert.Equal(t, len(*asked), 1)
	prompt := (*asked)[0].Prompt
	assert.Equal(t, strings.Count(prompt, "File a.go:"), 1, prompt)
	assert.Assert(t, strings.Index(prompt, "Function under test: One") < strings.Index(prompt, "Function under test: Two") && strings.Index(prompt, "Function under test: Two") < strings.Index(prompt, "two is three"), prompt)
	got = nil
	for _, c := range written {
		got = append(got, c.Name+" "+c.Target+" "+c.Finding)
	}
	assert.DeepEqual(t, got, []string{"a Two ", "b Two SCOUT-ISSUE-2", "c One ", "d One SCOUT-ISSUE-2", "e Two SCOUT-ISSUE-2", "f Two "})
}

// A finding of the file that belongs to another function is told in a line, once, and a
// test that shows it may name it: the difference is told once in the report as well.
func TestFindingsElsewhereAreNamed(t *testing.T) {
	t.Parallel()
	first, two := subject(), subject()
	first.Focus.Symbol, two.Focus.Symbol = "One", "Two"
	copies := qa.Finding{ID: "SCOUT-ISSUE-7", Severity: qa.Low, Message: "copies lose their state" + strings.Repeat(" and more", 100)}
	own := qa.Finding{ID: "SCOUT-ISSUE-2", Severity: qa.High, Message: "two is three"}
	first.Findings, first.Elsewhere = nil, []qa.Finding{copies, own}
	two.Findings, two.Elsewhere = []qa.Finding{own}, []qa.Finding{copies}

	m, asked := one(Reply{Tests: []Test{{Name: "a", Function: "Two", Lane: Catching, Finding: "SCOUT-ISSUE-7"}, {Name: "b", Lane: Catching, Finding: "SCOUT-ISSUE-2"}}})
	written, _, err := m.Write(t.Context(), []Subject{first, two})
	assert.NilError(t, err)
	prompt := (*asked)[0].Prompt
	assert.Equal(t, strings.Count(prompt, "SCOUT-ISSUE-7"), 1, prompt)
	assert.Equal(t, strings.Count(prompt, "SCOUT-ISSUE-2"), 1, prompt)
	assert.Assert(t, strings.Contains(prompt, "SCOUT-ISSUE-7: copies lose their state") && !strings.Contains(prompt, strings.Repeat(" and more", 30)), prompt)
	assert.Equal(t, written[0].Target+" "+written[0].Finding, "Two SCOUT-ISSUE-7")
	assert.Equal(t, written[1].Target+" "+written[1].Finding, "Two SCOUT-ISSUE-2")
}

// A finding of several functions is told once, with all the lines that it is at.
func TestFindingsAreToldOnce(t *testing.T) {
	t.Parallel()
	first, two := subject(), subject()
	first.Focus.Symbol, two.Focus.Symbol = "One", "Two"
	own := qa.Finding{ID: "SCOUT-ISSUE-2", Severity: qa.High, Message: "two is three", Quote: "if (a) {\n\n  return 3\n}\nmore()"}
	first.Findings, two.Findings, two.Beneath = []qa.Finding{own}, []qa.Finding{own}, nil
	text, err := render("write.md", batch{first, two}.question())
	assert.NilError(t, err)
	assert.Equal(t, strings.Count(text, "two is three\nat: if (a) {\nat: return 3\nat: }\n<"), 1, text)
	assert.Assert(t, strings.Contains(text, "Finding SCOUT-ISSUE-2 (high), as above.\n"), text)
}

// What no finding tells has a name of its author's; one that is the name of a finding's
// rule means that finding.
func TestDifferencesHaveNames(t *testing.T) {
	t.Parallel()
	s := subject()
	s.Findings = []qa.Finding{{ID: "SCOUT-ISSUE-2", Severity: qa.High, Rule: qa.Rule{ID: "model/off-by-one"}}}
	for said, want := range map[string]string{
		"SCOUT-ISSUE-2": "SCOUT-ISSUE-2 ", "SCOUT-ISSUE-9": "SCOUT-ISSUE-2 ", "off-by-one": "SCOUT-ISSUE-2 ", "": "SCOUT-ISSUE-2 ",
		"zero-is-lost": " zero-is-lost", "Zero is lost": "SCOUT-ISSUE-2 ", "a-b\n# hidden": "SCOUT-ISSUE-2 ", "lost": "SCOUT-ISSUE-2 ",
	} {
		test := Test{Name: "x", Lane: Catching, Finding: said}
		c := batch{s}.candidate(test, []Test{test})
		assert.Equal(t, c.Finding+" "+c.Difference, want, said)
	}
	hardening := Test{Name: "x", Lane: Hardening, Finding: "zero-is-lost"}
	assert.Equal(t, batch{s}.candidate(hardening, []Test{hardening}).Difference, "")
}

// Wrong versions are numbered through the whole question, also where a window holds a part
// of it alone, and those that the model holds for right are known by their ids.
func TestWrongVersionsAreNumbered(t *testing.T) {
	t.Parallel()
	var all []Subject
	for i, symbol := range []string{"One", "Two", "Three"} {
		s := subject()
		s.Focus.Symbol = symbol
		for n := range i + 1 {
			id := fmt.Sprint(symbol, n)
			s.Survivors, s.Wrong = append(s.Survivors, mutant.Mutant{ID: id}), append(s.Wrong, "wrong "+id)
		}
		all = append(all, s)
	}
	for _, narrow := range []bool{false, true} {
		m := Model{Ask: func(_ context.Context, r llm.Request) (Reply, error) {
			if narrow && r.Divisible {
				return Reply{}, llm.ErrTooLong
			}
			var out Reply
			for _, id := range []string{"Two1", "Three2"} {
				if _, after, ok := strings.Cut(r.Prompt, ". wrong "+id); ok {
					before := strings.TrimSuffix(r.Prompt, ". wrong "+id+after)
					n, err := strconv.Atoi(before[strings.LastIndexAny(before, "\n ")+1:])
					assert.Check(t, err == nil, before)
					out.Alike = append(out.Alike, n)
				}
			}
			out.Alike = append(out.Alike, 0, 99)
			return out, nil
		}}
		_, alike, err := m.Write(t.Context(), all)
		assert.NilError(t, err)
		assert.DeepEqual(t, alike, []string{"Two1", "Three2"})
	}
}

// What a window does not hold together is asked about in parts.
func TestSmallWindow(t *testing.T) {
	t.Parallel()
	var all []Subject
	for _, symbol := range []string{"One", "Two", "Three"} {
		s := subject()
		s.Focus.Symbol = symbol
		all = append(all, s)
	}
	m := Model{Ask: func(_ context.Context, r llm.Request) (Reply, error) {
		n := strings.Count(r.Prompt, "Function under test: ")
		assert.Check(t, r.Divisible == (n > 1))
		switch {
		case n > 1 || strings.Contains(r.Prompt, "Function under test: Two"):
			return Reply{}, llm.ErrTooLong
		case strings.Contains(r.Prompt, "Function under test: One"):
			return Reply{Tests: []Test{{Name: "a", Function: "One"}}}, nil
		}
		return Reply{Tests: []Test{{Name: "c", Function: "Three"}}}, nil
	}}
	written, _, err := m.Write(t.Context(), all)
	assert.ErrorIs(t, err, llm.ErrTooLong)
	assert.Equal(t, len(written), 2)
	assert.Equal(t, written[0].Target+written[1].Target, "OneThree")
}

// A new test file begins with the directive that the project's test files begin with.
func TestNewFilesAreAsStrictAsOthers(t *testing.T) {
	t.Parallel()
	for example, want := range map[string][]string{
		"'use strict';\n\nconst a = 1\n":                                         {"'use strict';"},
		"/*!\n * demo\n * MIT Licensed\n */\n// note\n\n\"use strict\"\nvar a\n": {"\"use strict\""},
		"const a = 1\n'use strict';\n":                                           nil,
		"f('use strict');\n":                                                     nil,
	} {
		s := subject()
		s.Examples = []string{example}
		b := batch{s}
		added := Test{Name: "x", Imports: []string{"const a = require('a')"}}
		assert.DeepEqual(t, b.candidate(added, []Test{added}).Imports, append(want, added.Imports...))
		b[0].TestFile = "'use strict';\n"
		assert.DeepEqual(t, b.candidate(added, []Test{added}).Imports, added.Imports)
	}
}

// TestTwins: a function whose edit is that of another is not asked about, and counts for
// no further round; the question of the other names it, beside what is asked.
func TestTwins(t *testing.T) {
	t.Parallel()
	twin := qa.Focus{Path: "b.go", Symbol: "Give", Lines: qa.Range{Start: 1, End: 3}, Like: "Take of take.go"}
	k := Known{Strategy: &qa.Strategy{Focus: []qa.Focus{{Path: "take.go", Symbol: "Take"}, twin}}, Living: []mutant.Mutant{{Path: "b.go", Line: 2}}}
	assert.Equal(t, len(k.round(0, func(qa.Focus) bool { return true })), 1)
	assert.Equal(t, k.Open(), 0)
	s := subject()
	s.Twins = k.twins(k.Strategy.Focus[0])
	model, asked := one(Reply{})
	_, _, err := model.Write(t.Context(), []Subject{s})
	assert.NilError(t, err)
	assert.Assert(t, strings.Contains((*asked)[0].Aside, "The edit of Take stands in \"Give of b.go\" as well, and is tested here alone."), (*asked)[0].Aside)
}

// TestTestsAreOfWhatTheyName: a test is on trial for what it names, be it by the class of a
// constructor, a part of a name, or something of the file beside what was asked about; else
// for what its code runs. What a finding of another function says is not meant there.
func TestTestsAreOfWhatTheyName(t *testing.T) {
	t.Parallel()
	const src = "class Response(Event):\n    def __init__(self):\n        pass\n\n    def close(self):\n        pass\n\n\nclass Closed(Event):\n    pass\n\n\ndef helper():\n    pass\n"
	named := func(symbol string) Subject {
		s := subject()
		s.Focus = qa.Focus{Path: "events.py", Symbol: symbol}
		s.File.Path, s.File.Source, s.Findings = "events.py", src, nil
		return s
	}
	b := batch{named("Data.__init__"), named("Response.close"), named("Response.__init__"), named("Data.close")}
	b[0].Findings = []qa.Finding{{ID: "SCOUT-ISSUE-1", Severity: qa.High}}
	for _, c := range []struct {
		test Test
		want string
	}{
		{Test{Function: "Response.close"}, "Response.close"},
		{Test{Function: "Response"}, "Response.__init__"},
		{Test{Function: "Data", Lane: Catching}, "Data.__init__ SCOUT-ISSUE-1"},
		{Test{Function: "Closed", Lane: Catching}, "Closed"},
		{Test{Function: "Closed", Lane: Catching, Finding: "closed-hashable"}, "Closed closed-hashable"},
		{Test{Function: "Closed", Lane: Catching, Finding: "SCOUT-ISSUE-1"}, "Data.__init__ SCOUT-ISSUE-1"},
		{Test{Function: "helper"}, "helper"},
		{Test{Function: "frozen", Code: "def test_a():\n    Response().x = 1\n"}, "Response.__init__"},
		{Test{Function: "close", Code: "def test_a():\n    Data(Response())\n"}, "Data.__init__"},
	} {
		got := b.candidate(c.test, []Test{c.test})
		assert.Equal(t, strings.Join(strings.Fields(got.Target+" "+got.Finding+" "+got.Difference), " "), c.want, "%+v", c.test)
	}
	k := Known{Strategy: &qa.Strategy{Focus: []qa.Focus{{Path: "a.py", Symbol: "f", Like: "g"}, b[1].Focus, b[0].Focus}}}
	for target, want := range map[string]string{"Data.__init__": "Data.__init__", "Closed": "Response.close"} {
		f, ok := k.home("events.py", target)
		assert.Assert(t, ok)
		assert.Equal(t, f.Symbol, want)
	}
	_, ok := k.home("a.py", "h")
	assert.Assert(t, !ok)
}
